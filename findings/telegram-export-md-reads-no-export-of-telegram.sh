#!/bin/sh
# telegram-export-md 0.4.1 (PyPI, CPython 3.11), which makes Markdown of Telegram Desktop's JSON exports, given those two that
# Telegram Desktop writes. The one of a chat ("Export chat history", as its README says) has its messages at the top: "no
# chats matched". The one of all chats has them in chats.list: it ends with an AttributeError. What it reads is a list named
# "chats", which only its own "fetch" writes. Put into that form, a poll has its question and no answer (Telegram's key is
# "answers", not "options"), files and places are messages without words, and one line "Ada invited Ben" is another
# AttributeError, since Telegram lists members by their names.
# Source: Telegram Desktop, export/output/export_output_json.cpp (telegramdesktop/tdesktop): "total_voters", "answers",
# "members". The README: "Replies resolved", "Forwards, edits, and polls rendered faithfully". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "telegram-export-md==0.4.1"
cd "$folder"
venv/bin/python - <<'PY'
import json
import subprocess
from pathlib import Path


def message(number, text="", **more):
    """Return a message as Telegram Desktop exports it."""
    entities = [{"type": "plain", "text": text}] if text else []
    at = {"id": number, "date": f"2026-11-02T10:0{number}:00", "date_unixtime": str(1793527200 + 60 * number)}
    return at | {"type": "message", "from": "Ada", "from_id": "user5", "text": text, "text_entities": entities} | more


def markdown(export):
    """Return the lines of Markdown that an export becomes, or the last line of what went wrong."""
    Path("result.json").write_text(json.dumps(export))
    command = ["venv/bin/tg-export-md", "result.json", "-o", "out"]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode:
        return (ran.stderr.strip() or ran.stdout.strip()).splitlines()[-1]
    lines = Path("out/Bakers.md").read_text().split("---\n", 1)[1].splitlines()
    return [line for line in lines if line.strip("- ")]


answers = [{"text": "Rye", "voters": 2, "chosen": False}, {"text": "Spelt", "voters": 1, "chosen": True}]
poll = {"question": "Which bread?", "closed": False, "total_voters": 3, "answers": answers}
file = {"file": "files/rota.pdf", "file_name": "rota.pdf", "file_size": 10, "mime_type": "application/pdf"}
place = {"place_name": "Mill", "address": "1 Lane", "location_information": {"latitude": 53.8, "longitude": -1.5}}
invited = {"type": "service", "actor": "Ada", "actor_id": "user5", "action": "invite_members", "members": ["Ben"]}
chat = {"name": "Bakers", "type": "private_supergroup", "id": 1234567890, "messages": [message(1, "Hello")]}
more = [message(2, poll=poll), message(3, **file), message(4, **place)]
joined = [{key: value for key, value in message(5).items() if not key.startswith("from")} | invited]
seen = {
    "a chat": markdown(chat),
    "all chats": markdown({"about": "Here is the data", "chats": {"about": "All chats", "list": [chat]}}),
    "its own form": markdown({"chats": [chat]}),
    "a poll, a file, a place": markdown({"chats": [chat | {"messages": more}]}),
    "who was invited": markdown({"chats": [chat | {"messages": joined}]}),
}
for name, lines in seen.items():
    print(f"{name}: {lines}")
expected = [
    "error: no chats matched",
    "AttributeError: 'str' object has no attribute 'get'",
    ["**2026-11-02 10:01 — Ada**", "Hello"],
    ["**2026-11-02 10:02 — Ada**", "🗳 **Which bread?**", "**2026-11-02 10:03 — Ada**", "**2026-11-02 10:04 — Ada**"],
    "AttributeError: 'str' object has no attribute 'get'",
]
if list(seen.values()) != expected:
    raise SystemExit("the behaviour has changed")
PY
