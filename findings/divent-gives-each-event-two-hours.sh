#!/bin/sh
# divent 5.2.0 with disnake 2.12.2 (PyPI, CPython 3.11), which makes a calendar of a server's scheduled events for
# people to subscribe to. Each event lasts two hours: a tournament from Saturday to Sunday evening is over on Saturday at
# noon, half an hour of tea blocks two. A game night that Discord repeats each Friday is there once, without RRULE, and
# one in a voice channel has no place. Nothing in the calendar says that an end was guessed, or that more will follow.
# Source: make_event in divent/bot.py of the wheel: a timedelta of two hours, scheduled_end_time is not read. Discord's API
# (discord-api-types 0.38.57, APIGuildScheduledEvent) has scheduled_end_time, which each event at a place of its own must
# have, channel_id and recurrence_rule; the last stands nowhere in disnake. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "divent==5.2.0" "disnake==2.12.2"
cd "$folder"
DISCORD_TOKEN=x OAUTH2_CLIENT_ID=1 OAUTH2_CLIENT_SECRET=x venv/bin/python -W ignore - <<'PY'
import asyncio
from datetime import datetime

from divent import bot

PARK = {"entity_type": 3, "channel_id": None, "entity_metadata": {"location": "Park"}}
VOICE = {"entity_type": 2, "channel_id": "11", "entity_metadata": None}
FRIDAYS = {
    **{"start": "2026-12-04T19:00:00+00:00", "end": None, "frequency": 2, "interval": 1, "by_weekday": [4]},
    **dict.fromkeys(("by_n_weekday", "by_month", "by_month_day", "by_year_day", "count")),
}


def event(event_id, name, start, end, place, recurrence=None):
    """Return a scheduled event as Discord's gateway sends it."""
    times = {"scheduled_start_time": start, "scheduled_end_time": end, "recurrence_rule": recurrence}
    of = {"id": event_id, "guild_id": "1", "creator_id": "5", "name": name, "description": "", "image": None}
    return of | times | place | {"privacy_level": 2, "status": 1, "entity_id": None, "user_count": 2}


events = [
    event("21", "Tournament", "2026-12-05T10:00:00+00:00", "2026-12-06T18:00:00+00:00", PARK),
    event("22", "Tea", "2026-12-05T15:00:00+00:00", "2026-12-05T15:30:00+00:00", PARK),
    event("23", "Game night", "2026-12-04T19:00:00+00:00", None, VOICE, FRIDAYS),
]
table = {"id": "11", "type": 2, "name": "Table", "position": 0, "flags": 0, "permission_overwrites": []}
table |= {"parent_id": None, "guild_id": "1", "bitrate": 64000, "user_limit": 0}
levels = ("verification_level", "explicit_content_filter", "default_message_notifications", "mfa_level", "nsfw_level")
lists = ("features", "emojis", "stickers", "threads", "voice_states", "presences", "stage_instances", "roles")
server = dict.fromkeys(levels, 0) | {name: [] for name in (*lists, "members", "soundboard_sounds")} | {
    "id": "1", "name": "Club", "owner_id": "99", "member_count": 4, "premium_tier": 0, "system_channel_flags": 0,
    "afk_timeout": 60, "preferred_locale": "en-US", "vanity_url_code": None, "description": None,
    "guild_scheduled_events": events, "channels": [table],
}


async def calendar():
    """Return what the site serves under the server's id."""
    response = await bot.app.test_client().get("/1.ics")
    return (await response.get_data()).decode()


bot.client._connection._add_guild_from_data(server)
seen = []
for text in asyncio.run(calendar()).split("BEGIN:VEVENT")[1:]:
    lines = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    start = datetime.strptime(lines["DTSTART"], "%Y%m%dT%H%M%SZ")
    shown = (f"{start:%a %H:%M}", lines["SUMMARY"], lines.get("DURATION"), lines.get("LOCATION"), lines.get("RRULE"))
    seen.append(shown)
    print(*shown, sep="  ")
print("what disnake keeps of the last:", bot.client.guilds[0].get_scheduled_event(23).channel)
expected = [
    ("Sat 10:00", "Tournament", "PT2H", "Park", None),
    ("Sat 15:00", "Tea", "PT2H", "Park", None),
    ("Fri 19:00", "Game night", "PT2H", None, None),
]
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
