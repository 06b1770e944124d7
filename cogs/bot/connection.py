"""The gateway connection: its latency, and which servers it serves."""

import math

from discord.ext import commands

from utils.models.memory import DIRECT_MESSAGES


def latency_s(bot: commands.AutoShardedBot) -> float | None:
    """Return the latency of the slowest shard; None if a shard is disconnected.

    A disconnected shard keeps its last latency, and the client stays ready.
    """
    shards = bot.shards.values()
    latencies = [math.inf if shard.is_closed() else shard.latency for shard in shards]
    is_connected = bot.is_ready() and latencies and all(map(math.isfinite, latencies))
    return max(latencies) if is_connected else None


def is_connected_for(bot: commands.AutoShardedBot, guild_id: int) -> bool:
    """Return whether this process is connected for a server, or for direct messages."""
    if guild_id == DIRECT_MESSAGES:
        return bot.shard_ids is None or 0 in bot.shard_ids
    guild = bot.get_guild(guild_id)
    return guild is not None and not guild.unavailable
