"""The observation row of Belote: it holds what the seat may know, whole, and can be read back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bezique_env import Game
from bezique_env.encoding import layout_hash, observation_fields, observation_size
from bezique_env.encoding.rows import encode_row
from bezique_env.engine.belote import state as st
from bezique_env.rules import get_rules, variants

LAYOUT = (
    "hand 32 known_own 32 known_opp 32 unseen 32 absent_own 32 absent_opp 32 played_own 32 played_opp 32 won_own 32 "
    "won_opp 32 trick_own 12 trick_opp 12 trump 5 turn_up 12 bottom 12 phase 8 to_act 2 dealer 1 leader 1 taker 3 "
    "bids 54 round 1 naming 1 saying 1 compared 1 stage 12 said_value 2 said_four 2 said_length 2 said_top 16 "
    "said_trump 2 outcome 6 declared 2 paid 2 shown 64 exchanged 2 late_exchange 1 pair_said 2 pair_paid 2 tricks 2 "
    "concealed 2 scores 3 totals 2 held 1 redeals 1 deal_number 1 result 2"
)
PRESETS = list(variants()["belote"].presets)
OPTIONS: list[dict[str, Any]] = [
    {"four_of_a_kind": "french", "seq_length_breaks_tie": True, "exchange_window": "until_first_lead"},
    {"four_of_a_kind": "bicycle", "announce_needs_trick": True, "belote_call_deadline": "both_words"},
    {"show_winning_sequences": False, "two_hand_tie": "hold_over", "exchange_window": "until_first_lead"},
]
SIZE = observation_size("belote")
FIELDS = observation_fields("belote")
AT = {field.name: slice(field.start, field.stop) for field in FIELDS}
LOW = np.concatenate([np.full(f.stop - f.start, f.low) for f in FIELDS])
HIGH = np.concatenate([np.full(f.stop - f.start, f.high) for f in FIELDS])

SETTING = {"seat", "episode", "draws", "given"}
"""Set when the game is made; everything else is said as seen from the seat."""
LOG = {"deck"}
"""Which card was dealt when: in the information text and for resampling, not in the row."""
READ_BACK = set(st.view_dtype(get_rules("belote").shape).names) - SETTING - LOG


def choose(game: Game, rng: np.random.Generator) -> int:
    """A random action; exchanges, announcements and the pair mostly happen, and so do long auctions."""
    legal = game.legal_actions()
    rare = [a for a in legal if a > 40 or (a == 33 and game.phase == "bid")]
    return int(rng.choice(rare if rare and rng.random() < 0.7 else legal))


def records(seeds: range, preset: str | None = None, **overrides: Any) -> Iterator[Any]:
    """View records (arrays of one) of both seats along random matches."""
    for seed in seeds:
        rng = np.random.default_rng(seed)
        overrides = {"target": 300, **overrides}
        game = Game("belote", rules=preset, overrides=overrides, seed=seed, episode="match")
        while True:
            yield from (game.view_record(0), game.view_record(1))
            if game.is_over:
                break
            game.apply(choose(game, rng))


def encoded(record: Any) -> Any:
    row = np.full(SIZE, np.nan, np.float32)
    encode_row(record, 0, row)
    return row


# ------------------------------------------------------------------------------------------- reading back


def one_of(values: Any, otherwise: int) -> int:
    """The place of the 1 in numbers of which at most one is 1, ``otherwise`` where none is."""
    assert values.sum() in (0, 1)
    return int(values.argmax()) if values.any() else otherwise


def card(values: Any) -> int:
    """The card of twelve numbers, 255 for none."""
    return one_of(values[8:], 0) * 8 + one_of(values[:8], 255) if values.any() else 255


def cards(values: Any) -> int:
    assert set(np.unique(values)) <= {0, 1}
    return sum(1 << k for k in np.flatnonzero(values).tolist())


def by_seat(own: int, values: Any) -> list[Any]:
    """What stands as (own, opp) in the order of the seats."""
    return list(values) if own == 0 else list(values)[::-1]


def seat_of(own: int, values: Any) -> int:
    """The seat of numbers ``own, opp``, 255 for nobody."""
    which = one_of(values[:2], 255)
    return which if which == 255 else (own if which == 0 else 1 - own)


def decoded(row: Any, own: int) -> dict[str, Any]:
    """Every field of the view that the row was made from, out of the row and the own seat alone."""
    part = {name: row[at] for name, at in AT.items()}

    def number(name: str, unit: float = 1) -> Any:
        exact = part[name].astype(np.float64) * unit
        whole = np.rint(exact).astype(np.int64)
        assert np.allclose(exact, whole, atol=1e-3), name
        return whole.tolist()

    def both(name: str) -> list[int]:
        return by_seat(own, [cards(part[f"{name}_own"]), cards(part[f"{name}_opp"])])

    dealer = own if part["dealer"][0] else 1 - own
    elder = 1 - dealer
    phase = one_of(part["phase"], 255)
    to_act = seat_of(own, part["to_act"])
    bids = part["bids"].reshape(6, 9)
    step = 6 if part["compared"][0] else 0
    if st.PHASE_NAMES[phase] in ("exchange", "announce"):
        step = 4 if step else 0 if st.PHASE_NAMES[phase] == "exchange" else 2
        step += to_act == dealer
    stage = [one_of(stages, 255) for stages in part["stage"].reshape(2, 6)]
    said = [
        value << st.VALUE_SHIFT
        | four << st.FOUR_SHIFT
        | length << st.LENGTH_SHIFT
        | top << st.TOP_SHIFT
        | trump
        for value, four, length, top, trump in zip(
            number("said_value", 200),
            number("said_four"),
            number("said_length", 9),
            [one_of(ranks, 0) for ranks in part["said_top"].reshape(2, 8)],
            number("said_trump"),
            strict=True,
        )
    ]
    outcomes = []
    for result in part["outcome"].reshape(2, 3):
        winner = seat_of(own, result)
        nobody = st.TO_NOBODY if result[2] else st.UNDECIDED
        outcomes.append(nobody if winner == 255 else st.TO_ELDER if winner == elder else st.TO_DEALER)
    scores = number("scores", 100)
    assert scores[2] == scores[0] - scores[1]
    return {
        "scores": by_seat(own, scores[:2]),
        "match_scores": by_seat(own, number("totals", 500)),
        "held": number("held", 100)[0],
        "deal_no": number("deal_number", 16)[0],
        "redeals": number("redeals", 16)[0],
        "known": both("known"),
        "absent": both("absent"),
        "played": both("played"),
        "won": both("won"),
        "hand": cards(part["hand"]),
        "unseen": cards(part["unseen"]),
        "said": said,
        "stage": stage,
        "shown": [cards(part["shown"][:32]), cards(part["shown"][32:])],
        "declared": number("declared", 100),
        "outcome": outcomes,
        "paid": number("paid"),
        "tricks": by_seat(own, number("tricks", 9)),
        "concealed_n": by_seat(own, number("concealed", 9)),
        "pair_said": by_seat(own, number("pair_said", 2)),
        "pair_paid": by_seat(own, number("pair_paid")),
        "trick_card": by_seat(own, [card(part["trick_own"]), card(part["trick_opp"])]),
        "bids": [one_of(bid, 223) + 32 for bid in bids] + [255, 255],
        "bids_n": int(bids.any(axis=1).sum()),
        "round": 1 + number("round")[0],
        "naming": number("naming")[0],
        "saying": number("saying")[0],
        "step": step,
        "late_exchange": number("late_exchange")[0],
        "exchanged": seat_of(own, part["exchanged"]),
        "taker": seat_of(own, part["taker"]),
        "bottom": card(part["bottom"]),
        "turn_up": card(part["turn_up"]),
        "trump": one_of(part["trump"], 255),
        "dealer": dealer,
        "leader": own if part["leader"][0] else 1 - own,
        "to_act": to_act,
        "phase": phase,
        "winner": seat_of(own, part["result"]),
    }


def differences(record: Any, row: Any) -> dict[str, Any]:
    """Fields of a view that are not what is read back from its row."""
    v = record[0]
    found = decoded(row, int(v["seat"]))
    assert set(found) == READ_BACK
    return {name: (v[name], value) for name, value in found.items() if v[name].tolist() != value}


# ------------------------------------------------------------------------------------------------- tests


def test_the_layout_has_not_changed() -> None:
    assert " ".join(f"{f.name} {f.stop - f.start}" for f in FIELDS) == LAYOUT
    assert SIZE == 577
    assert layout_hash("belote") == "58499db1ccaf", "trained Belote policies read this layout"


@pytest.mark.parametrize("preset", PRESETS)
def test_every_field_of_the_view_can_be_read_back_from_the_row(preset: str) -> None:
    """One row, one view: what a seat may know is in the row whole, so views that differ have other rows."""
    seen = Counter[str]()
    for record in records(range(6), preset):
        row = encoded(record)
        assert not np.isnan(row).any(), "a number is not written"
        assert np.all((row >= LOW) & (row <= HIGH))
        assert not differences(record, row)
        v = record[0]
        seen["exchange"] += v["exchanged"] != 255
        seen["shown"] += bool(v["shown"].any())
        seen["to the dealer"] += st.TO_DEALER in v["outcome"]
        seen["pair"] += bool(v["pair_said"].any())
        seen["second deal"] += v["deal_no"] > 0
        seen["round 2"] += v["round"] > 1
    if preset == "swiss":
        assert not seen.pop("exchange")
    assert min(seen.values()) > 0, seen


@pytest.mark.parametrize("overrides", OPTIONS)
def test_options_write_nothing_else(overrides: dict[str, Any]) -> None:
    seen = Counter[str]()
    for record in records(range(6), **overrides):
        row = encoded(record)
        assert np.all((row >= LOW) & (row <= HIGH))
        assert not differences(record, row)
        v = record[0]
        seen["fours"] += v["declared"][1] > 0
        seen["waiting"] += bool(((v["declared"] > 0) & (v["paid"] == 0)).any())
        seen["late"] += int(v["late_exchange"])
        seen["asked again"] += v["step"] in (4, 5)
        seen["two words"] += 2 in v["pair_said"]
        seen["more than the value"] += bool((v["stage"] > st.SAID_VALUE).any())
    wanted = {"until_first_lead": "asked again", "both_words": "two words"}
    for value, name in wanted.items():
        assert value not in overrides.values() or seen[name] > 0, name
    assert "announce_needs_trick" not in overrides or seen["waiting"] > 0
    assert seen["more than the value"] > 0


def any_view(rng: np.random.Generator) -> Any:
    """A view record with any values that the fields can have, also such as no game leads to."""
    v = np.zeros(1, st.view_dtype(get_rules("belote").shape))
    view = v[0]

    def pick(*values: int) -> int:
        return int(rng.choice(values))

    def some_cards() -> int:
        return int(rng.integers(1 << 32)) & int(rng.integers(1 << 32))

    for name in ("known", "absent", "played", "won"):
        view[name] = some_cards(), some_cards()
    view["hand"], view["unseen"] = some_cards(), some_cards()
    view["dealer"], view["leader"], view["seat"] = rng.integers(2, size=3)
    view["scores"], view["match_scores"] = rng.integers(1000, size=2), rng.integers(100_000, size=2)
    view["held"], view["deal_no"], view["redeals"] = rng.integers(500), rng.integers(5000), rng.integers(1000)
    view["tricks"], view["concealed_n"] = rng.integers(10, size=2), rng.integers(10, size=2)
    view["pair_said"], view["pair_paid"] = rng.integers(3, size=2), rng.integers(2, size=2)
    for name in ("naming", "saying"):
        view[name] = rng.integers(2)
    view["round"] = pick(1, 2)
    view["bids"] = 255
    view["bids_n"] = rng.integers(7)
    view["bids"][: view["bids_n"]] = rng.integers(32, 41, size=view["bids_n"])
    for name in ("taker", "to_act", "winner"):
        view[name] = pick(0, 1, 255)
    view["exchanged"] = pick(0, 1, 255)
    view["late_exchange"] = rng.integers(2) if view["exchanged"] != 255 else 0
    view["trump"], view["turn_up"] = rng.integers(5), rng.integers(32)
    view["bottom"] = pick(255, int(rng.integers(32)))
    view["trick_card"] = pick(255, int(rng.integers(32))), pick(255, int(rng.integers(32)))
    view["phase"] = rng.integers(8)
    view["step"] = pick(0, 6)
    if st.PHASE_NAMES[view["phase"]] in ("exchange", "announce"):
        view["to_act"] = pick(0, 1)
        first = pick(0, 4) if st.PHASE_NAMES[view["phase"]] == "exchange" else 2
        view["step"] = first + int(view["to_act"] == view["dealer"])
    for c in range(st.CONTESTS):
        stage = view["stage"][c] = rng.integers(6)
        if stage:
            length = int(rng.integers(10)) if stage >= st.SAID_LENGTH else 0
            top = int(rng.integers(8)) if stage >= st.SAID_TOP else 0
            four, trump = int(rng.integers(2)), int(rng.integers(2)) if stage >= st.SAID_TRUMP else 0
            key = pick(20, 40, 50, 100, 150, 200) << st.VALUE_SHIFT | four << st.FOUR_SHIFT
            view["said"][c] = key | length << st.LENGTH_SHIFT | top << st.TOP_SHIFT | trump
        outcome = view["outcome"][c] = rng.integers(4)
        if outcome in (st.TO_ELDER, st.TO_DEALER):
            view["declared"][c] = 10 * rng.integers(1, 60)
            view["paid"][c], view["shown"][c] = rng.integers(2), some_cards()
    return v


def test_whatever_stands_in_a_view_can_be_read_back() -> None:
    """Views far from those of random games too; so whatever changes in a view changes its row."""
    rng = np.random.default_rng(4)
    for _ in range(1500):
        record = any_view(rng)
        row = encoded(record)
        assert not np.isnan(row).any()
        assert not differences(record, row)


def test_a_change_of_any_field_changes_the_row() -> None:
    """The same without the reader: a view with one field of another gives another row, field by field."""
    rng = np.random.default_rng(5)
    changed = Counter[str]()
    follows = {"bids_n": "bids", "step": "compared", "late_exchange": "exchanged"}
    for record in records(range(1), "bicycle"):
        other = any_view(rng)
        for name in READ_BACK - set(follows):
            twin = record.copy()
            twin[name] = other[name]
            if name == "bids":
                twin["bids_n"] = other["bids_n"]
            if name in ("said", "declared", "paid", "shown"):  # these say something of a contest under way
                twin["stage"], twin["outcome"] = 5, st.TO_ELDER
                first = record.copy()
                first["stage"], first["outcome"] = 5, st.TO_ELDER
            else:
                first = record
            if twin.tobytes() != first.tobytes():
                assert encoded(twin).tobytes() != encoded(first).tobytes(), name
                changed[name] += 1
    assert min(changed[name] for name in READ_BACK - set(follows)) > 20


def test_the_same_deal_from_the_other_seat_exchanges_own_and_opp() -> None:
    game = Game("belote", seed=3, rules="hoyle")
    for action in ("pass", "accept"):
        game.apply(action)
    rows = [encoded(game.view_record(seat)) for seat in (0, 1)]
    for name in ("known", "absent", "played", "won", "trick"):
        assert np.array_equal(rows[0][AT[f"{name}_own"]], rows[1][AT[f"{name}_opp"]])
    for name in ("to_act", "concealed", "pair_said", "tricks", "totals"):
        assert np.array_equal(rows[0][AT[name]], rows[1][AT[name]][::-1])
    for name in ("turn_up", "bottom", "bids", "phase", "trump", "stage"):
        assert np.array_equal(rows[0][AT[name]], rows[1][AT[name]])
    assert rows[0][AT["dealer"]] + rows[1][AT["dealer"]] == 1
    assert rows[0][AT["bids"]].reshape(6, 9).argmax(1)[:2].tolist() == [1, 0], "pass, then accept"
