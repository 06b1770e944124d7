#!/bin/sh
# discord-data 0.2.3 (PyPI, CPython 3.11), a reader of the data packages that Discord sends on request, whose README advises to
# merge several. Of a message that was edited between two packages, the merged messages have the words of the package that is
# read first: if the older one is named first, the edit is never seen. In a folder of packages that is the order in which
# the file system lists them. No version wins by its date, and nothing marks the other.
# Source: merge_messages in discord_data/merge.py drops each id that it has seen; _list_exports takes iterdir() as it
# comes. Both packages have the same time for the message, which is when it was sent. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "discord-data==0.2.3"
cd "$folder"
venv/bin/python - <<'PY'
import json
from pathlib import Path

from discord_data import merge_messages

WORDS = {"march_2026": "I live in Leeds", "october_2026": "I live in York"}
PACKAGES = [Path("packages", name) for name in WORDS]


def package(folder, words):
    """Write what a package of Discord's has of one message."""
    channel = folder / "messages" / "c2"
    channel.mkdir(parents=True)
    message = {"ID": 9, "Timestamp": "2026-02-01 12:00:00", "Contents": words, "Attachments": ""}
    (channel / "messages.json").write_text(json.dumps([message]))
    (channel / "channel.json").write_text(json.dumps({"id": "2", "type": "GUILD_TEXT"}))
    (folder / "messages" / "index.json").write_text(json.dumps({"2": "general"}))


def merged(**packages):
    return [message.content for message in merge_messages(**packages)]


for folder, words in zip(PACKAGES, WORDS.values()):
    package(folder, words)
older_first = [folder / "messages" for folder in PACKAGES]
seen = {
    "the older one first": merged(paths=older_first),
    "the newer one first": merged(paths=older_first[::-1]),
    "a folder, as it is listed here": merged(export_dir="packages"),
}
for name, words in seen.items():
    print(f"{name}: {words}")
old, new = ([words] for words in WORDS.values())
if seen["the older one first"] != old or seen["the newer one first"] != new:
    raise SystemExit("the behaviour has changed")
PY
