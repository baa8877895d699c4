"""Records and positions: what is written can be read, and the two ways of drawing are what DESIGN says."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from bezique_env.engine.bezique.state import CARD_BITS, OWNER_SHIFT
from bezique_env.game import Game
from bezique_env.record import RecordError, read_records, write_records
from bezique_env.rules import get_rules, variants
from bezique_env.rules.bezique.cards import CARD_TEXTS
from bezique_env.rules.families import family_of
from tests.worlds import eager, face_down, rich_deck

PACK = list(CARD_TEXTS)
SEQUENTIAL = PACK * 2
PRESETS = list(variants()["two_pack"].presets)


def finish(game: Game, seed: int = 0) -> Game:
    """Play a game to its end, with most of what can be declared."""
    rng = np.random.default_rng(seed)
    while not game.is_over:
        game.apply(int(rng.choice(eager(game) if rng.random() < 0.7 else game.legal_actions())))
    return game


# ----------------------------------------------------------------------------------------------- records


@pytest.mark.parametrize("draws", ["shared", "queues"])
@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize("preset", PRESETS)
def test_record_round_trip(preset: str, episode: str, draws: str) -> None:
    game = finish(Game(rules=preset, episode=episode, draws=draws, seed=12))
    record = game.to_record()
    text = json.dumps(record)
    again = Game.replay(text)
    assert json.dumps(again.to_record()) == text
    assert again.is_over
    assert again.scores == game.scores
    assert again.match_scores == game.match_scores
    assert again.returns("settlement") == game.returns("settlement")


def test_record_has_the_form_of_the_design() -> None:
    game = finish(Game(rules="dutch", overrides={"target": 1500}, seed=7, dealer=1))
    record = game.to_record()
    assert record["format"] == "bezique-record/1"
    assert isinstance(record["engine_version"], int)
    assert record["variant"] == "two_pack"
    assert record["rules"] == {"preset": "dutch", "overrides": {"target": 1500}}
    assert record["rules_hash"] == get_rules("two_pack", "dutch", {"target": 1500}).hash
    assert record["seed"] == 7
    (deal,) = record["deals"]
    assert deal["dealer"] == 1
    assert sorted(deal["deck"]) == sorted(SEQUENTIAL)
    assert deal["draws"] == "shared"
    assert deal["actions"][0][0] == 0, "the non-dealer leads"
    assert all(text in game_texts() for _, text in deal["actions"])
    assert deal["scores"] == list(game.scores)
    assert record["returns"] == list(game.returns())
    for seat in (0, 1):
        assert sum(points for _, s, _, points in deal["events"] if s == seat) == game.scores[seat]
    indices = [index for index, *_ in deal["events"]]
    assert indices == sorted(indices)
    assert max(indices) < len(deal["actions"])


def game_texts() -> set[str]:
    from bezique_env.engine.bezique.actions import ACTION_TEXTS

    return set(ACTION_TEXTS)


def test_record_of_an_explicit_selection() -> None:
    game = finish(Game(overrides={"selection": "explicit"}, seed=5), seed=2)
    texts = [text for _, text in game.to_record()["deals"][0]["actions"]]
    assert any(text.startswith("use ") for text in texts)
    assert Game.replay(game.to_record()).save() == game.save()


def test_record_of_a_game_under_way() -> None:
    game = Game(seed=3)
    for _ in range(20):
        game.apply(game.legal_actions()[0])
    record = game.to_record()
    assert record["returns"] is None
    again = Game.replay(record)
    assert again.seat_to_act == game.seat_to_act
    assert again.legal_actions() == game.legal_actions()
    assert finish(again, 1).scores == finish(game, 1).scores


def test_record_of_a_match_lists_every_deal() -> None:
    game = finish(Game(seed=8, episode="match", overrides={"target": 2000}))
    record = game.to_record()
    assert len(record["deals"]) == len(game.deals) + 1 > 1
    for k, deal in enumerate(record["deals"]):
        assert deal["dealer"] == (record["deals"][0]["dealer"] + k) % 2
        assert deal["scores"] == [sum(e[3] for e in deal["events"] if e[1] == s) for s in (0, 1)]
    assert [sum(d["scores"][s] for d in record["deals"]) for s in (0, 1)] == list(game.match_scores)
    decks = {tuple(deal["deck"]) for deal in record["deals"]}
    assert len(decks) == len(record["deals"])


def test_record_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    games = [finish(Game(seed=seed)) for seed in range(3)]
    write_records(path, [g.to_record() for g in games[:2]])
    write_records(path, [games[2].to_record()], append=True)
    assert len(path.read_text().splitlines()) == 3, "one JSON object a line"
    assert [Game.replay(r).scores for r in read_records(path)] == [g.scores for g in games]


def test_a_given_deck_stands_in_the_record() -> None:
    game = finish(Game(deck=SEQUENTIAL, dealer=0, seed=99))
    assert game.to_record()["deals"][0]["deck"] == SEQUENTIAL
    assert Game.replay(game.to_record()).scores == game.scores


# ------------------------------------------------------------------------------------------- every other game

OTHERS = [
    (name, preset) for name, info in variants().items() for preset in info.presets if name != "two_pack"
]


@pytest.mark.parametrize("draws", ["shared", "queues"])
@pytest.mark.parametrize(("variant", "preset"), OTHERS)
def test_record_round_trip_of_the_other_games(variant: str, preset: str, draws: str) -> None:
    bezique = family_of(variant).name == "bezique"
    small = len(get_rules(variant, preset).pack) < 32
    for episode, selection, seed in (("deal", "auto", 3), ("match", "explicit", 4)):
        overrides = {"selection": selection} if bezique else {}
        deck = (
            rich_deck(get_rules(variant, preset), seed, "low" if seed % 2 else "royal")
            if bezique and not small
            else None
        )
        game = finish(
            Game(
                variant, rules=preset, overrides=overrides, episode=episode, draws=draws, seed=seed, deck=deck
            )
        )
        text = json.dumps(game.to_record())
        again = Game.replay(text)
        assert json.dumps(again.to_record()) == text
        assert again.save() == game.save()
        assert again.is_over
        assert game.to_record()["settlement"] == {"pays": list(again.returns("settlement"))}
        if episode == "match" and not bezique:
            assert len(game.deals) > 1


@pytest.mark.parametrize(("variant", "preset"), OTHERS)
def test_saved_and_pickled_games_go_on_alike(variant: str, preset: str) -> None:
    game = Game(variant, rules=preset, seed=6, episode="match")
    for _ in range(40 if len(game.rules.pack) >= 32 else 7):
        game.apply(game.legal_actions()[0])
    copies = [Game.load(game.save()), pickle.loads(pickle.dumps(game)), Game.replay(game.to_record())]
    finish(game, 1)
    for copy in copies:
        assert finish(copy, 1).to_record() == game.to_record()


@pytest.mark.parametrize("seed", range(3))
def test_record_keeps_hands_that_were_dealt_again(seed: int) -> None:
    """An annulled hand is an entry of its own: its deck, its auction, no points, and the next hand follows."""
    game = Game("belote", seed=seed, dealer=1, episode="match")
    for text in ("propose", "agree", "pass", "pass", "pass", "pass"):
        game.apply(text)
    first, second = game.deals
    assert [text for _, text in first["actions"]] == ["propose", "agree"]
    assert [text for _, text in second["actions"]] == ["pass"] * 4
    assert first["scores"] == second["scores"] == [0, 0]
    assert (first["dealer"], second["dealer"], game.dealer) == (1, 1, 0), (
        "an agreed proposal keeps the dealer"
    )
    assert first["deck"] != second["deck"]
    assert "given" not in first
    assert Game.replay(json.dumps(game.to_record())).save() == game.save()
    finish(game)
    record = game.to_record()
    assert Game.replay(record).save() == game.save()
    record["deals"][1]["dealer"] = 0
    with pytest.raises(RecordError, match="deal 1: dealer"):
        Game.replay(record)


def test_record_of_a_given_deck_that_is_not_dealt_again() -> None:
    """A deal on a given deck ends when it is annulled, also when it is replayed."""
    deck = list(family_of("belote").cards.texts)
    game = Game("belote", deck=deck, dealer=0, seed=1)
    game.apply("propose")
    game.apply("agree")
    assert (game.is_over, game.scores, game.returns()) == (True, (0, 0), (0, 0))
    (deal,) = game.to_record()["deals"]
    assert deal["given"] is True
    assert deal["deck"] == deck
    assert Game.replay(json.dumps(game.to_record())).save() == game.save()
    del deal["given"]
    with pytest.raises(RecordError):
        Game.replay({**game.to_record(), "deals": [deal]})


def test_record_keeps_carte_blanche() -> None:
    """Shown before the first lead: an action, an event, and the game plays again."""
    for variant, points in (("rubicon", 50), ("chinese", 250)):
        game = Game(variant, deck=rich_deck(get_rules(variant), 1, "low"), dealer=0, seed=1)
        game.apply("carte blanche")
        game.apply("pass")
        finish(game)
        (deal,) = game.to_record()["deals"]
        assert deal["actions"][:2] == [[1, "carte blanche"], [0, "pass"]]
        assert deal["events"][0] == [0, 1, "carte blanche", points]
        assert Game.replay(game.to_record()).save() == game.save()
        deal["actions"][0][1] = "pass"
        with pytest.raises(RecordError, match="action 0"):
            Game.replay({**game.to_record(), "deals": [deal]})


def test_record_keeps_the_cut() -> None:
    """The number lifted and the number guessed stand in the record, whether given or drawn from the seed."""
    given = finish(Game("chinese", overrides={"cut_bonus": "on"}, dealer=1, seed=2, cut=(24, 24)))
    record = given.to_record()
    (deal,) = record["deals"]
    assert deal["cut"] == [24, 24]
    assert deal["events"][:2] == [[-1, 1, "cut", 250], [-1, 0, "cut guess", 150]]
    drawn = finish(Game("chinese", overrides={"cut_bonus": "on"}, seed=2))
    lifted, guess = drawn.to_record()["deals"][0]["cut"]
    assert 16 <= lifted <= 32 and 16 <= guess <= 32
    for game in (given, drawn):
        assert Game.replay(json.dumps(game.to_record())).to_record() == game.to_record()
    assert "cut" not in Game("chinese", seed=2).to_record()["deals"][0]
    for cut, word in (([24, 20], "events"), ([24, 33], "cut"), ([24], "cut"), (None, "cut")):
        with pytest.raises(RecordError, match=word):
            Game.replay({**record, "deals": [{**deal, "cut": cut}]})
    plain = finish(Game("chinese", seed=2)).to_record()
    with pytest.raises(RecordError, match="cut"):
        Game.replay({**plain, "deals": [{**plain["deals"][0], "cut": [24, 20]}]})


def test_cuts_are_spread_over_their_range() -> None:
    cuts = [Game("chinese", overrides={"cut_bonus": "on"}, seed=seed).view(0).cut for seed in range(600)]
    for place in (0, 1):
        numbers = np.bincount([cut[place] for cut in cuts if cut], minlength=33)[16:]
        assert len(numbers) == 17 and numbers.min() > 12, "35 of each are expected, standard deviation 6"


# --------------------------------------------------------------------- draws on a sequential deck, by hand


def play_tricks(game: Game, winner: Callable[[int], int]) -> list[tuple[int, list[tuple[int, str]], int]]:
    """Play all stock tricks; ``winner(k)`` says who shall win trick k if the cards allow it.

    Returns (winner, cards drawn as (seat, card), trick number) of every trick; nothing is declared.
    """
    drawn = []
    for trick in range(24):
        wanted = winner(trick)
        leader = game.seat_to_act
        before = [game.hand(0), game.hand(1)]
        legal = [game.action_text(a) for a in game.legal_actions()]
        order = sorted(legal, key=lambda t: PACK.index(t.split()[1]) % 8)
        lead = order[-1] if leader == wanted else order[0]
        game.apply(lead)
        replies = [game.action_text(a) for a in game.legal_actions()]
        trial = None
        for reply in replies:
            twin = game.clone()
            twin.apply(reply)
            if twin.phase == "declare":
                twin.apply("pass")
            if twin.seat_to_act == wanted:
                trial = reply
                break
        reply = trial or replies[0]
        played = {leader: lead.split()[1], 1 - leader: reply.split()[1]}
        game.apply(reply)
        if game.phase == "declare":
            game.apply("pass")
        won_by = game.seat_to_act
        new = []
        for seat in (0, 1):
            before[seat].remove(played[seat])
            hand = game.hand(seat)
            for card in before[seat]:
                hand.remove(card)
            (card,) = hand
            new.append((seat, card))
        drawn.append((won_by, new, trick))
    return drawn


NO_DECLARING: dict[str, Any] = {"dix_exchange": "free"}


@pytest.mark.parametrize("winner", [lambda k: 0, lambda k: 1, lambda k: k % 2, lambda k: (k // 3) % 2])
@pytest.mark.parametrize("dealer", [0, 1])
def test_shared_draws_by_hand(dealer: int, winner: Callable[[int], int]) -> None:
    """D20: the winner takes the next stock card, the other the one after; last the face-down card and the turn-up."""
    game = Game(deck=SEQUENTIAL, dealer=dealer)
    stock = SEQUENTIAL[17:]
    for won_by, new, trick in play_tricks(game, winner):
        expected = {won_by: stock[2 * trick]}
        expected[1 - won_by] = stock[2 * trick + 1] if trick < 23 else SEQUENTIAL[16]
        assert dict(new) == expected, f"trick {trick}"
    assert game.phase == "endgame_lead"


@pytest.mark.parametrize("winner", [lambda k: 0, lambda k: 1, lambda k: k % 2, lambda k: (k // 3) % 2])
@pytest.mark.parametrize("dealer", [0, 1])
def test_queue_draws_by_hand(dealer: int, winner: Callable[[int], int]) -> None:
    """The non-dealer's queue is the stock cards 1, 3, 5, ..., the dealer's 2, 4, ..., whoever wins; the last round
    goes as in the shared stock."""
    game = Game(deck=SEQUENTIAL, dealer=dealer, draws="queues")
    stock = SEQUENTIAL[17:]
    for won_by, new, trick in play_tricks(game, winner):
        if trick < 23:
            expected = {1 - dealer: stock[2 * trick], dealer: stock[2 * trick + 1]}
        else:
            expected = {won_by: stock[46], 1 - won_by: SEQUENTIAL[16]}
        assert dict(new) == expected, f"trick {trick}"
    assert game.phase == "endgame_lead"


@pytest.mark.parametrize("draws", ["shared", "queues"])
def test_draws_without_a_turn_up(draws: str) -> None:
    """The last round is as any other."""
    game = Game(rules="no_ready_trump", deck=SEQUENTIAL, dealer=0, draws=draws)
    stock = SEQUENTIAL[16:]
    for won_by, new, trick in play_tricks(game, lambda k: k % 2):
        first = won_by if draws == "shared" else 1
        assert dict(new) == {first: stock[2 * trick], 1 - first: stock[2 * trick + 1]}, f"trick {trick}"


def test_both_winners_occurred_in_the_tests_above() -> None:
    winners = [w for w, _, _ in play_tricks(Game(deck=SEQUENTIAL, dealer=0), lambda k: k % 2)]
    assert 6 <= sum(winners) <= 18


def test_queues_keep_two_games_on_one_deck_aligned() -> None:
    """Whatever is played, a seat's draws are the same cards (the last round apart)."""

    def draws_of(seed: int) -> list[str]:
        rng = np.random.default_rng(seed)
        game = Game(deck=list(np.random.default_rng(1).permutation(SEQUENTIAL)), dealer=0, draws="queues")
        while not game.phase.startswith("endgame"):
            game.apply(int(rng.choice(game.legal_actions())))
        deck = game._games[0]["deck"][:63]
        return [PACK[int(byte) & CARD_BITS] for byte in deck if byte >> OWNER_SHIFT == 1]

    assert draws_of(1) == draws_of(2) == draws_of(3)


