#!/bin/sh
# discord.py 2.7.1 (CPython 3.11): a class that add_dynamic_items registered "for persistent listening" hears no press any
# more, under no message, once any one view ends that holds one of its buttons beside an ordinary one. Ada's list of polls has
# the button "vote on 7" beside "close"; when she closes the list, or its ten minutes pass, nobody's vote under any other
# message counts until the class is registered again. A view that holds only such buttons takes nothing with it.
# Source: Client.add_dynamic_items ("Registers DynamicItem classes for persistent listening") and View.stop ("Stops listening to
# interaction events from this view", documented of one view) in the wheel's docstrings; ViewStore.remove_view in
# discord/ui/view.py. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "discord.py==2.7.1"
cat >"$folder/try.py" <<'PY'
import asyncio

import discord
from discord import ui

HEARD = []


class Vote(ui.DynamicItem[ui.Button], template=r"vote:(?P<poll>[0-9]+)"):
    """A button that counts a vote for the poll in its custom id."""

    def __init__(self, poll):
        super().__init__(ui.Button(label="Vote", custom_id=f"vote:{poll}"))
        self.poll = poll

    @classmethod
    async def from_custom_id(cls, interaction, item, match):
        return cls(match["poll"])

    async def callback(self, interaction):
        HEARD.append(self.poll)


def press(client, custom_id):
    """Dispatch a press of a button under a message that was sent before the program started."""
    person = {"id": "3", "username": "ben", "discriminator": "0", "avatar": None}
    button = {"type": 2, "style": 2, "label": "Vote", "custom_id": custom_id}
    message = {
        **dict.fromkeys(("embeds", "attachments", "mentions", "mention_roles"), []),
        **dict.fromkeys(("tts", "mention_everyone", "pinned"), False),
        **{"id": "1", "channel_id": "2", "type": 0, "content": "", "edited_timestamp": None},
        **{"timestamp": "2026-12-01T12:00:00+00:00", "author": person, "flags": 0},
        "components": [{"type": 1, "components": [button]}],
    }
    client._connection.parse_interaction_create(
        {
            **{"id": "5", "application_id": "6", "type": 3, "token": "t", "version": 1},
            **{"channel": {"id": "2", "type": 1, "recipients": [person], "last_message_id": None}},
            **{"channel_id": "2", "user": person, "locale": "en-GB", "attachment_size_limit": 1},
            **{"authorizing_integration_owners": {}, "context": 1, "entitlements": []},
            "message": message,
            "data": {"component_type": 2, "custom_id": custom_id},
        }
    )


async def heard_after_end(*items):
    """Return the polls whose votes are heard before and after a view with these items ends."""
    HEARD.clear()
    client = discord.Client(intents=discord.Intents.none())
    client.add_dynamic_items(Vote)
    view = ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    client.add_view(view, message_id=99)
    press(client, "vote:12")
    for _ in range(5):
        await asyncio.sleep(0)
    view.stop()
    press(client, "vote:34")
    for _ in range(5):
        await asyncio.sleep(0)
    return ", ".join(HEARD)


async def main():
    close = ui.Button(label="Close", custom_id="close")
    print("only 'close':", await heard_after_end(close))
    print("only 'vote on 7':", await heard_after_end(Vote("7")))
    close = ui.Button(label="Close", custom_id="close")
    print("'close' and 'vote on 7':", await heard_after_end(close, Vote("7")))


asyncio.run(main())
PY
"$folder/venv/bin/python" -W ignore "$folder/try.py" | tee "$folder/seen"
cat >"$folder/expected" <<'TXT'
only 'close': 12, 34
only 'vote on 7': 12, 34
'close' and 'vote on 7': 12
TXT
diff "$folder/expected" "$folder/seen"
