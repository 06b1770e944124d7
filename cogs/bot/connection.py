"""The latency of the gateway connection."""

import math

from discord.ext import commands


def latency_s(bot: commands.AutoShardedBot) -> float | None:
    """Return the latency of the slowest shard; None if a shard is disconnected.

    A disconnected shard keeps its last latency, and the client stays ready.
    """
    shards = bot.shards.values()
    latencies = [math.inf if shard.is_closed() else shard.latency for shard in shards]
    is_connected = bot.is_ready() and latencies and all(map(math.isfinite, latencies))
    return max(latencies) if is_connected else None