# --------------------------------------------------------------------------------------------- positions

POSITION: dict[str, Any] = {
    "variant": "two_pack",
    "rules": {"preset": "saari", "overrides": {"target": 1500}},
    "phase": "declare",
    "to_act": 1,
    "dealer": 1,
    "trump": "C",
    "turn_up": "8C",
    "hands": [["AS", "TS", "9D"], ["KH", "9S", "7C"]],
    "table": [["KS"], ["QH"]],
    "known": [["AS"], []],
    "scored": [{"seat": 1, "meld": "four Q", "cards": ["QH"]}],
    "stock": ["8D", "9H", "7H"],
    "won": [["AH", "TH"], []],
    "rest": 1,
    "scores": [120, 60],
    "match_scores": [500, 300],
    "episode": "match",
    "draws": "shared",
    "seed": 3,
}


def check_position(game: Game) -> None:
    assert (game.phase, game.seat_to_act, game.dealer) == ("declare", 1, 1)
    assert (game.trump, game.turn_up) == ("C", "8C")
    assert sorted(game.hand(0)) == ["9D", "AS", "TS"]
    assert sorted(game.hand(1)) == ["7C", "9S", "KH"]
    assert game.table(0) == ["KS"]
    view = game.view(0)
    assert view.tables[1] == [("QH", ["four"])]
    assert view.known == [["AS"], []]
    assert view.stock_left == 4
    assert {"AH", "TH"} == set(view.won[0])
    assert len(view.won[1]) == 64 - 3 - 3 - 1 - 1 - 4 - 2
    assert game.scores == (120, 60)
    assert game.match_scores == (620, 360)
    assert game.rules.target == 1500
    assert game.rules.preset == "saari"


