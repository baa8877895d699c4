"""What the terminal says of the games of the throw-away family."""

from __future__ import annotations

from experiments.talk.talk import Talk


class DuelTalk(Talk):
    """See :class:`experiments.talk.talk.Talk`."""

    actions_help = "  play KS, concede (when listed)"
    example = "play KS"

    def deal_start(self):
        self.say("You deal." if self.game.dealer == self.seat else "The opponent deals.")

    def narrate(self, actor, text, before, after, events, new_deal):
        self.say(f"{self.who(actor)}: {text}.")
        self.say_events(events)
