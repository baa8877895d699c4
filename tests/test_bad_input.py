"""Wrong input is refused with a sentence that says what is wrong, and nothing has changed."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bezique_env.game import Game, IllegalAction
from bezique_env.position import PositionError
from bezique_env.record import RecordError, read_records, write_records
from bezique_env.rules import RulesError, get_rules
from bezique_env.rules.bezique.cards import CARD_TEXTS

DECK = list(CARD_TEXTS) * 2


def finished(seed: int = 1, **options: Any) -> Game:
    rng = np.random.default_rng(seed)
    game = Game(seed=seed, **options)
    while not game.is_over:
        game.apply(int(rng.choice(game.legal_actions())))
    return game


# ----------------------------------------------------------------------------------------------- actions


def test_illegal_action_names_everything() -> None:
    game = Game(deck=DECK, dealer=0)
    before = game.save()
    with pytest.raises(IllegalAction) as error:
        game.apply("play AC")
    refused = error.value
    assert (refused.seat, refused.phase, refused.action) == (1, "lead", "play AC")
    assert refused.legal == [game.action_text(a) for a in game.legal_actions()]
    for part in ("seat 1", "lead", "play AC", refused.reason, refused.legal[0]):
        assert part in str(refused)
    assert game.save() == before


def test_a_card_of_the_other_seat_is_refused() -> None:
    """The seat to act is the non-dealer; the dealer's cards are not his to play."""
    game = Game(deck=DECK, dealer=0)
    only_theirs = set(game.hand(0)) - set(game.hand(1))
    assert only_theirs
    for card in only_theirs:
        reason = game.why_illegal(f"play {card}")
        assert reason is not None and card in reason


def test_wrong_seat_in_a_record_is_named() -> None:
    record = finished().to_record()
    record["deals"][0]["actions"][5][0] = 1 - record["deals"][0]["actions"][5][0]
    with pytest.raises(RecordError, match=r"action 5 .*seat [01] is to act"):
        Game.replay(record)


def test_action_after_the_end() -> None:
    game = finished()
    before = game.save()
    for action in (0, "play AS", 95, "marriage S"):
        with pytest.raises(IllegalAction, match="over"):
            game.apply(action)
    assert game.legal_actions() == []
    assert game.save() == before


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("marriage Spades", "marriage S"),
        ("play SK", "play "),
        ("mariage H", "marriage H"),
        ("four k", "four K"),
        ("exchang", "exchange"),
    ],
)
def test_unknown_action_text_names_the_nearest(text: str, nearest: str) -> None:
    game = Game(seed=1)
    before = game.save()
    for call in (game.apply, game.why_illegal, game.action_id):
        with pytest.raises(ValueError, match=nearest):
            call(text)
    assert game.save() == before


@pytest.mark.parametrize("action", [-1, 96, 1000, True, 1.0, None])
def test_unknown_action_id(action: Any) -> None:
    game = Game(seed=1)
    before = game.save()
    with pytest.raises(ValueError, match=str(action)):
        game.apply(action)
    assert game.save() == before


@pytest.mark.parametrize("seat", [2, -1, "0"])
def test_unknown_seat(seat: Any) -> None:
    game = Game(seed=1)
    for call in (game.view, game.observation, game.legal_mask, game.information_text, game.hand, game.table):
        with pytest.raises(ValueError, match="seat"):
            call(seat)