def test_position_from_mapping_yaml_and_json(tmp_path: Path) -> None:
    check_position(Game.from_position(POSITION))
    (tmp_path / "p.yaml").write_text(yaml.safe_dump(POSITION, sort_keys=False))
    (tmp_path / "p.json").write_text(json.dumps(POSITION))
    for name in ("p.yaml", "p.json"):
        check_position(Game.from_position(tmp_path / name))
        check_position(Game.from_position(str(tmp_path / name)))
    assert Game.from_position(tmp_path / "p.yaml").save() == Game.from_position(POSITION).save()


def test_position_cards_as_texts_and_seats_as_keys() -> None:
    other = {**POSITION, "hands": {"0": "AS TS 9D", "1": "KH 9S 7C"}, "stock": "8D 9H 7H"}
    check_position(Game.from_position(other))


def test_position_record_round_trip() -> None:
    """A game from a position has the position in its record and replays to the same end."""
    game = Game.from_position({**POSITION, "episode": "deal"})
    assert Game.replay(game.to_record()).save() == game.save()
    game.apply("marriage H")
    middle = Game.replay(json.dumps(game.to_record()))
    assert middle.save() == game.save()
    finish(game)
    again = Game.replay(json.dumps(game.to_record()))
    assert again.scores == game.scores
    assert again.to_record() == game.to_record()
    assert game.to_record()["deals"][0]["position"]["stock"] == POSITION["stock"]


