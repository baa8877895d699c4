"""The kernels that every caller uses, whatever the family: each goes to the family of the record it is given.

The choice is made while compiling, by the type of the record, so it costs nothing in play. Inside kernels call
the functions over one record (``g`` a state, ``v`` a view); from Python call those over rows.
"""

from __future__ import annotations

from typing import Any

from numba.extending import overload

from bezique_env.engine.cache import kernel
from bezique_env.engine.engines import engine_of_fields

# No forced inlining: Numba hands it on to all that is called, which makes compiling ten times longer.
_OPTIONS = {"nogil": True, "no_cpython_wrapper": True}


def _kernel_of(name: str, record: Any) -> Any:
    """Return a kernel of the family whose records have the type (or dtype) of a record."""
    fields = record.fields if hasattr(record, "fields") else record.dtype.fields
    return engine_of_fields(fields).kernels[name]


def start_game(g, rules, seed, dealer, episode, draws, manual):
    """Begin a game; ``dealer`` 255 is drawn from the seed. With ``manual`` the deck must be set first."""
    _kernel_of("start_game", g)(g, rules, seed, dealer, episode, draws, manual)


@overload(start_game, jit_options=_OPTIONS)
def _start_game(g, rules, seed, dealer, episode, draws, manual):
    own = _kernel_of("start_game", g)

    def chosen(g, rules, seed, dealer, episode, draws, manual):
        own(g, rules, seed, dealer, episode, draws, manual)

    return chosen


def clear_setup(g):
    """Forget what was set from outside before the game of a record that is used again, the deck excepted."""
    _kernel_of("clear_setup", g)(g)


@overload(clear_setup, jit_options=_OPTIONS)
def _clear_setup(g):
    own = _kernel_of("clear_setup", g)

    def chosen(g):
        own(g)

    return chosen


def next_deal(g, rules):
    """Deal the deck that was set from outside, after BETWEEN_DEALS."""
    _kernel_of("next_deal", g)(g, rules)


@overload(next_deal, jit_options=_OPTIONS)
def _next_deal(g, rules):
    own = _kernel_of("next_deal", g)

    def chosen(g, rules):
        own(g, rules)

    return chosen


def apply(g, rules, action, tmp):
    """Apply a legal action and move on to the next decision that is asked."""
    _kernel_of("apply", g)(g, rules, action, tmp)


@overload(apply, jit_options=_OPTIONS)
def _apply(g, rules, action, tmp):
    own = _kernel_of("apply", g)

    def chosen(g, rules, action, tmp):
        own(g, rules, action, tmp)

    return chosen


def write_mask(g, rules, mask, tmp):
    """Write the legal actions of the seat to act into a row of bytes; all zero when the game is over."""
    _kernel_of("write_mask", g)(g, rules, mask, tmp)


@overload(write_mask, jit_options=_OPTIONS)
def _write_mask(g, rules, mask, tmp):
    own = _kernel_of("write_mask", g)

    def chosen(g, rules, mask, tmp):
        own(g, rules, mask, tmp)

    return chosen


def reason(g, rules, action, mask):
    """Return the code of why an action that is not in the legal ``mask`` is illegal."""
    return _kernel_of("reason", g)(g, rules, action, mask)


@overload(reason, jit_options=_OPTIONS)
def _reason(g, rules, action, mask):
    own = _kernel_of("reason", g)

    def chosen(g, rules, action, mask):
        return own(g, rules, action, mask)

    return chosen


def final_return(g, rules, mode):
    """Return the zero-sum result of seat 0 of a finished game."""
    return _kernel_of("final_return", g)(g, rules, mode)


@overload(final_return, jit_options=_OPTIONS)
def _final_return(g, rules, mode):
    own = _kernel_of("final_return", g)

    def chosen(g, rules, mode):
        return own(g, rules, mode)

    return chosen


def project(g, rules, seat, v):
    """Write what a seat may know into a view record. The only way from a state to anything seen."""
    _kernel_of("project", g)(g, rules, seat, v)


@overload(project, jit_options=_OPTIONS)
def _project(g, rules, seat, v):
    own = _kernel_of("project", g)

    def chosen(g, rules, seat, v):
        own(g, rules, seat, v)

    return chosen


def project_board(g, rules, seat, v):
    """Write the part of a view that an observation is made of."""
    _kernel_of("project_board", g)(g, rules, seat, v)


@overload(project_board, jit_options=_OPTIONS)
def _project_board(g, rules, seat, v):
    own = _kernel_of("project_board", g)

    def chosen(g, rules, seat, v):
        own(g, rules, seat, v)

    return chosen


def resample(v, g, rules, key, work, tmp):
    """Write into ``g`` a state drawn from the deals that agree with a view; the truth is never an input."""
    _kernel_of("resample", g)(v, g, rules, key, work, tmp)


@overload(resample, jit_options=_OPTIONS)
def _resample(v, g, rules, key, work, tmp):
    own = _kernel_of("resample", g)

    def chosen(v, g, rules, key, work, tmp):
        own(v, g, rules, key, work, tmp)

    return chosen


def dealt(g, rules, places, owners):
    """Write the places of the deck that have come into play and who got each (2: everyone saw the card).

    Returns their number; none while the deck of a further deal is awaited. A place once written stays. Together
    with :func:`put_card` the deck can be revealed card by card: apply an action to a copy, the places that are
    new in it are what the action drew; put what is drawn there into the original and apply again.
    """
    return _kernel_of("dealt", g)(g, rules, places, owners)


@overload(dealt, jit_options=_OPTIONS)
def _dealt(g, rules, places, owners):
    own = _kernel_of("dealt", g)

    def chosen(g, rules, places, owners):
        return own(g, rules, places, owners)

    return chosen


def put_card(g, rules, place, card):
    """Set the card of a place of the deck that has not come into play (the caller keeps the pack whole)."""
    _kernel_of("put_card", g)(g, rules, place, card)


@overload(put_card, jit_options=_OPTIONS)
def _put_card(g, rules, place, card):
    own = _kernel_of("put_card", g)

    def chosen(g, rules, place, card):
        own(g, rules, place, card)

    return chosen


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