# -------------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", None, True])
def test_bad_seed(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        Game(seed=seed)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"variant": "two_pak"}, ["two_pak", "two_pack"]),
        ({"rules": "finish"}, ["finish", "finnish"]),
        ({"overrides": {"brisque": "none"}}, ["brisque", "brisques"]),
        ({"overrides": {"brisques": "at_trik"}}, ["brisques", "at_trik", "at_trick", "at_hand_end", "none"]),
        ({"overrides": {"target": 1005}}, ["target", "1005"]),
        ({"overrides": {"target": "1000"}}, ["target"]),
        ({"overrides": {"target": 0}}, ["target"]),
        ({"episode": "deals"}, ["episode", "deals", "deal", "match"]),
        ({"draws": "queue"}, ["draws", "queue", "queues"]),
        ({"dealer": 2}, ["dealer", "2"]),
        ({"rules": "standard", "overrides": {"trump": "first_marriage"}}, ["dix_score"]),
        ({"overrides": {"trump_repeat": "forbidden"}}, ["trump_repeat"]),
        ({"overrides": {"settlement": "portland"}}, ["option 'settlement' has no meaning in two_pack"]),
        ({"variant": "rubicon", "overrides": {"target": 2000}}, ["'target' has no meaning in rubicon"]),
        ({"variant": "rubicon", "overrides": {"reforms": "none"}}, ["reforms", "did you mean 'reform'?"]),
        ({"variant": "rubicon", "rules": "portlnd"}, ["portlnd", "saari, portland, bicycle"]),
        (
            {"variant": "chinese", "overrides": {"settlement": "portland"}},
            ["portland", "saari_example", "sum"],
        ),
        ({"variant": "eight_pack", "overrides": {"cut_bonus": "on"}}, ["'cut_bonus' has no meaning"]),
        ({"variant": "fildinski", "overrides": {"declare": "one"}}, ["'declare' has no meaning"]),
        ({"variant": "rubicon", "overrides": {"brisques": "none"}}, ["tie", "brisques_then_draw"]),
        ({"variant": "belot"}, ["belot", "belote"]),
        ({"variant": "belote", "rules": "hoile"}, ["hoile", "hoyle"]),
        ({"variant": "belote", "overrides": {"selection": "auto"}}, ["selection", "run_values"]),
        ({"variant": "belote", "overrides": {"run_values": "20/60"}}, ["run_values", "20/60", "20/40/50"]),
        ({"variant": "belote", "overrides": {"belote_auto": "yes"}}, ["belote_auto", "true", "false"]),
        ({"variant": "belote", "overrides": {"target": 10}}, ["target", "10"]),
        ({"variant": "belote", "overrides": {"schmeiss": "off"}}, ["schmeiss", "r2_elder_actions"]),
        ({"variant": "belote", "cut": (24, 20)}, ["belote scores no cut"]),
    ],
)
def test_bad_options_are_named_with_what_is_allowed(options: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(ValueError) as error:
        Game(**{"variant": "two_pack", **options})
    for word in words:
        assert word in str(error.value), f"{word!r} is missing in {error.value}"


def test_impossible_combinations_are_rules_errors() -> None:
    for overrides in (
        {"meld_groups": "three", "seq_then_marriage": "fresh_partner"},
        {"trump": "first_marriage", "dix_score": "none"},
        {"trump": "first_marriage_sequence_or_bezique", "dix_score": "none", "dealer_seven": 0},
    ):
        with pytest.raises(RulesError):
            get_rules("two_pack", "standard", overrides)


def test_bad_reward_name() -> None:
    with pytest.raises(ValueError, match="score_difference"):
        finished().returns("score")


# ------------------------------------------------------------------------------------------------- decks


def test_deck_with_missing_cards() -> None:
    with pytest.raises(ValueError, match="AC"):
        Game(deck=DECK[:-1])
    with pytest.raises(ValueError, match="7S"):
        Game(deck=["7S", *DECK[:-1]])


def test_deck_with_too_many_cards() -> None:
    with pytest.raises(ValueError, match="65"):
        Game(deck=[*DECK, "7S"])


def test_deck_with_a_word_that_is_no_card() -> None:
    with pytest.raises(ValueError, match=r"10H"):
        Game(deck=["10H", *DECK[1:]])
    with pytest.raises(ValueError, match=r"SK.*'KS'"):
        Game(deck=["SK", *DECK[1:]])


# --------------------------------------------------------------------------------------------- positions

GOOD: dict[str, Any] = {
    "variant": "two_pack",
    "rules": "standard",
    "phase": "declare",
    "to_act": 0,
    "dealer": 1,
    "turn_up": "8C",
    "hands": [["KH", "QH", "9S"], ["AS", "TS", "9D"]],
    "table": [["JH"], ["KS"]],
    "stock": ["8D", "9H", "7H", "7D", "8H"],
    "rest": 1,
}


def test_the_good_position_is_good() -> None:
    assert Game.from_position(GOOD).seat_to_act == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hands": [["KH", "KH", "KH"], ["KH", "KH", "9D"]]}, ["KH 5 times"]),
        ({"stock": ["8D", "9H", "JH", "JH", "8H"]}, ["JH 3 times"]),
        (
            {
                "hands": ["KH QH 9S 8S 7S TH AH 9C 8S", "AS TS 9D 8D 7D 9D 8H 7H 7H"],
                "table": [[], []],
                "phase": "lead",
                "stock": ["QD", "QC", "QS"],
            },
            ["seat 0", "9 cards"],
        ),
        ({"hands": [["KH", "QH", "9S", "8S"], ["AS", "TS", "9D"]]}, ["5 and 4"]),
        ({"scored": [{"seat": 0, "meld": "marriage H", "cards": ["KH", "QH"]}]}, ["KH", "table of seat 0"]),
        ({"scored": [{"seat": 0, "meld": "four J", "cards": ["JH", "JH"]}]}, ["JH", "table of seat 0"]),
        ({"scored": [{"seat": 0, "meld": "mariage H", "cards": ["JH"]}]}, ["mariage H", "marriage H"]),
        ({"scored": [{"seat": 0, "meld": "pass", "cards": ["JH"]}]}, ["pass"]),
        ({"scored": [{"seat": 2, "meld": "four J", "cards": ["JH"]}]}, ["seat"]),
        ({"scored": [{"meld": "four J", "cards": ["JH"]}]}, ["seat", "meld", "cards"]),
        ({"table": [["JH"], ["KS"], ["QS"]]}, ["table"]),
        ({"table": {"2": ["JH"]}}, ["table", "2"]),
        ({"hands": [["10H", "QH", "9S"], ["AS", "TS", "9D"]]}, ["hands of seat 0", "10H"]),
        ({"hands": [["HK", "QH", "9S"], ["AS", "TS", "9D"]]}, ["HK", "KH"]),
        ({"to_act": 2}, ["to_act", "2"]),
        ({"dealer": "north"}, ["dealer", "north"]),
        ({"phase": "leed"}, ["phase", "leed", "lead"]),
        ({"phase": "follow"}, ["trick"]),
        ({"trick": [[1, "9C"]], "hands": [["KH", "QH", "9S"], ["AS", "TS"]]}, ["trick", "declare"]),
        ({"stock": ["8D", "9H", "7H", "7D"]}, ["stock", "even"]),
        ({"stock": []}, ["stock"]),
        ({"turn_up": None, "trump": "C", "stock": ["8D", "9H"]}, ["turn_up"]),
        ({"turn_up": None}, ["trump"]),
        ({"trump": "H"}, ["trump", "8C"]),
        ({"trump": "X"}, ["trump", "X"]),
        ({"known": [["AS"], []]}, ["known", "AS"]),
        ({"hand": [[], []]}, ["hand", "hands"]),
        ({"variant": "rubicoon"}, ["rubicoon"]),
        ({"rules": "finish"}, ["finish", "finnish"]),
        ({"rules": {"preset": "standard", "overrides": {"target": "x"}}}, ["target"]),
        ({"rules": "no_ready_trump"}, ["turn_up"]),
        ({"phase": "endgame"}, ["stock"]),
        ({"scores": [10]}, ["scores"]),
        ({"scores": ["a", "b"]}, ["scores"]),
        ({"seed": -1}, ["seed"]),
        ({"rest": 2}, ["rest"]),
        ({"draws": "queu"}, ["draws", "queues"]),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused(change: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(PositionError) as error:
        Game.from_position({**GOOD, **change})
    for word in words:
        assert word in str(error.value), f"{word!r} is missing in: {error.value}"


@pytest.mark.parametrize(("variant", "dealt"), [("rubicon", 18), ("chinese", 24), ("eight_pack", 30)])
def test_a_position_with_fewer_cards_than_were_dealt_is_refused(variant: str, dealt: int) -> None:
    position = {"variant": variant, "phase": "lead", "to_act": 0, "hands": ["7S 8S", "7H 8H"]}
    with pytest.raises(PositionError, match=f"only 4 cards are held, won or in the trick, but {dealt} were"):
        Game.from_position(position)


@pytest.mark.parametrize("key", ["hands", "to_act"])
def test_position_lacks_a_key(key: str) -> None:
    with pytest.raises(PositionError, match=key):
        Game.from_position({k: v for k, v in GOOD.items() if k != key})


def test_position_files(tmp_path: Path) -> None:
    with pytest.raises(PositionError, match=r"nowhere\.yaml"):
        Game.from_position(tmp_path / "nowhere.yaml")
    bad = tmp_path / "bad.yaml"
    bad.write_text("hands: [[KH, QH\n")
    with pytest.raises(PositionError, match=r"bad\.yaml"):
        Game.from_position(bad)
    bad.write_text("- KH\n- QH\n")
    with pytest.raises(PositionError, match="mapping"):
        Game.from_position(bad)


# ----------------------------------------------------------------------------------------------- records


def test_truncated_text_of_a_record() -> None:
    line = json.dumps(finished().to_record())
    for cut in (0, 1, 100, len(line) // 2, len(line) - 1):
        with pytest.raises(RecordError):
            Game.replay(line[:cut])


def test_record_that_lost_its_last_actions() -> None:
    record = finished().to_record()
    record["deals"][0]["actions"] = record["deals"][0]["actions"][:-3]
    with pytest.raises(RecordError):
        Game.replay(record)


def test_record_with_an_action_too_many() -> None:
    record = finished().to_record()
    count = len(record["deals"][0]["actions"])
    record["deals"][0]["actions"].append([0, "play AS"])
    with pytest.raises(RecordError, match=rf"action {count} .*over"):
        Game.replay(record)


def test_record_with_an_illegal_action_names_the_first() -> None:
    record = finished().to_record()
    deal = record["deals"][0]
    for place in (10, 20):
        deal["actions"][place][1] = (
            "marriage S" if deal["actions"][place][1].startswith("play") else "play 7S table"
        )
    with pytest.raises(RecordError, match="action 10 "):
        Game.replay(record)


def test_record_with_an_unknown_action_text() -> None:
    record = finished().to_record()
    record["deals"][0]["actions"][4][1] = "plaay KS"
    with pytest.raises(RecordError, match=r"action 4 .*plaay"):
        Game.replay(record)


def test_record_with_a_changed_event_names_its_action() -> None:
    record = finished(rules="standard").to_record()
    events = record["deals"][0]["events"]
    changed = next(k for k, e in enumerate(events) if e[0] >= 0)
    events[changed][3] += 10
    with pytest.raises(RecordError, match=f"action {events[changed][0]} "):
        Game.replay(record)


def test_record_without_one_event_names_its_action() -> None:
    record = finished().to_record()
    events = record["deals"][0]["events"]
    gone = events.pop(next(k for k, e in enumerate(events) if e[0] >= 0))
    with pytest.raises(RecordError, match=f"action {gone[0]} "):
        Game.replay(record)


def test_record_with_an_invented_event() -> None:
    """An event that belongs to no action, or comes from nowhere, is not overlooked."""
    record = finished().to_record()
    record["deals"][0]["events"].append([10_000, 0, "marriage S", 20])
    with pytest.raises(RecordError):
        Game.replay(record)


def test_record_with_changed_scores() -> None:
    record = finished().to_record()
    record["deals"][0]["scores"][0] += 10
    with pytest.raises(RecordError, match="scores"):
        Game.replay(record)


def test_record_with_changed_returns() -> None:
    record = finished().to_record()
    record["returns"] = [record["returns"][0] + 10, record["returns"][1] - 10]
    with pytest.raises(RecordError, match="returns"):
        Game.replay(record)


def test_record_with_two_cards_swapped() -> None:
    """The deck no longer explains the actions: the first that differs is named."""
    record = finished().to_record()
    deck = record["deals"][0]["deck"]
    actions = record["deals"][0]["actions"]
    card = actions[0][1].split()[1]
    last = [p for p in range(63, 16, -1) if deck[p] != card]
    for place in [p for p, c in enumerate(deck) if c == card and p < 16]:
        other = last.pop(0)
        deck[place], deck[other] = deck[other], deck[place]
    with pytest.raises(RecordError, match=r"action 0 "):
        Game.replay(record)


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        (["format"], "bezique-record/2", "bezique-record/2"),
        (["engine_version"], 10_000, "10000"),
        (["rules_hash"], "0" * 16, "rules"),
        (["rules"], {"preset": "dutch", "overrides": {}}, "rules"),
        (["deals"], [], "deal"),
        (["variant"], 5, "variant"),
        (["deals", 0, "dealer"], None, "dealer"),
        (["deals", 0, "deck"], DECK[:-1], "deck"),
        (["deals", 0, "actions", 3], "play KS", "action 3"),
        (["deals", 0, "draws"], "queu", "queu"),
        (["episode"], "deals", "episode"),
    ],
)
def test_damaged_records(path: list[Any], value: Any, word: str) -> None:
    record = finished().to_record()
    place: Any = record
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(ValueError, match=word):
        Game.replay(record)


@pytest.mark.parametrize("key", ["format", "engine_version", "variant", "rules", "seed", "deals"])
def test_records_that_lack_a_key(key: str) -> None:
    record = finished().to_record()
    del record[key]
    with pytest.raises(RecordError, match=key):
        Game.replay(record)


def test_record_file_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record = finished().to_record()
    write_records(path, [record, record])
    with path.open("a") as file:
        file.write('{"format": "bezique-rec')
    with pytest.raises(RecordError, match=r"games\.jsonl:3"):
        list(read_records(path))


# -------------------------------------------------------------------------------------------- saved games


def saved(**changes: Any) -> bytes:
    body = json.loads(Game(seed=4).save())
    body.update(changes)
    return json.dumps(body).encode()


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "saved game"),
        (b"nonsense", "saved game"),
        (b"[1, 2]", "saved game"),
        (b"\xff\xfe\x00", "saved game"),
        (saved(engine_version=10_000), "engine version 10000"),
        (saved(rules_hash="0" * 16), "rules"),
        (saved(rules={"preset": "dutch", "overrides": {}}), "rules"),
        (saved(state="AAAA"), "state"),
        (saved(state="!"), "damaged|state"),
        (saved(format="bezique-save/9"), "bezique-save"),
        (saved(actions=None), "damaged"),
    ],
)
def test_saved_games_that_cannot_be_believed(data: bytes, word: str) -> None:
    with pytest.raises(RecordError, match=word):
        Game.load(data)