def test_position_of_a_match_replays_into_the_next_deal() -> None:
    game = Game.from_position(POSITION)
    while not game.deals:
        game.apply(game.legal_actions()[0])
    for _ in range(10):
        game.apply(game.legal_actions()[0])
    again = Game.replay(json.dumps(game.to_record()))
    assert again.match_scores == game.match_scores
    assert again.hand(0) == game.hand(0)


def test_position_unnamed_cards_are_shuffled_from_the_seed() -> None:
    def stock(seed: int) -> list[str]:
        position = {k: v for k, v in POSITION.items() if k != "rest"}
        position |= {"won": [PACK[8:24][:13], []], "stock": ["8D"], "seed": seed}
        position["won"] = [[c for c in PACK if c not in ("8D", "8C")][:16], []]
        return list(face_down(Game.from_position(position)))

    first = stock(1)
    assert first[0] == "8D", "what is named comes first"
    assert first == stock(1)
    assert first != stock(2)
    assert sorted(first) == sorted(stock(2))


@pytest.mark.parametrize("phase", ["lead", "follow", "endgame"])
def test_position_phases(phase: str) -> None:
    base = {k: v for k, v in POSITION.items() if k not in ("scored", "known")}
    base |= {
        "phase": phase,
        "table": [[], []],
        "hands": [["AS", "TS", "9D"], ["KH", "9S", "7C"]],
        "to_act": 0,
    }
    if phase == "follow":
        base |= {"hands": [["AS", "TS", "9D"], ["KH", "9S"]], "trick": [[1, "7C"]]}
    if phase == "endgame":
        del base["stock"], base["turn_up"]
    game = Game.from_position(base)
    assert game.seat_to_act == 0
    assert game.phase == {"lead": "lead", "follow": "follow", "endgame": "endgame_lead"}[phase]
    assert finish(game).is_over or game.episode == "match"


