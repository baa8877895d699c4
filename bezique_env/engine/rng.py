"""Counter-based random numbers for kernels: no global state, equal on every machine.

A stream is a 64-bit key made from a seed, a purpose and counters; numbers come from SplitMix64.
"""

from __future__ import annotations

import numpy as np

from bezique_env.engine.cache import kernel

STREAM_DEAL = 1
STREAM_DEALER = 2
STREAM_BATCH = 3
STREAM_RESAMPLE = 4
STREAM_CUT = 5
STREAM_AGENT = 1000
"""Agents have the streams from here on, so it stands last."""

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@kernel(inline_always=True)
def mix(x):
    """Scramble a 64-bit number (the finaliser of SplitMix64)."""
    x = np.uint64(x)
    x = (x ^ (x >> _S30)) * _MIX1
    x = (x ^ (x >> _S27)) * _MIX2
    return x ^ (x >> _S31)


@kernel(inline_always=True)
def stream_key(seed, stream, counter):
    """Return the key of a stream: distinct for distinct (seed, stream, counter)."""
    first = mix(np.uint64(seed) + _GAMMA)
    return mix(mix(first ^ (np.uint64(stream) * _GAMMA)) + np.uint64(counter) * _GAMMA)


@kernel(inline_always=True)
def next_u64(key):
    """Return (new key, number)."""
    key = np.uint64(key) + _GAMMA
    return key, mix(key)


@kernel(inline_always=True)
def bounded(key, bound):
    """Return (new key, number in 0..bound-1), exactly uniform (Lemire's rejection)."""
    wide = np.uint64(bound)
    key, x = next_u64(key)
    product = (x >> _S32) * wide
    if (product & _LOW) < wide:  # only then can the division below matter
        limit = (np.uint64(0x100000000) - wide) % wide
        while (product & _LOW) < limit:
            key, x = next_u64(key)
            product = (x >> _S32) * wide
    return key, np.int64(product >> _S32)


@kernel(inner=True)
def shuffle(cards, count, key):
    """Put the first ``count`` entries of a row in a random order, each equally likely; returns the new key."""
    for k in range(count - 1, 0, -1):
        key, other = bounded(key, k + 1)
        card = cards[k]
        cards[k] = cards[other]
        cards[other] = card
    return key


@kernel
def key_of(seed, stream, counter):
    """Return :func:`stream_key`, cached for callers in Python (uint64, int, int)."""
    return stream_key(seed, stream, counter)
