"""Playing in the terminal: through a pipe, through a pseudo-terminal, and through the function itself."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from bezique_env import Game
from experiments.play import PlaySession, play_command
from experiments.talk.talk import canonical_text
from tests.rules.belote_setup import deal

CODE = "from experiments.play import play_command; import sys; play_command({arguments})"


class Script:
    """A human who types given lines and then numbers of its choice; keeps the transcript."""

    def __init__(self, lines=(), seed=0, stop_after=None, melding=True):
        self.lines = list(lines)
        self.rng = np.random.default_rng(seed)
        self.output: list[str] = []
        self.stop_after = stop_after
        self.melding = melding
        self.moves = 0

    def write(self, text):
        self.output.append(text)

    def read(self, prompt):
        if self.lines:
            line = self.lines.pop(0)
        elif self.stop_after is not None and self.moves >= self.stop_after:
            raise EOFError
        else:
            shown = next(text for text in reversed(self.output) if re.match(r"^ +1 ", text))
            cells = re.findall(r"(?:^|\s{2,})(\d+) (\w+)", shown)
            melds = [n for n, word in cells if word not in ("play", "use", "pass")]
            line = str(self.rng.choice(melds if melds and self.melding else [n for n, _ in cells]))
            self.moves += 1
        self.output.append(prompt + line)
        return line

    @property
    def text(self):
        return "\n".join(self.output)


class First:
    name = "first"

    def act(self, views, masks, keys):
        return masks.argmax(axis=1).astype(np.int64)


class Declarer:
    """Declares whatever it can."""

    name = "declarer"

    def act(self, views, masks, keys):
        wanted = masks.astype(np.int64) * 2
        wanted[:, 64:95] *= 3
        return wanted.argmax(axis=1).astype(np.int64)


def play(script, **arguments):
    arguments = {"seed": 3, "opponent": First(), "color": False, **arguments}
    assert play_command(read=script.read, write=script.write, **arguments) == 0
    return script.text


def test_words():
    assert canonical_text("KS") == canonical_text("ks") == canonical_text("k♠") == "play KS"
    assert canonical_text("10h table") == "play TH table"
    assert canonical_text("Play ks TABLE") == "play KS table"
    assert canonical_text("ks", selecting=True) == "use KS"
    assert canonical_text("MARRIAGE s") == "marriage S"
    assert canonical_text("four trump a") == "four trump A"
    assert canonical_text("bezique 1") == "bezique 1"
    assert canonical_text("carte  blanche") == "carte blanche"


@pytest.mark.parametrize("seat", [0, 1, "random"])
@pytest.mark.parametrize("episode", ["deal", "match"])
def test_a_whole_game_and_its_record(tmp_path, seat, episode):
    path = tmp_path / "new" / "games.jsonl"
    overrides = {"target": 300}
    text = play(Script(), seat=seat, episode=episode, record_path=path, overrides=overrides)
    assert re.search(r"^(You win|You lose|A tie): -?\d+ to -?\d+", text, re.M)
    assert f"Record saved to {path} (finished)." in text
    (line,) = path.read_text().splitlines()
    game = Game.replay(json.loads(line))
    assert game.is_over and game.seed == 3 and game.episode == episode
    play(Script(), seat=seat, record_path=path)
    assert len(path.read_text().splitlines()) == 2, "a file of records gets one line a game"


@pytest.mark.parametrize(
    "overrides",
    [
        {"selection": "explicit"},
        {"selection": "explicit", "declare": "lay_many_score_one"},
        {"declare": "lay_many_score_one"},
        {"declare": "many_disjoint"},
        {"trump": "first_marriage", "dix_score": "none", "dealer_seven": 0},
        {"brisques": "at_hand_end"},
        {"dix_score": "on_play"},
    ],
)
def test_every_way_of_declaring_can_be_played(overrides):
    for seed in range(4):
        text = play(Script(seed=seed), overrides=overrides, seed=seed, opponent=Declarer(), seat=seed % 2)
        assert re.search(r"^(You win|You lose|A tie)", text, re.M)
        assert max(len(line) for line in text.split("\n")) <= 110
        assert all(len(line) <= 80 for line in text.split("\n") if not line.startswith("  "))


VARIANT_RULES = [
    ("rubicon", None, {}),
    ("rubicon", "portland", {"selection": "explicit"}),
    ("chinese", "trump_queen", {"cut_bonus": "on"}),
    ("eight_pack", None, {}),
    ("fildinski", "standard", {}),
    ("fildinski", "by_class", {"fildinski_dix": "from_hand", "fildinski_endgame": "on"}),
]


@pytest.mark.parametrize(("variant", "rules", "overrides"), VARIANT_RULES)
def test_every_variant_can_be_played(tmp_path, variant, rules, overrides):
    path = tmp_path / "games.jsonl"
    keys = {"variant": variant, "rules": rules, "overrides": overrides, "opponent": Declarer()}
    text = play(Script(seed=2), record_path=path, seat=1, **keys)
    assert re.search(r"^(You win|You lose): \d+ to \d+", text, re.M)
    assert ("; settled " in text) == (variant != "fildinski")
    assert all(len(line) <= 80 for line in text.split("\n") if not line.startswith(("  ", "Record saved")))
    assert Game.replay(json.loads(path.read_text())).is_over
    told = narration(text)
    assert any("takes the trick" in line for line in told) and any(
        line.startswith("You take") for line in told
    )
    drawn = sum(line.startswith("You draw") for line in told)
    shape = Game(variant).rules.shape
    hand = {2: 8, 4: 9, 6: 12, 8: 15}[shape.packs]
    exchanged = sum("exchange the trump seven" in line for line in told)
    assert drawn in (shape.deck // 2 - hand, shape.deck // 2 - hand - exchanged)
    stay = "open cards stay" if variant == "fildinski" else "go back to the hands"
    assert sum(stay in line for line in told) == 1
    if overrides.get("cut_bonus"):
        assert any(line.startswith("The dealer lifts") for line in told)


BELOTE_RULES = [
    (None, {}),
    ("hoyle", {"exchange_window": "until_first_lead", "belote_call_deadline": "both_words"}),
    ("bicycle", {"announce_needs_trick": True, "two_hand_tie": "hold_over"}),
    ("swiss", {"belote_auto": True}),
]


@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize(("rules", "overrides"), BELOTE_RULES)
def test_belote_can_be_played(tmp_path, rules, overrides, episode):
    told = []
    for seat in (0, 1):
        path = tmp_path / f"{seat}.jsonl"
        keys = {"variant": "belote", "rules": rules, "overrides": {**overrides, "target": 150}}
        text = play(
            Script(seed=seat), seat=seat, episode=episode, opponent="greedy", record_path=path, **keys
        )
        assert text.startswith("Belote (belote, rules ")
        assert re.search(r"^(You win|You lose|A tie): \d+ to \d+\.$", text, re.M)
        assert all(len(line) <= 80 for line in text.split("\n") if not line.startswith("Record saved"))
        assert Game.replay(json.loads(path.read_text())).is_over
        told += narration(text)
    if episode == "match":
        for words in (" the taker; trump is ", "You get ", " takes the trick ", "last trick: +10 for "):
            assert any(words in line for line in told), words
        assert any(re.match(r"Deal \d+ ends: you \d+, opponent \d+\.", line) for line in told)


def test_belote_words_and_points():
    lines = ["help", "why belote", "why name s", "rules", "quit"]
    text = play(Script(lines), variant="belote", seat=1)
    assert "accept, pass, propose (a new deal)" in text
    assert re.search(r"^belote: .+\.$", text, re.M) and re.search(r"^name S: .+\.$", text, re.M)
    assert "schmeiss" in text


@pytest.mark.parametrize("announces", [True, False])
def test_a_dealer_who_finds_it_good_is_told_of_in_the_same_words(announces):
    """Whether he holds something lower and says so or passes is not seen, so it is not told."""

    class Dealer:
        name = "dealer"

        def act(self, views, masks, keys):
            announce, pass_ = 42, 33
            wanted = announce if announces else pass_
            return np.array([wanted if mask[announce] else mask.argmax() for mask in masks], np.int64)

    game = deal("KQJTH AS 7D 9C 8D", "789S 9QD 8TKC QS", turn_up="AH")
    script = Script(["accept", "announce"], stop_after=0)
    PlaySession(game, Dealer(), 0, script.read, script.write).run()
    told = narration(script.text)
    assert told[told.index("You announce 50.") :] == [
        "You announce 50.",
        'The opponent finds it "good".',
        "You have 50 in sequences: T♥ J♥ Q♥ K♥.",
    ]
    assert any(action == "announce" for seat, action in game.actions if seat == 1) == announces


def test_carte_blanche_is_told_with_its_cards():
    for seat in (0, 1):
        seed = next(
            s
            for s in range(9000)
            if (game := Game("rubicon", rules="portland", seed=s)).phase == "carte_blanche"
            and game.seat_to_act == seat
        )
        for human in (0, 1):
            script = Script(["carte blanche"] if human == seat else [], stop_after=0)
            keys = {"variant": "rubicon", "rules": "portland", "opponent": Declarer(), "seed": seed}
            text = play(script, seat=human, **keys)
            who = "You show" if human == seat else "The opponent shows"
            (line,) = [line for line in narration(text) if line.startswith(f"{who} carte blanche for 50: ")]
            assert len(line.split(": ")[1].split()) == 9


def narration(text):
    return [
        line[2:] for line in text.split("\n") if re.match(r"  [A-Za-z]", line) and not line.startswith("   ")
    ]


def test_the_opponents_visible_moves_are_told_and_its_passes_are_not():
    told = set()
    for seed in range(12):
        script = Script(seed=seed)
        text = play(script, opponent=Declarer(), seed=seed)
        for line in narration(text):
            assert "pass" not in line
            if line.startswith("The opponent"):
                told.add(line.split()[2])
    assert {"leads", "answers", "takes", "declares"} <= told
    # An opponent that always passes says nothing at its windows: two transcripts, one story.
    passing = narration(play(Script(seed=1, melding=False), opponent=Passer(), seed=5))
    assert not any(line.startswith(("The opponent declares", "The opponent passes")) for line in passing)


class Passer:
    name = "passer"

    def act(self, views, masks, keys):
        return np.array([95 if mask[95] else mask.argmax() for mask in masks], np.int64)


def test_the_terminal_asks_the_game_for_the_humans_view_only():
    class Guarded(Game):
        def view(self, seat):
            assert seat == 0
            return super().view(seat)

        def hand(self, seat):
            raise AssertionError("a hand was read")

        table = hand

        def clone(self):
            twin = super().clone()
            assert self.seat_to_act == 0
            return twin

    script = Script()
    assert PlaySession(Guarded(seed=8), Declarer(), 0, script.read, script.write).run()


def test_the_transcript_is_the_same_in_every_world_the_human_cannot_tell_apart():
    game = Game(seed=4, dealer=1)
    for number in range(6):
        twin = game.resample(0, number)
        first, second = Script(stop_after=1), Script(stop_after=1)
        PlaySession(game.clone(), First(), 0, first.read, first.write).run()
        PlaySession(twin, First(), 0, second.read, second.write).run()
        start = "your move>"
        assert first.text.split(start)[0] == second.text.split(start)[0]


def test_words_of_the_loop():
    lines = ["help", "rules", "table", "why", "why marriage S", "why play KS", "why nonsense", "", "999", "0"]
    lines += ["marriage S", "nonsense", "play", "quit now", "quit"]
    text = play(Script(lines), seat=0)
    assert "Type the number of an action" in text
    assert "endgame" in text and "target" in text
    assert text.count("YOUR MOVE") == 2
    assert re.search(r"^marriage S: .+\.$", text, re.M)
    assert re.search(r"^play KS: (legal now|.+)\.$", text, re.M)
    assert "There is no action 999: the numbers go from 1 to" in text
    assert "Not legal:" in text
    assert "nknown action 'nonsense'" in text
    assert "You stopped the game. The game is unfinished." in text
    assert "No record was saved" in text


def test_an_illegal_action_is_explained_and_nothing_happens():
    script = Script(["seven", "play AS", "play 9H"], stop_after=0)
    text = play(script, seat=0, seed=3)
    reasons = re.findall(r"^Not legal: (.+)$", text, re.M)
    assert len(reasons) >= 1 and all(reason.endswith(".") for reason in reasons)


def test_texts_are_accepted_as_well_as_numbers():
    script = Script(stop_after=1)
    text = play(script, seat=0, seed=3)
    (card,) = re.findall(r"^ +1 play (\S+)", text, re.M)[:1]
    for typed in (f"play {card}", card, card.lower()):
        again = play(Script([typed], stop_after=0), seat=0, seed=3)
        assert re.search(rf"You (lead|answer with) {card}\.", again)


@pytest.mark.parametrize("lines", [["quit"], []])
def test_an_unfinished_game_is_saved_and_replays(tmp_path, lines):
    path = tmp_path / "unfinished.jsonl"
    script = Script(["1", "1", *lines], stop_after=0)
    text = play(script, record_path=path, seat=0)
    assert "unfinished; it replays up to this point" in text
    game = Game.replay(path.read_text())
    assert not game.is_over
    assert json.loads(path.read_text())["returns"] is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"seat": 2}, "seat"),
        ({"rules": "sari"}, "saari"),
        ({"overrides": {"targt": 1}}, "target"),
        ({"episode": "round"}, "deal"),
        ({"draws": "queue"}, "queues"),
        ({"variant": "two_packs"}, "two_pack"),
        ({"seed": -1}, "seed"),
    ],
)
def test_mistakes_are_refused_before_anything_is_played(arguments, words):
    script = Script()
    with pytest.raises(ValueError, match=words):
        play(script, **arguments)
    assert not script.output


def test_a_record_that_cannot_be_written_is_refused_first(tmp_path):
    script = Script()
    with pytest.raises(OSError):
        play(script, record_path=tmp_path)
    assert not script.output


def test_registered_opponents():
    pytest.importorskip("agents.registry")
    for name in ("random", "greedy"):
        assert f"against {name}" in play(Script(), opponent=name)
    with pytest.raises(ValueError, match="greedy"):
        play(Script(), opponent="greddy")


def test_piped_input_ends_politely(tmp_path):
    path = tmp_path / "pipe.jsonl"
    code = CODE.format(arguments=f"seed=3, opponent='greedy', record_path={str(path)!r}")
    done = subprocess.run(
        [sys.executable, "-c", code], input="help\n1\n", capture_output=True, text=True, check=True
    )
    assert "your move> help" in done.stdout, "a transcript of a pipe shows what was typed"
    assert "The input has ended. The game is unfinished." in done.stdout
    assert "\x1b" not in done.stdout
    assert "Traceback" not in done.stderr
    assert not Game.replay(path.read_text()).is_over


def test_a_whole_game_through_a_pipe(tmp_path):
    path = tmp_path / "pipe.jsonl"
    code = CODE.format(arguments=f"seed=3, opponent='greedy', record_path={str(path)!r}")
    done = subprocess.run(
        [sys.executable, "-c", code], input="1\n" * 200, capture_output=True, text=True, check=True
    )
    assert "(finished)" in done.stdout
    assert Game.replay(path.read_text()).is_over


def test_in_a_pseudo_terminal():
    pexpect = pytest.importorskip("pexpect")
    code = CODE.format(arguments="seed=3, opponent='greedy'")
    child = pexpect.spawn(sys.executable, ["-c", code], encoding="utf-8", timeout=120, dimensions=(40, 80))
    child.expect("your move> ")
    assert "\x1b[" in child.before, "colours on a terminal"
    child.sendline("why sequence H")
    child.expect("sequence H: ")
    child.expect("your move> ")
    child.sendline("1")
    child.expect("You (lead|answer)")
    child.expect("your move> ")
    child.sendeof()
    child.expect("The game is unfinished")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_ctrl_c_in_a_pseudo_terminal_is_polite():
    pexpect = pytest.importorskip("pexpect")
    code = CODE.format(arguments="seed=3, opponent='greedy'")
    child = pexpect.spawn(sys.executable, ["-c", code], encoding="utf-8", timeout=120, dimensions=(40, 80))
    child.expect("your move> ")
    child.sendintr()
    child.expect("The game is unfinished")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
