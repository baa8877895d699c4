"""The engine of the Bezique family."""

from __future__ import annotations

from bezique_env.engine.bezique import kernels, state, views
from bezique_env.engine.bezique.actions import ACTIONS, EVENT_TEXTS
from bezique_env.engine.engine import Engine

BEZIQUE = Engine(
    family="bezique",
    mark="table_card",
    actions=ACTIONS,
    phases=state.PHASE_NAMES,
    events=EVENT_TEXTS,
    state_dtype=state.state_dtype,
    view_dtype=state.view_dtype,
    scratch=state.SCRATCH,
    work=(views.WORK_ROWS, views.WORK_COLUMNS),
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
        "resample": views.resample_state,
        "dealt": views.dealt,
        "put_card": views.put_card,
    },
)
