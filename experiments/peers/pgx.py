"""pgx: games in JAX, compiled for the processor (one thread) and stepped in batches."""

from __future__ import annotations

import importlib
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.peers.contender import BATCH, LOOP, RANDOM, SEEN, Contender, Family, Play, Start, repeated

GAMES = ("bridge_bidding", "leduc_holdem")
BATCH_SIZE = 1024
STEPS = 32
"""Steps of the whole batch in one compiled loop."""
DEALS = 1000
ENVIRONMENT = (
    ("JAX_PLATFORMS", "cpu"),
    ("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"),
)


def bridge_table(seed: int = 0) -> NDArray[np.int32]:
    """Return deals as pgx keeps them, int32 [2, DEALS, 4]: who holds each card, then how many tricks are made.

    The released tables are large downloads. Speed asks for deals in their form only: hands are random, and so are
    the tricks.
    """
    generator = np.random.default_rng(seed)
    keys = np.zeros((DEALS, 4), np.int64)
    for deal in range(DEALS):
        owners = generator.permutation(np.repeat(np.arange(4), 13)).reshape(4, 13)
        keys[deal] = owners @ (4 ** np.arange(12, -1, -1))
    tricks = generator.integers(0, 14, (DEALS, 4, 5))
    values = tricks @ (16 ** np.arange(4, -1, -1))
    return np.stack([keys, values]).astype(np.int32)


def _env(name: str) -> Any:
    if name != "bridge_bidding":
        return importlib.import_module("pgx").make(name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.npy"
        np.save(path, bridge_table())
        return importlib.import_module("pgx.bridge_bidding").BridgeBidding(str(path))


def _functions(name: str, observed: bool) -> tuple[Any, Any]:
    """Return (new states from a key, states and key to next states), finished games beginning anew."""
    jax = importlib.import_module("jax")
    jnp = importlib.import_module("jax.numpy")
    again = importlib.import_module("pgx.experimental.wrappers").auto_reset
    env = _env(name)

    def bare(state: Any, action: Any, key: Any) -> Any:
        return env._step(state.replace(_step_count=state._step_count + 1), action, key)

    step, init = (env.step, env.init) if observed else (bare, env._init)
    one = again(step, init)

    def choose(mask: Any, draw: Any) -> Any:
        count = jnp.cumsum(mask)
        return jnp.argmax(count > jnp.floor(draw * count[-1]))

    def steps(states: Any, key: Any) -> Any:
        first, second = jax.random.split(key)
        draws = jax.random.uniform(first, (BATCH_SIZE,))
        actions = jax.vmap(choose)(states.legal_action_mask, draws)
        return jax.vmap(one)(states, actions, jax.random.split(second, BATCH_SIZE))

    def begin(key: Any) -> Any:
        return jax.vmap(init)(jax.random.split(key, BATCH_SIZE))

    return begin, steps


def _batch(name: str) -> Play:
    jax = importlib.import_module("jax")
    begin, steps = _functions(name, True)
    step = jax.jit(steps)
    states = jax.jit(begin)(jax.random.PRNGKey(0))
    number = 0

    def chunk() -> tuple[int, int]:
        nonlocal states, number
        number += 1
        states = step(states, jax.random.PRNGKey(number))
        np.asarray(states.observation)
        np.asarray(states.legal_action_mask)
        return BATCH_SIZE, int(np.count_nonzero(np.asarray(states.terminated)))

    return repeated(chunk)


def _loop(name: str, observed: bool) -> Play:
    jax = importlib.import_module("jax")
    begin, steps = _functions(name, observed)

    def run(states: Any, key: Any) -> Any:
        def body(states: Any, key: Any) -> Any:
            states = steps(states, key)
            # The sum keeps the compiler from leaving out observations that nobody reads.
            seen = states.observation.sum() if observed else 0
            return states, (states.terminated.sum(), seen)

        states, (ended, seen) = jax.lax.scan(body, states, jax.random.split(key, STEPS))
        return states, ended.sum(), seen

    compiled = jax.jit(run)
    states = jax.jit(begin)(jax.random.PRNGKey(0))
    number = 0

    def chunk() -> tuple[int, int]:
        nonlocal states, number
        number += 1
        states, ended, seen = compiled(states, jax.random.PRNGKey(number))
        jax.block_until_ready(seen)
        return BATCH_SIZE * STEPS, int(ended)

    return repeated(chunk)


def contenders() -> list[Contender]:
    """List the games; shapes are those of the released versions."""
    found = []
    for name in GAMES:
        env = _env(name)
        seen = f"{'x'.join(map(str, env.observation_shape))} bool and mask, in the batch of states"
        size = f"{BATCH_SIZE:,} games"
        found += [
            Contender(name, RANDOM, LOOP, f"lax.scan over {size}, _step", partial(_loop, name, False)),
            Contender(name, SEEN, LOOP, f"lax.scan over {size}", partial(_loop, name, True), seen),
            Contender(
                name, SEEN, BATCH, f"jitted step of {size}, choice inside", partial(_batch, name), seen
            ),
        ]
    return found


_STARTS = tuple(
    Start(
        name,
        f"jit of {BATCH_SIZE:,} games",
        "import jax, numpy; from experiments.peers import pgx",
        f"b, t = pgx._functions({name!r}, True); s = jax.jit(b)(jax.random.PRNGKey(0)); numpy.asarray(s.observation)",
        "s = jax.jit(t)(s, jax.random.PRNGKey(1)); numpy.asarray(s.observation)",
    )
    for name in GAMES
)

FAMILY = Family("pgx", "pgx", "pgx", "pip install pgx jax", contenders, _STARTS, environment=ENVIRONMENT)
