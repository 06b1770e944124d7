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
MEMBER = {"flags": 0}
"""Of a member; Discord sends a part of one with messages, mentions and typing."""
SIZE_LIMIT = {"attachment_size_limit": 10 * 2**20}  # new in 2024


def completed(event: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return an event's data with defaults for what is missing, without what Kith does not use."""
    data = _with_member(data)
    if event.startswith(("GUILD_CREATE", "GUILD_UPDATE", "THREAD_LIST_SYNC")):
        used = {key: value for key, value in data.items() if key not in UNUSED}
        if "members" in used:
            used["members"] = [MEMBER | member for member in used["members"]]
        places = {key: used[key] for key in ("channels", "threads") if key in used}
        return used | {key: [CHANNEL | place for place in places[key]] for key in places}
    if event.startswith(("CHANNEL_", "THREAD_")):
        return CHANNEL | data
    if event == "INTERACTION_CREATE":
        place = {"channel": {"name": "", **CHANNEL, **data["channel"]}} if "channel" in data else {}
        return SIZE_LIMIT | data | place
    if data.get("thread"):
        data = data | {"thread": CHANNEL | data["thread"]}
    if "mentions" in data:
        return data | {"mentions": [_with_member(user) for user in data["mentions"]]}
    return data


def _with_member(holder: dict[str, Any]) -> dict[str, Any]:
    return holder | {"member": MEMBER | holder["member"]} if holder.get("member") else holder
