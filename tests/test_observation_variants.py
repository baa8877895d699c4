"""The observation rows of every variant, and of Bezique that nothing a seat may know is lost in them.

Of Belote the same is proved in ``test_observation_belote.py``.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bezique_env import Game
from bezique_env.encoding import layout, layout_hash, observation_fields, observation_size
from bezique_env.encoding.encoders import ENCODERS
from bezique_env.encoding.rows import encode, encode_row
from bezique_env.engine.bezique import state as st
from bezique_env.engine.engines import ENGINES
from bezique_env.rules import RulesError, get_rules, variants
from bezique_env.rules.bezique.family import BEZIQUE
from bezique_env.rules.families import FAMILIES

EVERY = list(variants())
VARIANTS = list(BEZIQUE.variants)
MULTI_PACK = [name for name in VARIANTS if get_rules(name).shape.packs > 2]
PRESETS = [(name, preset) for name in VARIANTS for preset in variants()[name].presets]
CUT = {"chinese": {"cut_bonus": "on"}}

TWO_PACK_LAYOUT = (
    "hand_one 32 hand_two 32 known_own 32 known_opp 32 unseen 32 won_own 32 won_opp 32 table_own 48 table_opp 48 "
    "uses_own 84 uses_opp 84 slots_own 8 slots_opp 8 served_now_own 8 served_now_opp 8 trick_own 12 trick_opp 12 "
    "trump 5 last_trump 5 turn_up 13 bezique_pair 4 phase 8 to_act 2 dealer 1 leader 1 stock 3 scores 3 totals 2 "
    "brisques 2 concealed 2 sevens_scored 2 window 2 first_over 2 result 3 deal_number 1 selection 26"
)


def choose(game: Game, rng: np.random.Generator) -> int:
    legal = game.legal_actions()
    melds = [a for a in legal if 64 <= a < 95]
    low = [a for a in legal if a < 32 and a & 7 < 3]
    return int(rng.choice(melds if melds and rng.random() < 0.9 else low or legal))


def records(
    variant: str, seed: int, preset: str | None = None, share: float = 1.0, **overrides: Any
) -> Iterator[Any]:
    """View records (arrays of one) of both seats along a random game."""
    rng = np.random.default_rng(seed)
    game = Game(variant, rules=preset, overrides={**CUT.get(variant, {}), **overrides}, seed=seed)
    while True:
        if game.is_over or rng.random() < share:
            yield from (game.view_record(0), game.view_record(1))
        if game.is_over:
            return
        game.apply(choose(game, rng))


def some_records(variant: str) -> Iterator[Any]:
    """View records of one game, of many where a game is short."""
    if len(get_rules(variant).pack) >= 32:
        yield from records(variant, 5, share=0.12)
        return
    for preset in variants()[variant].presets:
        for seed in range(4):
            yield from records(variant, seed, preset)


def encoded(record: Any, size: int) -> Any:
    row = np.full(size, np.nan, np.float32)
    encode_row(record, 0, row)
    return row


# ------------------------------------------------------------------------------------------------ layouts


def test_the_layout_of_two_packs_has_not_changed() -> None:
    found = " ".join(f"{f.name} {f.stop - f.start}" for f in observation_fields("two_pack"))
    assert found == TWO_PACK_LAYOUT
    assert observation_size("two_pack") == 631
    assert layout_hash("two_pack") == "11e1d3147f6e", "trained two-pack policies read this layout"


def test_a_row_of_two_packs_has_not_changed() -> None:
    """The row of a record made by hand, as the first encoder of the two-pack game wrote it."""
    record = np.zeros(1, st.view_dtype(get_rules("two_pack").shape))
    v = record[0]
    for c in range(32):
        v["hand"][c], v["unseen"][c] = c % 3, (c + 1) % 3
        v["known"][:, c], v["won"][:, c] = (c % 2, (c + 2) % 3), ((c // 2) % 3, (c // 3) % 3)
    v["table_card"] = 255
    v["table_card"][0, :5], v["table_card"][1, :3] = (4, 5, 4, 24, 23), (19, 13, 15)
    v["table_uses"][0, :5], v["table_uses"][1, :3] = (1 | 4 | 128, 1 | 2, 8, 32, 16), (4 | 8 | 16, 2 | 1, 0)
    v["table_n"] = (5, 3)
    for name, value in {
        "scores": (310, 140), "match_scores": (710, 440), "brisques": (3, 7), "sevens_scored": (1, 0),
        "concealed_n": (3, 5), "trick_card": (255, 30), "trump": 3, "last_trump": 4, "turn_up": 24,
        "turn_up_scored": 1, "bezique_q": 28, "bezique_j": 11, "phase": 3, "to_act": 1, "dealer": 0, "leader": 1,
        "stock_left": 10, "declared": 1, "exchanged": 1, "first_over": 1, "winner": 0, "double": 1, "deal_no": 5,
        "sel_action": 79, "sel_n": 2, "seat": 1,
    }.items():  # fmt: skip
        v[name] = value
    v["sel_code"][:2] = (1, 68)
    assert hashlib.sha256(encoded(record, 631).tobytes()).hexdigest()[:16] == GOLDEN_ROW


GOLDEN_ROW = "001b9fca009d9c41"


@pytest.mark.parametrize("variant", EVERY)
def test_fields_tile_the_row(variant: str) -> None:
    fields = observation_fields(variant)
    at = 0
    for field in fields:
        assert field.start == at < field.stop and field.low < field.high
        at = field.stop
    assert at == observation_size(variant) == layout(variant).size < 1500
    assert len({field.name for field in fields}) == len(fields)


def test_every_layout_has_its_own_hash_and_an_unknown_variant_is_refused() -> None:
    rows = {tuple(observation_fields(variant)) for variant in EVERY}
    assert len({layout_hash(variant) for variant in EVERY}) == len(rows) == len(EVERY) - 1
    assert layout_hash("mini_belote") == layout_hash("belote")  # the same row: sets of cards have 32 places
    with pytest.raises(RulesError, match="did you mean 'rubicon'"):
        observation_size("rubicn")


def test_every_family_has_an_encoder_and_other_records_none() -> None:
    assert list(ENCODERS) == [family.name for family in FAMILIES] == [engine.family for engine in ENGINES]
    with pytest.raises(LookupError, match="no family has records with the fields cards"):
        encode(np.zeros(1, [("cards", "u1")])[0], np.zeros(1, np.float32))


OTHER_SIZES = {
    *(f"{name}_{seat}" for name in ("table", "uses", "slots", "served", "served_now", "intact", "melds")
      for seat in ("own", "opp")),
    "phase", "window", "result", "selection", "turn_up",
}  # fmt: skip
"""Fields whose numbers follow the places on a table, or the phases, actions and results of a variant."""


def test_fields_of_the_same_name_mean_the_same() -> None:
    """What stands under one name in two layouts is written for the same thing, in the same order."""
    layouts = {v: {f.name: f.stop - f.start for f in observation_fields(v)} for v in EVERY}
    everywhere = set.intersection(*(set(names) for names in layouts.values()))
    assert everywhere == {
        "known_own", "known_opp", "unseen", "won_own", "won_opp", "trick_own", "trick_opp", "trump", "phase",
        "to_act", "dealer", "leader", "concealed", "scores", "result",
    }  # fmt: skip
    names = set.union(*(set(names) for names in layouts.values()))
    sizes = {name: {layout[name] for layout in layouts.values() if name in layout} for name in names}
    assert {name for name, found in sizes.items() if len(found) > 1} <= OTHER_SIZES


@pytest.mark.parametrize(("variant", "preset"), PRESETS)
@pytest.mark.parametrize("selection", ["auto", "explicit"])
def test_numbers_stay_in_their_ranges_and_every_number_is_written(
    variant: str, preset: str, selection: str
) -> None:
    fields = observation_fields(variant)
    low = np.concatenate([np.full(f.stop - f.start, f.low) for f in fields])
    high = np.concatenate([np.full(f.stop - f.start, f.high) for f in fields])
    for record in records(variant, 3, preset, share=0.3, selection=selection):
        row = encoded(record, len(low))
        wrong = np.flatnonzero(~((row >= low) & (row <= high)))
        assert not wrong.size, [
            (f.name, row[f.start : f.stop]) for f in fields if f.start <= wrong[0] < f.stop
        ]


# ---------------------------------------------------------------------------------------- nothing is lost

LOG = {"told", "told_n", "told_places", "places", "shown_n", "taken", "deck"}
"""How the public came to be known: in the information text and for resampling, not in the row."""
SETTING = {"seat", "episode", "draws"}
DERIVED = {"table_count", "stock_next", "bezique_j"}
"""Follow from other fields: from the table, from the stock, from the queen."""
NEVER = {
    "two_pack": {"carte", "cut", "led_scored", "seven_won", "table_melds"},
    "fildinski": {"carte", "cut", "table_melds"},
    "mini_bezique": {
        "carte",
        "cut",
        "led_scored",
        "seven_won",
        "table_melds",
        "sevens_scored",
        "turn_up_scored",
    },
}
NEVER_MULTI = {
    "deal_no", "turn_up", "turn_up_scored", "last_trump", "exchanged", "first_over", "double", "sevens_scored",
    "led_scored", "seven_won",
}  # fmt: skip
"""Have one value throughout such a game."""
SMALL = {
    "scores": 20, "match_scores": 20, "brisques": 1, "sevens_scored": 1, "concealed_n": 1, "stock_left": 1,
    "deal_no": 1,
}  # fmt: skip
FLAGS = {
    "turn_up_scored",
    "declared",
    "exchanged",
    "double",
    "carte",
    "led_scored",
    "seven_won",
    "leader",
    "dealer",
}
ONE_OF = {
    "trick_card": [0, 9, 31, 255], "turn_up": [0, 9, 31, 255], "trump": [0, 1, 2, 3, 4],
    "last_trump": [0, 1, 2, 3, 4], "to_act": [0, 1, 255], "first_over": [0, 1, 255], "winner": [0, 1, 255],
    "bezique_q": [4, 12, 20, 28, 255], "cut": [0, 16, 24, 32],
}  # fmt: skip


def never(variant: str) -> set[str]:
    return NEVER.get(variant, NEVER_MULTI)


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_the_row_leaves_out_never_changes_or_follows_from_the_rest(variant: str) -> None:
    seen: dict[str, set[bytes]] = {name: set() for name in never(variant)}
    for seed in range(3):
        for record in records(variant, seed, share=0.5):
            v = record[0]
            for name, values in seen.items():
                values.add(v[name].tobytes())
            for s in range(st.SEATS):
                count = int(v["table_n"][s])
                laid = v["table_card"][s][:count]
                assert np.array_equal(np.bincount(laid, minlength=32), v["table_count"][s])
                if not get_rules(variant).shape.reform:
                    bits = [bin(int(x) & ~st.USED_WINDOW).count("1") for x in v["table_uses"][s][:count]]
                    assert bits == v["table_served"][s][:count].tolist()
            if variant in MULTI_PACK:
                assert v["match_scores"].tolist() == v["scores"].tolist()
    assert {name: len(values) for name, values in seen.items()} == dict.fromkeys(seen, 1)


def changes(variant: str, v: Any, rng: np.random.Generator) -> Iterator[tuple[str, Any]]:
    """Records that differ from ``v`` in one thing that a seat may know: (name of the field, record)."""
    place: Any
    names = set(v.dtype.names) - LOG - SETTING - DERIVED - never(variant)
    shape = get_rules(variant).shape
    if variant in MULTI_PACK:
        names -= {"match_scores"}  # the deal is the game

    def other(name: str, place: Any, value: Any) -> tuple[str, Any]:
        twin = v.copy()
        if place is None:
            twin[name] = value
        else:
            twin[name][place] = value
        return name, twin

    for name in sorted(names):
        flat = v[name].shape == ()
        for place in [None] if flat else np.ndindex(v[name].shape):
            now = int(v[name] if place is None else v[name][place])
            if name in ("hand", "unseen", "known", "won"):
                if rng.random() < 0.2:
                    yield other(name, place, (now + 1) % (shape.packs + 1))
            elif name in SMALL:
                yield other(name, place, now + SMALL[name] if now == 0 else now - SMALL[name])
            elif name == "turn_up_scored" and int(v["turn_up"]) == 255:
                continue  # says something of the card that lies there
            elif name in FLAGS:
                yield other(name, place, 1 - now)
            elif name in ONE_OF:
                yield other(name, place, rng.choice([x for x in ONE_OF[name] if x != now]))
            elif name == "phase":
                yield other(name, place, (now + 1) % (9 if shape.packs > 2 else 8))
            elif name == "sel_action":
                yield other(name, place, 72 if now == 255 else now ^ 1 if now != 255 else 72)
            elif name == "sel_n":
                twin = v.copy()
                twin["sel_action"], twin["sel_n"], twin["sel_code"][:2] = 72, 2, (1, 68)
                for name_, place_, value in (("sel_n", None, 1), ("sel_code", 0, 2), ("sel_code", 1, 69)):
                    again = twin.copy()
                    if place_ is None:
                        again[name_] = value
                    else:
                        again[name_][place_] = value
                    yield "selection", (twin, again)
            elif name == "sel_code":
                continue  # with sel_n
            elif name == "table_n":
                if now > 0:
                    yield other(name, place, now - 1)
            elif place[1] < int(v["table_n"][place[0]]):
                yield from _table_changes(variant, v, name, place, now, other)


def _table_changes(
    variant: str, v: Any, name: str, place: Any, now: int, other: Any
) -> Iterator[tuple[str, Any]]:
    """Changes of one place of a table."""
    multi = variant in MULTI_PACK
    card = int(v["table_card"][place[:2]])
    if name == "table_melds":
        for bit in range(int(v["table_n"][place[0]])):
            yield other(name, place, now ^ 1 << bit)
    elif name == "table_served":
        if multi:
            yield other(name, place, now + 1)
    elif name == "table_card":
        laid = v["table_card"][place[0]].tolist()
        if place[1] > 0 and laid[place[1] - 1] != card:
            twin = v.copy()
            for field in ("table_card", "table_uses", "table_served"):
                twin[field][place[0]][[place[1] - 1, place[1]]] = v[field][place[0]][[place[1], place[1] - 1]]
            yield "order", twin
        swapped = card ^ 8
        if laid.count(swapped) < 2 or multi:
            yield other(name, place, swapped)
    elif name == "table_uses":
        for bit in st.USE_NAMES:
            rank, suit = card & 7, card >> 3
            fits = multi and bit != st.USED_SEVEN
            fits |= bit == st.USED_MARRIAGE and rank in (4, 5)
            fits |= bit == st.USED_SEQUENCE and rank > 2 and suit == int(v["trump"])
            fits |= bit in (st.USED_BEZIQUE, st.USED_DOUBLE) and rank in (3, 4)
            fits |= bit == st.USED_FOUR and rank > 2
            fits |= bit == st.USED_SEVEN and rank == 0 and variant == "two_pack"
            if fits:
                yield other(name, place, now ^ bit)
        if variant == "fildinski":
            for bit in (st.USED_TRICK, st.USED_NOW, st.USED_LINE_NOW, st.USED_BEZIQUE_NOW):
                yield other(name, place, now ^ bit)
        elif not multi:
            yield other(name, place, now ^ st.USED_NOW)


@pytest.mark.parametrize("variant", VARIANTS)
def test_whatever_changes_in_a_view_changes_the_row(variant: str) -> None:
    size = observation_size(variant)
    rng = np.random.default_rng(8)
    found: set[str] = set()
    for number, record in enumerate(some_records(variant)):
        for name, twin in changes(variant, record[0], rng):
            first, second = twin if isinstance(twin, tuple) else (record[0], twin)
            rows = [encoded(np.array([x], record.dtype), size).tobytes() for x in (first, second)]
            assert rows[0] != rows[1], (number, name)
            found.add(name)
    left_out = LOG | SETTING | DERIVED | never(variant) | {"sel_code", "sel_n"}
    expected = set(st.view_dtype(get_rules(variant).shape).names or ()) - left_out
    if variant in MULTI_PACK:
        expected -= {"match_scores"}
    else:
        expected -= {"table_served"}
    assert found >= expected | {"selection", "order"}


@functools.cache
def slices(variant: str) -> dict[str, slice]:
    return {f.name: slice(f.start, f.stop) for f in observation_fields(variant)}


@pytest.mark.parametrize("variant", VARIANTS)
def test_counts_of_cards_can_be_read_back(variant: str) -> None:
    packs = get_rules(variant).shape.packs
    at = slices(variant)
    names = ["hand_one", "hand_two"] + (["hand_three", "hand_four"] if packs > 2 else [])
    for record in records(variant, 11, share=0.2):
        v, row = record[0], encoded(record, observation_size(variant))
        own = int(v["seat"])
        thermometer = np.minimum(v["hand"], len(names))
        assert np.array_equal(sum(row[at[name]] for name in names), thermometer)
        wanted = {"known_own": v["known"][own], "known_opp": v["known"][1 - own], "unseen": v["unseen"]}
        wanted |= {"won_own": v["won"][own], "won_opp": v["won"][1 - own]}
        if packs > 2:
            wanted["hand_count"] = v["hand"]
        for name, counts in wanted.items():
            assert np.array_equal(np.rint(row[at[name]] * packs), counts), name
            assert np.allclose(row[at[name]] * packs, counts)


@pytest.mark.parametrize("variant", MULTI_PACK)
def test_the_tables_of_many_packs_can_be_read_back(variant: str) -> None:
    slots = get_rules(variant).shape.slots
    at = slices(variant)
    bits = [1, 2, 4, 8, 16, 256, 512, 1024, 2048, 4096]
    intact = 0
    for record in records(variant, 12, share=0.3):
        v, row = record[0], encoded(record, observation_size(variant))
        for s, side in ((int(v["seat"]), "own"), (1 - int(v["seat"]), "opp")):
            count = int(v["table_n"][s])
            cards = row[at[f"table_{side}"]].reshape(slots, 9)
            assert not cards[count:].any()
            ids = cards[:count, :5].argmax(1) + 3 + 8 * cards[:count, 5:].argmax(1)
            assert ids.tolist() == v["table_card"][s][:count].tolist()
            uses = row[at[f"uses_{side}"]].reshape(slots, 10)[:count] @ np.array(bits)
            assert uses.tolist() == v["table_uses"][s][:count].tolist()
            masks = row[at[f"melds_{side}"]].reshape(slots, 6) * 2**slots
            assert np.array_equal(masks[:count], v["table_melds"][s][:count])
            assert np.array_equal(masks > 0, row[at[f"intact_{side}"]].reshape(slots, 6) > 0)
            assert np.array_equal(row[at[f"served_{side}"]][:count] * 16, v["table_served"][s][:count])
            intact += int((masks > 0).sum())
    assert intact > 20, "no meld was intact"


def test_the_open_cards_of_fildinski_can_be_read_back() -> None:
    at = slices("fildinski")
    windows = 0
    for record in (r for seed in range(6) for r in records("fildinski", seed, preset="by_class", share=0.5)):
        v, row = record[0], encoded(record, observation_size("fildinski"))
        for s, side in ((int(v["seat"]), "own"), (1 - int(v["seat"]), "opp")):
            count = int(v["table_n"][s])
            ids = np.rint(row[at[f"slots_{side}"]] * 32).astype(int) - 1
            assert ids.tolist() == v["table_card"][s][:count].tolist() + [-1] * (40 - count)
            copies: dict[int, int] = {}
            for card, uses in zip(v["table_card"][s][:count], v["table_uses"][s][:count], strict=True):
                card, uses = int(card), int(uses)
                copy = copies.setdefault(card, 0)
                copies[card] += 1
                cell = 20 * copy + 4 * ((card & 7) - 3) + (card >> 3)
                assert row[at[f"table_{side}"]][cell] == 1
                assert row[at[f"won_now_{side}"]][cell] == (uses & st.USED_TRICK > 0)
                assert row[at[f"line_now_{side}"]][cell] == (uses & st.USED_LINE_NOW > 0)
                four = row[at[f"uses_{side}"]][41 * copy + 21 + 4 * ((card & 7) - 3) + (card >> 3)]
                assert four == (uses & st.USED_FOUR > 0)
                windows += uses & st.USED_TRICK > 0
    assert windows > 20
