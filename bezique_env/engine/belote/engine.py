"""The engine of the Belote family."""

from __future__ import annotations

from bezique_env.engine.belote import kernels, state, views
from bezique_env.engine.belote.actions import ACTIONS, EVENT_TEXTS
from bezique_env.engine.engine import Engine

BELOTE = Engine(
    family="belote",
    mark="taker",
    actions=ACTIONS,
    phases=state.PHASE_NAMES,
    events=EVENT_TEXTS,
    state_dtype=state.state_dtype,
    view_dtype=state.view_dtype,
    scratch=state.SCRATCH,
    work=(views.WORK_ROWS, views.WORK_COLUMNS),
    redeals=True,
    kernels={
        "start_game": kernels.start_game,
        "clear_setup": kernels.clear_setup,
        "next_deal": kernels.next_deal,
        "apply": kernels.apply,
        "write_mask": kernels.write_mask,
        "reason": kernels.reason,
        "final_return": kernels.final_return,
        "project": views.project,
        "project_board": views.project_board,
        "resample": views.resample,
        "dealt": views.dealt,
        "put_card": views.put_card,
    },
)
