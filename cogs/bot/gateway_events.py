"""Complete what Discord's gateway sends: discord.py needs fields that Discord may leave out. Pure.

Which fields are optional is what Discord's documentation says of each object.
"""

from typing import Any

UNUSED = (
    "emojis",
    "guild_scheduled_events",
    "presences",
    "soundboard_sounds",
    "stage_instances",
    "stickers",
    "voice_states",
)
"""What Kith does not use of a server. One of them that discord.py cannot read costs the server."""
CHANNEL = {"position": 0, "bitrate": 0, "user_limit": 0, "message_count": 0, "member_count": 0}
REACTION = {"burst": False, "type": 0}


def completed(event: str, data: Any) -> Any:
    """Return an event's data with defaults for what is missing, without what Kith does not use."""
    if event.startswith(("GUILD_CREATE", "GUILD_UPDATE", "THREAD_LIST_SYNC")):
        used = {key: value for key, value in data.items() if key not in UNUSED}
        places = {key: used[key] for key in ("channels", "threads") if key in used}
        return used | {key: [CHANNEL | place for place in places[key]] for key in places}
    if event.startswith(("CHANNEL_", "THREAD_")):
        return CHANNEL | data
    if event.startswith("MESSAGE_REACTION_"):
        return REACTION | data
    if event == "INTERACTION_CREATE" and "channel" in data:
        return {**data, "channel": {"name": "", **CHANNEL, **data["channel"]}}
    return data
