"""Sets the C library's allocator up for a process that runs for months in several threads."""

import ctypes
import os
import sys

ARENA_LIMIT = -8  # glibc's M_ARENA_MAX
OPERATORS_LIMIT = "MALLOC_ARENA_MAX"
OPERATORS_TUNABLES, TUNABLE = "GLIBC_TUNABLES", "glibc.malloc.arena_max="


def use_one_arena() -> bool:
    """Make all threads allocate from one arena; call it before the first thread starts.

    glibc gives each thread an arena of its own, up to eight for each core, and what is free in one
    arena serves no other thread. One arena is no slower here: Python's threads take turns.

    Returns whether it is done: not without glibc, nor where the operator set a limit of arenas.
    """
    tunables = os.environ.get(OPERATORS_TUNABLES, "").split(":")
    is_limited = any(tunable.startswith(TUNABLE) for tunable in tunables)
    if sys.platform != "linux" or OPERATORS_LIMIT in os.environ or is_limited:
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)  # musl has none
    return mallopt is not None and mallopt(ARENA_LIMIT, 1) == 1


def give_back_free_memory() -> None:
    """Return free memory to the system, where glibc can; call it after something large is gone."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
