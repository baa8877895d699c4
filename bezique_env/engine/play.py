"""The kernels that every caller uses, whatever the family: each goes to the family of the record it is given.

The choice is made while compiling, by the type of the record, so it costs nothing in play. Inside kernels call
the functions over one record (``g`` a state, ``v`` a view); from Python call those over rows.
"""

from __future__ import annotations

from typing import Any

from bezique_env.engine.cache import kernel
from bezique_env.engine.dispatch import by_family
from bezique_env.engine.engine import Engine


def _kernel(engine: Engine, name: str) -> Any:
    return engine.kernels[name]


_by_family = by_family(_kernel)


@_by_family
def start_game(g, rules, seed, dealer, episode, draws, manual):
    """Begin a game; ``dealer`` 255 is drawn from the seed. With ``manual`` the deck must be set first."""


@_by_family
def clear_setup(g):
    """Forget what was set from outside before the game of a record that is used again, the deck excepted."""


@_by_family
def next_deal(g, rules):
    """Deal the deck that was set from outside, after BETWEEN_DEALS."""


@_by_family
def apply(g, rules, action, tmp):
    """Apply a legal action and move on to the next decision that is asked."""


@_by_family
def write_mask(g, rules, mask, tmp):
    """Write the legal actions of the seat to act into a row of bytes; all zero when the game is over."""


@_by_family
def reason(g, rules, action, mask):
    """Return the code of why an action that is not in the legal ``mask`` is illegal."""


@_by_family
def final_return(g, rules, mode):
    """Return the zero-sum result of seat 0 of a finished game."""


@_by_family
def project(g, rules, seat, v):
    """Write what a seat may know into a view record. The only way from a state to anything seen."""


@_by_family
def project_board(g, rules, seat, v):
    """Write the part of a view that an observation is made of."""


@_by_family
def resample(v, g, rules, key, work, tmp):
    """Write into ``g`` a state drawn from the deals that agree with a view; the truth is never an input."""


@_by_family
def dealt(g, rules, places, owners):
    """Write the places of the deck that have come into play and who got each (2: everyone saw the card).

    Returns their number; none while the deck of a further deal is awaited. A place once written stays. Together
    with :func:`put_card` the deck can be revealed card by card: apply an action to a copy, the places that are
    new in it are what the action drew; put what is drawn there into the original and apply again.
    """


@_by_family
def put_card(g, rules, place, card):
    """Set the card of a place of the deck that has not come into play (the caller keeps the pack whole)."""


# ------------------------------------------------------------------------------- entry points, by index


@kernel
def start_row(games, i, rules, seed, dealer, episode, draws, manual):
    """Begin the game of a row."""
    start_game(games[i], rules, seed, dealer, episode, draws, manual)


@kernel
def next_deal_row(games, i, rules):
    """Deal the deck that was set from outside in a row."""
    next_deal(games[i], rules)


@kernel
def apply_row(games, i, rules, action, tmp):
    """Apply a legal action to a row."""
    apply(games[i], rules, action, tmp)


@kernel
def mask_row(games, i, rules, mask, tmp):
    """Write the legal actions of a row."""
    write_mask(games[i], rules, mask, tmp)


@kernel
def reason_row(games, i, rules, action, mask):
    """Return why an action is illegal in a row."""
    return reason(games[i], rules, action, mask)


@kernel
def return_row(games, i, rules, mode):
    """Return the result of seat 0 of a row."""
    return final_return(games[i], rules, mode)


@kernel
def project_row(games, i, rules, seat, views, j):
    """Project row i for a seat into view j."""
    project(games[i], rules, seat, views[j])


@kernel
def resample_row(views, i, games, j, rules, key, work, tmp):
    """Resample view i into row j."""
    resample(views[i], games[j], rules, key, work, tmp)


@kernel
def dealt_row(games, i, rules, places, owners):
    """Write which places of the deck of a row have come into play (int16 [deck]) and whose they are (uint8 [deck])."""
    return dealt(games[i], rules, places, owners)


@kernel
def put_card_row(games, i, rules, place, card):
    """Set the card of a place of the deck of a row that has not come into play."""
    put_card(games[i], rules, place, card)