POSITIONS: list[dict[str, Any]] = [
    {
        "variant": "rubicon",
        "rules": "portland",
        "phase": "declare",
        "to_act": 1,
        "dealer": 1,
        "trump": "S",
        "hands": ["AS AS TS 9D 8D", "KH 9S"],
        "table": ["KS", "QH QS KH KS"],
        "known": ["AS", ""],
        "scored": [
            {"seat": 1, "meld": "four Q", "cards": ["QH"]},
            {"seat": 1, "meld": "marriage S", "cards": ["KS", "QS"]},
        ],
        "stock": ["8D", "9H", "7H", "8S"],
        "won": ["AH TH", ""],
        "rest": 1,
        "scores": [120, 60],
        "seed": 3,
    },
    {
        "variant": "chinese",
        "rules": {"preset": "trump_queen", "overrides": {"cut_bonus": "on"}},
        "phase": "carte_blanche",
        "to_act": 0,
        "dealer": 1,
        "hands": ["7S 8S 9S TS 9C", "KH KH KH AS AS"],
        "carte": [1, 0],
        "cut": [24, 17],
        "known": ["7S 8S 9S TS", ""],
        "stock": ["8D", "9H", "7H", "8S"],
        "rest": 0,
        "seed": 4,
    },
    {
        "variant": "eight_pack",
        "phase": "follow",
        "to_act": 0,
        "trump": "C",
        "hands": ["KC KC KC KC KC QC", "AC TC JC"],
        "table": ["", "QS JD"],
        "scored": [{"seat": 1, "meld": "bezique 1", "cards": ["QS", "JD"]}],
        "trick": [[1, "9C"]],
        "stock": ["8D", "9H", "7H", "8S"],
        "rest": 0,
        "seed": 5,
    },
    {
        "variant": "fildinski",
        "rules": "by_class",
        "phase": "declare",
        "to_act": 1,
        "turn_up": "8C",
        "hands": ["AS TS 9D", "KH 9S 7C"],
        "table": ["KS", "QH KD QD"],
        "latest": ["QD", "7C"],
        "won": ["", "7C 8S"],
        "scored": [{"seat": 1, "meld": "four Q", "cards": ["QH"]}],
        "stock": ["8D", "9H", "7H"],
        "rest": 0,
        "seed": 6,
    },
]


