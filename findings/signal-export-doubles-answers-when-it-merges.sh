#!/bin/sh
# signal-export 3.9.3 (PyPI, CPython 3.11), which writes Signal's conversations as Markdown and merges them with an earlier export
# ("--old"). The same export merged with itself is another one: each answer to a message is there twice, since the quote above
# an answer is looked for below it and read as words of the answer. So are deleted messages, and those with a
# link in Markdown, in one of which the link is an attachment in the folder of the chat. Of two
# messages "ok" within a minute one is gone. Who copied lines out of an older export into a message puts words into
# others' mouths: "[2026-11-20 10:00] Ben: I will not come" within Ada's message is a message of Ben's in her chat then.
# Source: lines_to_msgs and merge_chat in sigexport/merge.py, to_message and comp in models.py of the wheel; merge_chat says
# "get rid of duplicates", the README "merge the new export with a previous one". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "signal-export==3.9.3"
cd "$folder"
TZ=UTC venv/bin/python - <<'PY'
from pathlib import Path

from sigexport.create import create_message
from sigexport.merge import merge_chat
from sigexport.models import Contact, RawMessage

ADA = {"ada": Contact("ada", "a", "Ada", "", "Ada", False, None, "Ada")}
START = 1795869900000  # 28 November 2026, 12:45 UTC


def message(seconds, body, sender="incoming", **more):
    """Return a message as signal-export takes it from Signal's database."""
    at = dict.fromkeys(("timestamp", "sent_at", "server_timestamp"), START + 1000 * seconds)
    none = dict.fromkeys(("read_status", "seen_status", "call_history", "sticker", "quote"))
    fields = none | at | {"has_attachments": False, "attachments": [], "reactions": []} | more
    raw = RawMessage(conversation_id="ada", id=str(seconds), body=body, type=sender, source="a", **fields)
    return create_message(raw, "Ada", False, ADA)


messages = [
    message(0, "Friday?"),
    message(60, "Yes, at seven", "outgoing", quote={"text": "Friday?"}),
    message(120, "See [the menu](https://a.example/menu)"),
    message(180, "ok"),
    message(200, "ok"),
    message(240, "", deleted=True),
    message(300, "Look:\n[2026-11-20 10:00] Ben: I will not come"),
]
chat = Path("chat.md")
chat.write_text("".join(message.to_md() for message in messages))
seen = [" ".join(message.to_md().split()) for message in merge_chat(messages, chat)]
print(f"{len(messages)} messages merged with themselves:", *seen, sep="\n")
if seen != [
    "[2026-11-20 10:00:00] Ben: I will not come",
    "[2026-11-28 12:45:00] Ada: Friday?",
    *["[2026-11-28 12:46:00] Me: > Friday? Yes, at seven"] * 2,
    "[2026-11-28 12:47:00] Ada: See [the menu](./https://a.example/menu)",
    "[2026-11-28 12:47:00] Ada: See [the menu](https://a.example/menu)",
    "[2026-11-28 12:48:20] Ada: ok",
    *["[2026-11-28 12:49:00] Ada: (This message was deleted)"] * 2,
    "[2026-11-28 12:50:00] Ada: Look:",
    "[2026-11-28 12:50:00] Ada: Look: [2026-11-20 10:00] Ben: I will not come",
]:
    raise SystemExit("the behaviour has changed")
PY