def test_truncated_saved_game() -> None:
    data = Game(seed=4).save()
    with pytest.raises(RecordError):
        Game.load(data[: len(data) // 2])


@pytest.mark.parametrize("variant", ["rubicon", "chinese", "eight_pack", "fildinski", "belote"])
def test_records_and_saved_games_of_the_other_games(variant: str) -> None:
    """What is damaged is refused by name in every game."""
    game = finished(variant=variant)
    record = game.to_record()
    (deal,) = record["deals"]
    changed = {**deal, "events": [[*e[:3], e[3] + 10] for e in deal["events"]]}
    first = next(e for e in deal["events"] if e[0] >= 0)
    for damaged, word in (
        ({**record, "variant": "two_pack"}, "preset|hash"),
        (
            {**record, "rules": {"preset": record["rules"]["preset"], "overrides": {"target": 700}}},
            "target|hash",
        ),
        ({**record, "rules_hash": "0" * 12}, "hash"),
        ({**record, "deals": [{**deal, "deck": deal["deck"][:-1]}]}, "deck of"),
        ({**record, "deals": [{**deal, "deck": DECK}]}, "deck of|action|events"),
        ({**record, "deals": [{**deal, "actions": deal["actions"][:-1]}]}, "belongs to no action|scores"),
        ({**record, "deals": [changed]}, f"action {first[0]}" if first == deal["events"][0] else "events"),
        ({**record, "deals": [{**deal, "cut": [24, 20]}]}, "cut"),
        ({**record, "deals": [deal, deal]}, "deal 0: its actions end"),
    ):
        with pytest.raises(ValueError, match=word):
            Game.replay(json.loads(json.dumps(damaged)))
    body = json.loads(game.save())
    for change, word in (
        ({"variant": "two_pack"}, "damaged|hash|rules"),
        ({"state": json.loads(Game(seed=1).save())["state"]}, "bytes"),
        ({"rules_hash": "0" * 12}, "rules"),
    ):
        with pytest.raises(RecordError, match=word):
            Game.load(json.dumps({**body, **change}).encode())


def test_actions_of_another_family_are_unknown() -> None:
    """The table of actions is the family's own."""
    game = Game("belote", seed=1)
    before = game.save()
    for action in (44, 95, "bezique 1", "play 7S table", "declare"):
        with pytest.raises(ValueError, match=str(action)):
            game.apply(action)
    with pytest.raises(IllegalAction, match="the auction is not over") as error:
        game.apply("play 7S")
    assert error.value.legal == ["accept", "pass", "propose"]
    assert game.save() == before
    with pytest.raises(ValueError, match="exchange"):
        Game(seed=1).apply("exchang")


def test_decks_of_another_family() -> None:
    with pytest.raises(ValueError, match="deck of 64 cards must hold every card once, but has 7S 2 times"):
        Game("belote", deck=DECK)
    with pytest.raises(ValueError, match="deck of 32 cards must hold every card 2 times, but has 7S 1 times"):
        Game("two_pack", deck=list(CARD_TEXTS))


@pytest.mark.parametrize("packs", [2, 3, 5])
def test_decks_of_the_wrong_size(packs: int) -> None:
    with pytest.raises(ValueError, match=rf"deck of {32 * packs} cards must hold every card 4 times"):
        Game("rubicon", deck=list(CARD_TEXTS) * packs)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"cut": (24, 20)}, "no cut bonus"),
        ({"cut": (15, 20), "overrides": {"cut_bonus": "on"}}, "16..32"),
        ({"cut": (24,), "overrides": {"cut_bonus": "on"}}, "two numbers"),
        ({"cut": ("a", 20), "overrides": {"cut_bonus": "on"}}, "two numbers"),
    ],
)
def test_bad_cuts(arguments: dict[str, Any], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        Game("chinese", **arguments)


def test_refusals_leave_their_arguments_alone() -> None:
    record = finished().to_record()
    record["deals"][0]["scores"][0] += 10
    before = copy.deepcopy(record)
    with pytest.raises(RecordError):
        Game.replay(record)
    assert record == before
    position = copy.deepcopy({**GOOD, "to_act": 2})
    with pytest.raises(PositionError):
        Game.from_position(position)
    assert position == {**GOOD, "to_act": 2}