@pytest.mark.parametrize("position", POSITIONS, ids=[p["variant"] for p in POSITIONS])
def test_position_of_the_other_games(position: dict[str, Any], tmp_path: Path) -> None:
    """Set up, written, read, played to the end and played again; what it says is what is seen."""
    game = Game.from_position(position)
    assert (game.phase, game.seat_to_act) == (position["phase"], position["to_act"])
    for seat in (0, 1):
        assert sorted(game.hand(seat)) == sorted(position["hands"][seat].split())
        assert game.table(seat) == position.get("table", ["", ""])[seat].split()
        assert sorted(game.view(1 - seat).known[seat]) == sorted(
            position.get("known", ["", ""])[seat].split()
        )
    view = game.view(0)
    assert view.carte_blanche == [bool(x) for x in position.get("carte", [0, 0])]
    assert view.cut == (tuple(position["cut"]) if "cut" in position else None)
    served = {
        (entry["seat"], card, entry["meld"].split()[0])
        for entry in position.get("scored", [])
        for card in entry["cards"]
    }
    assert served == {
        (seat, card, use.split()[0]) for seat in (0, 1) for card, uses in view.tables[seat] for use in uses
    }
    (tmp_path / "p.yaml").write_text(yaml.safe_dump(position, sort_keys=False))
    assert Game.from_position(tmp_path / "p.yaml").save() == game.save()
    assert Game.replay(json.dumps(game.to_record())).save() == game.save()
    middle = Game.load(game.save())
    finish(game)
    assert finish(middle).to_record() == game.to_record()
    assert Game.replay(json.dumps(game.to_record())).save() == game.save()
