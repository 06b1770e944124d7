"""Whether Discord is connected, and how long it takes to answer."""

import math

from discord.ext import commands


def latency_s(bot: commands.AutoShardedBot) -> float | None:
    """Return how long Discord takes to answer the slowest shard; None if one is cut off.

    A shard that was cut off has its last latency still, and the client stays ready.
    """
    shards = bot.shards.values()
    latencies = [math.inf if one.is_closed() else one.latency for one in shards]
    is_connected = bot.is_ready() and latencies and all(map(math.isfinite, latencies))
    return max(latencies) if is_connected else None
