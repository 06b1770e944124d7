#!/bin/sh
# discord.py 2.7.1, py-cord 2.8.1 and disnake 2.12.2 (PyPI, CPython 3.11), given a server of which the bot may view one
# of two channels for staff. Since 16 November 2026 Discord sends a channel that a bot cannot view "obfuscated": the name is
# ___hidden___, flag 1 << 17 is set, and one overwrite that takes View Channel from @everyone stands for all. The three
# know nothing of that and compute with the placeholder: members, permissions_for and changed_roles, right for the other
# channel, say that only administrators read along, though everybody with the role Staff does. So what a bot tells "only
# where these members read it" is told to others. discord.py and py-cord have the flag as a number without a name; disnake
# keeps no flags of a text channel, and there the bot's own permissions are the only sign.
# Source: docs.discord.com, resources/channel, "Obfuscated Channels", and the change log of 12 August 2026.
# Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > readers.py <<'PY'
import importlib
import sys
from types import SimpleNamespace
from unittest import mock

library = importlib.import_module(sys.argv[1])
VIEW, ADMINISTRATOR, OBFUSCATED = 1 << 10, 1 << 3, 1 << 17


def role(role_id, name, permissions):
    colors = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
    looks = {"color": 0, "colors": colors, "hoist": False, "managed": False, "mentionable": False, "flags": 0}
    return {"id": role_id, "name": name, "permissions": str(permissions), "position": int(role_id)} | looks


def member(user_id, name, *roles):
    user = {"id": user_id, "username": name, "discriminator": "0", "avatar": None, "global_name": None}
    times = {"joined_at": "2026-01-01T00:00:00+00:00", "premium_since": None}
    return {"user": user, "roles": list(roles), "deaf": False, "mute": False, "flags": 0} | times


def channel(channel_id, name, flags, *overwrites):
    made = {"id": channel_id, "type": 0, "name": name, "position": int(channel_id), "flags": flags}
    return made | {"permission_overwrites": list(overwrites), "parent_id": None, "guild_id": "1"}


nobody = {"id": "1", "type": 0, "allow": "0", "deny": str(VIEW)}
staff = {"id": "2", "type": 0, "allow": str(VIEW), "deny": "0"}
kith = {"id": "21", "type": 1, "allow": str(VIEW), "deny": "0"}
levels = ("verification_level", "explicit_content_filter", "default_message_notifications", "mfa_level", "nsfw_level")
lists = ("features", "emojis", "stickers", "threads", "voice_states", "presences", "stage_instances")
server = dict.fromkeys(levels, 0) | {name: [] for name in lists} | {
    "id": "1", "name": "Club", "owner_id": "99", "member_count": 4, "premium_tier": 0, "system_channel_flags": 0,
    "guild_scheduled_events": [], "soundboard_sounds": [], "afk_timeout": 60, "preferred_locale": "en-US",
    "roles": [role("1", "@everyone", VIEW), role("2", "Staff", 0), role("3", "Admins", ADMINISTRATOR)],
    "members": [member("21", "bot"), member("22", "mia", "2"), member("23", "ada", "3"), member("24", "lev")],
    "channels": [channel("11", "staff", 0, nobody, staff, kith), channel("12", "___hidden___", OBFUSCATED, nobody)],
}
state = mock.MagicMock(self_id=21, shard_count=None)
state.store_user = lambda data, **_: SimpleNamespace(id=int(data["id"]), name=data["username"], bot=False)
state.create_user = state.store_user
guild = library.Guild(data=server, state=state)
for shown in guild.text_channels:
    readers = ", ".join(each.name for each in sorted(shown.members, key=lambda each: each.id))
    mia = shown.permissions_for(guild.get_member(22)).view_channel
    flags = getattr(shown, "flags", None)
    named = "none kept" if flags is None else f"{flags.value} {[name for name, is_set in flags if is_set]}"
    print(f"{shown.name}: read by {readers}; may mia read it? {mia}; flags: {named}")
PY
for library in discord.py==2.7.1:discord py-cord==2.8.1:discord disnake==2.12.2:disnake; do
    python3 -m venv --clear venv
    venv/bin/pip install -q "${library%:*}"
    echo "${library%:*}"
    venv/bin/python -W ignore readers.py "${library#*:}"
done | tee seen
cat > expected <<'END'
discord.py==2.7.1
staff: read by bot, mia, ada; may mia read it? True; flags: none kept
___hidden___: read by ada; may mia read it? False; flags: none kept
py-cord==2.8.1
staff: read by bot, mia, ada; may mia read it? True; flags: 0 []
___hidden___: read by ada; may mia read it? False; flags: 131072 []
disnake==2.12.2
staff: read by bot, mia, ada; may mia read it? True; flags: 0 []
___hidden___: read by ada; may mia read it? False; flags: 131072 []
END
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
