"""Measures how long it takes to compute which channels the readers of an answer can read.

    python -m benchmarks.audience [--json] [--channels 500] [--roles 250] [--rounds 20]

The server is made of discord.py's own objects. Most channels are hidden from @everyone, each has
ten overwrites of roles, every fourth one of a person, every fifth is a voice channel. ``cold_ms``
is the first answer after an event has cleared the cache, ``next_ms`` the first one in another
channel after that, ``warm_ms`` any later one. All are medians, of CPU time of this process; the
slowest cold one may hold a full garbage collection.
"""

import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from typing import Any

import discord

from benchmarks.stage.measuring import goal
from benchmarks.stage.program import misses_a_goal, program
from cogs.bot.audience import Audiences
from utils.common.clock import Clock
from utils.models.guild import GuildSettings

GUILD, KITH, OWNER, VERIFIED = 1, 5, 77, 10
COLD_GOAL_MS, WARM_GOAL_MS = 20.0, 0.1
WARM_TIMES = 1_000
VIEW, HISTORY = 1 << 10, 1 << 16
EVERYONE = VIEW | HISTORY | 1 << 20


def make_server(channels: int, roles: int, chance: random.Random) -> discord.Guild:
    """Return a server with random permissions."""
    state: Any = SimpleNamespace(
        self_id=KITH,
        user=SimpleNamespace(id=KITH),
        shard_count=1,
        member_cache_flags=discord.MemberCacheFlags.none(),
        cache_guild_expressions=False,
    )
    role_ids = range(VERIFIED, VERIFIED + roles - 1)
    data: Any = {
        "id": GUILD,
        "name": "server",
        "owner_id": OWNER,
        "roles": [
            _role(GUILD, EVERYONE),
            *(_role(id, chance.choice([0, 0, 0, VIEW, VIEW | HISTORY])) for id in role_ids),
        ],
        "channels": [_channel(1_000 + index, role_ids, chance) for index in range(channels)],
    }
    return discord.Guild(data=data, state=state)


def _role(role_id: int, permissions: int) -> dict[str, Any]:
    return {"id": role_id, "name": f"role {role_id}", "permissions": str(permissions)}


def _channel(channel_id: int, role_ids: Sequence[int], chance: random.Random) -> dict[str, Any]:
    overwrites = [
        _overwrite(role_id, 0, chance.choice([0, VIEW]), chance.choice([0, 0, 0, HISTORY]))
        for role_id in chance.sample(role_ids, min(10, len(role_ids)))
    ]
    if chance.random() < 0.6:
        overwrites.append(_overwrite(GUILD, 0, 0, VIEW))
    if chance.random() < 0.25:
        overwrites.append(_overwrite(10_000 + chance.randrange(300), 1, VIEW, 0))
    return {
        "id": channel_id,
        "type": 2 if chance.random() < 0.2 else 0,
        "name": f"channel {channel_id}",
        "position": channel_id,
        "permission_overwrites": overwrites,
        "bitrate": 64_000,
        "user_limit": 0,
    }


def _overwrite(target_id: int, kind: int, allow: int, deny: int) -> dict[str, Any]:
    return {"id": target_id, "type": kind, "allow": str(allow), "deny": str(deny)}


def measure(
    _folder: Path, channels: int = 500, roles: int = 250, rounds: int = 20
) -> dict[str, Any]:
    """Return the report."""
    chance = random.Random(1)
    guild = make_server(channels, roles, chance)
    implied = tuple(range(VERIFIED + 1, VERIFIED + roles // 4))
    settings = GuildSettings(guild.id, base_role_id=VERIFIED, implied_role_ids=implied)
    cold, following, warm = [], [], []
    for _ in range(rounds):
        audiences = Audiences(Clock())
        first, second = chance.sample(guild.text_channels, 2)
        cold.append(_timed(lambda: audiences.of(first, settings)))  # noqa: B023
        following.append(_timed(lambda: audiences.of(second, settings)))  # noqa: B023
        began = time.process_time()
        for _ in range(WARM_TIMES):
            audiences.of(first, settings)
        warm.append((time.process_time() - began) * 1000 / WARM_TIMES)
    report = {"channels": channels, "roles": roles}
    figures = {
        "cold_ms": median(cold),
        "slowest_cold_ms": max(cold),
        "next_ms": median(following),
        "warm_ms": median(warm),
    }
    rounded = {name: round(value, 4) for name, value in figures.items()}
    goals = [
        goal("the first answer after an event (ms)", rounded["cold_ms"], COLD_GOAL_MS),
        goal("a later answer (ms)", rounded["warm_ms"], WARM_GOAL_MS),
    ]
    return report | rounded | {"goals": goals}


def _timed(action: Callable[[], object]) -> float:
    began = time.process_time()
    action()
    return (time.process_time() - began) * 1000


main = program("audience", __doc__, measure, is_failure=misses_a_goal)


if __name__ == "__main__":
    sys.exit(main())
