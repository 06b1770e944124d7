"""Shards: the parts into which Discord deals a bot's servers, written as 0,2,4-7. Pure.

Shard n of c tells of the servers whose id, without its last 22 bits, leaves n when divided by c;
shard 0 tells of direct messages as well (Discord's documentation, "Sharding").
"""

import re
from collections.abc import Iterable

MOST_SHARDS = 10_000
_RANGE = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")


def parse_shards(text: str) -> tuple[int, ...]:
    """Return the numbers that ``0,2,4-7`` names. Raises ValueError for anything else."""
    found: list[int] = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            raise ValueError("must be numbers and ranges, such as 0,1 or 0-3")
        found += range(first, last + 1)
    return tuple(found)


def shards_in_words(ids: Iterable[int]) -> str:
    """Return what :func:`parse_shards` reads, as short as it can be."""
    runs: list[list[int]] = []
    for one in sorted(ids):
        if runs and one == runs[-1][1] + 1:
            runs[-1][1] = one
        else:
            runs.append([one, one])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def shard_of(guild_id: int, count: int) -> int:
    """Return the shard that tells of a server; 0, direct messages, are shard 0's."""
    return (guild_id >> 22) % count
