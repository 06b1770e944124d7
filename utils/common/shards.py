"""Parse, format and compute shard ids, which are written as 0,2,4-7. Pure.

Shard n of c receives the servers with ``(guild_id >> 22) % c == n``. Shard 0 receives direct
messages too (Discord's documentation, "Sharding").
"""

import re
from collections.abc import Iterable

MAX_SHARDS = 10_000
_RANGE = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")


def parse_shards(text: str) -> tuple[int, ...]:
    """Return the ids in a list such as ``0,2,4-7``. Raises ValueError for anything else."""
    ids: list[int] = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            raise ValueError("must be numbers and ranges, such as 0,1 or 0-3")
        ids += range(first, last + 1)
    return tuple(ids)


def format_shards(ids: Iterable[int]) -> str:
    """Return the shortest text that :func:`parse_shards` reads as these ids."""
    runs: list[list[int]] = []
    for shard_id in sorted(ids):
        if runs and shard_id == runs[-1][1] + 1:
            runs[-1][1] = shard_id
        else:
            runs.append([shard_id, shard_id])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def shard_of(guild_id: int, count: int) -> int:
    """Return the shard that receives a server; guild 0, direct messages, is shard 0."""
    return (guild_id >> 22) % count
