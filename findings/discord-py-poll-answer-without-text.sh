#!/bin/sh
# discord.py 2.7.1 (CPython 3.11): if one answer of a poll is an emoji without a text, Message drops the whole poll
# without a word: message.poll is None, as for a message that has none. The KeyError for the missing text is swallowed
# in Message.__init__. Discord documents poll media's "text" as optional: not to be relied upon ("Poll Media Object").
# Source: discord/poll.py and discord/message.py of the wheel. Seen on 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "discord.py==2.7.1"
"$folder/venv/bin/python" - <<'PY'
from unittest.mock import MagicMock

import discord

RED, BLUE = ({"id": None, "name": name} for name in ("\U0001f534", "\U0001f535"))


def answers_of(*media):
    """Return the texts that a message's poll has after parsing; None: the message has no poll."""
    poll = {
        "question": {"text": "Which colour?"},
        "answers": [
            {"answer_id": number, "poll_media": one} for number, one in enumerate(media, start=1)
        ],
        "expiry": "2030-01-01T00:00:00+00:00",
        "allow_multiselect": False,
        "layout_type": 1,
    }
    data = {
        **dict.fromkeys(("embeds", "attachments", "mentions", "mention_roles"), []),
        **dict.fromkeys(("tts", "mention_everyone", "pinned"), False),
        **{"id": "1", "channel_id": "2", "type": 0, "content": "", "edited_timestamp": None},
        "timestamp": "2026-11-28T12:00:00+00:00",
        "author": {"id": "3", "username": "a", "discriminator": "0", "avatar": None},
        "poll": poll,
    }
    channel = MagicMock(spec=discord.DMChannel)
    channel.guild = None
    message = discord.Message(state=MagicMock(), channel=channel, data=data)
    return None if message.poll is None else [answer.text for answer in message.poll.answers]


with_texts = answers_of({"text": "red", "emoji": RED}, {"text": "blue", "emoji": BLUE})
without_one = answers_of({"text": "red", "emoji": RED}, {"emoji": BLUE})
print("discord.py", discord.__version__)
print("both answers have a text:", with_texts)
print("one answer is an emoji:", without_one)
assert with_texts == ["red", "blue"] and without_one is None, "the behaviour has changed"
PY
