#!/bin/sh
# tg-parser 1.2.0 (PyPI, CPython 3.11), which makes Markdown "optimized for LLM processing" of Telegram Desktop's exports, of a
# group with topics, split by topic. What somebody answers within a topic is in General: Telegram's export names the message
# that is answered, which leads to the topic only by way of that message, and nothing follows it. "Who can come on Friday?"
# and "Not on Friday, please" are of two files, and next to the latter stands "I can", an answer about something else. A reply
# has the number of what it answers, and no line has its number. A poll is a name and a time without its question, a
# place and a contact likewise, also outside topics, and nothing says that something is missing.
# Source: determine_topic and parse_message in tg_parser/infrastructure/readers/_parsing.py of the wheel; "poll" stands nowhere
# there. Telegram Desktop writes reply_to_msg_id only (telegramdesktop/tdesktop, export/output/export_output_json.cpp). The
# README: "Split forum chats by topic into separate files". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "tg-parser==1.2.0"
cd "$folder"
venv/bin/python - <<'PY'
import json
import subprocess
from pathlib import Path

PEOPLE = {"Ada": "user5", "Ben": "user6", "Cy": "user7"}


def message(number, name, text="", **more):
    """Return a message as Telegram Desktop exports it."""
    entities = [{"type": "plain", "text": text}] if text else []
    at = {"id": number, "date": f"2026-11-02T10:{number}:00", "date_unixtime": str(1793527200 + 60 * number)}
    return at | {"type": "message", "from": name, "from_id": PEOPLE[name], "text": text, "text_entities": entities} | more


def topic(number, title):
    """Return the line that opens a topic."""
    at = {"id": number, "date": f"2026-11-02T10:{number}:00", "date_unixtime": str(1793527200 + 60 * number)}
    opened = {"type": "service", "actor": "Ada", "actor_id": "user5", "action": "topic_created", "title": title}
    return at | opened | {"text": "", "text_entities": []}


answers = [{"text": "Rye", "voters": 2, "chosen": False}]
messages = [
    topic(11, "Oven"),
    topic(12, "Trip"),
    message(13, "Ada", "Who can come on Friday?", reply_to_message_id=11),
    message(14, "Ben", "I can.", reply_to_message_id=13),
    message(15, "Cy", "I have the tickets.", reply_to_message_id=12),
    message(16, "Ada", "Not on Friday, please.", reply_to_message_id=15),
    message(17, "Ben", poll={"question": "Which bread?", "closed": False, "total_voters": 2, "answers": answers}),
]
chat = {"name": "Bakers", "type": "private_supergroup", "id": 1234567890, "messages": messages}
Path("result.json").write_text(json.dumps(chat))
command = ["venv/bin/tg-parser", "parse", "result.json", "--split-topics", "-o", "out"]
subprocess.run(command, check=True, capture_output=True)
seen = {}
for path in sorted(Path("out").iterdir()):
    lines = path.read_text().split("---\n", 1)[1].splitlines()
    seen[path.name] = [line for line in lines if line and not line.startswith("## ")]
for name, lines in seen.items():
    print(name, *lines, sep="\n  ")
expected = {
    "General.md": [
        *("### 10:11 — Ada", "### 10:12 — Ada"),
        *("### 10:14 — Ben", "> Reply to message #13", "I can."),
        *("### 10:16 — Ada", "> Reply to message #15", "Not on Friday, please."),
        "### 10:17 — Ben",
    ],
    "Oven.md": ["### 10:13 — Ada", "> Reply to message #11", "Who can come on Friday?"],
    "Trip.md": ["### 10:15 — Cy", "> Reply to message #12", "I have the tickets."],
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
