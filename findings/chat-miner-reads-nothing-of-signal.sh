#!/bin/sh
# chat-miner 0.6.0 with polars 2.1.0 and pandas 3.1.1 (PyPI, CPython 3.11), "parsers for every major platform", whose README
# sends people who use Signal to signal-export 3.9.3 (PyPI). Of what that writes today it reads no message, and says nothing:
# it looks for a comma between day and time, and for no seconds. What people say on Instagram is missing if it has
# "to your message" or "liked a message" anywhere in it, as what Instagram itself writes does. On Telegram each change of the
# font becomes a blank, also within a word and in front of a comma: "Kim", in bold, and "'s" are "Kim 's".
# Source: SignalParser, InstagramJsonParser and TelegramJsonParser in chatminer/chatparsers.py of the wheel; to_md in
# sigexport/models.py of signal-export. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-deps "chat-miner==0.6.0" "signal-export==3.9.3"
# of their requirements those that parsing and writing need
"$folder/venv/bin/pip" install -q "polars==2.1.0" "pandas==3.1.1" "tqdm==4.70.1" 2>"$folder/pip.log"
cd "$folder"
venv/bin/python - 2>log <<'PY'
import json
from datetime import datetime
from pathlib import Path

from chatminer.chatparsers import InstagramJsonParser, SignalParser, TelegramJsonParser
from sigexport.models import Message

SAID = ("I got to your message late", "Nobody liked a message of mine", "See you")


def read(parser, text):
    """Return what a parser reads of an export."""
    Path("export").write_text(text)
    parser = parser("export")
    parser.parse_file()
    return [message.message for message in parser.parsed_messages._parsed_messages]


def signal(text):
    """Return a line of the Markdown of signal-export."""
    return Message(datetime(2026, 11, 28, 12, 45), "Ada", text, "", None, [], []).to_md()


instagram = [{"sender_name": "Ada", "timestamp_ms": 1795869900000, "content": text} for text in SAID]
bold = [{"type": "bold", "text": "Kim"}, "'s cat, ", {"type": "bold", "text": "un"}, "fed"]
telegram = {"id": 1, "type": "message", "date_unixtime": "1795869900", "from": "Ada", "text": bold}
seen = {
    "Signal": read(SignalParser, "".join(map(signal, SAID))),
    "Signal, as it was": read(SignalParser, "[2026-11-28, 12:45] Ada: See you\n"),
    "Instagram": read(InstagramJsonParser, json.dumps({"messages": instagram})),
    "Telegram": read(TelegramJsonParser, json.dumps({"name": "Club", "messages": [telegram]})),
}
for name, texts in seen.items():
    print(f"{name}: {texts}")
if list(seen.values()) != [[], ["See you"], ["See you"], ["Kim 's cat,  un fed"]]:
    raise SystemExit("the behaviour has changed")
PY
