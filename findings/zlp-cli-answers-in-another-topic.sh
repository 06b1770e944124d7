#!/bin/sh
# zlp-cli 0.1.0 with zulip 0.9.1 (PyPI, CPython 3.11), which prints Zulip's messages for agents and keeps "a lossless
# local Markdown archive". Messages of several topics of a stream, which is what "zlp messages --stream" asks for, are
# printed under the topic of the first: "Yes, do it", said of the cake, stands in the topic "backup", where Anna asks
# whether to delete it. In the archive a topic is a folder named by its letters and digits alone: C++, C# and C are one,
# and its mark of what was fetched is one, too. After "zlp pull --topic C++ --import-history" the same for C# says that
# nothing is to be fetched, and its history stays away.
# Source: the README's quick start; render_markdown and slugify in zlp/format.py, catchup and state_file in zlp/sync.py
# of the wheel. The server is played by an object with the client's methods. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "zlp-cli==0.1.0" "zulip==0.9.1"
cd "$folder"
venv/bin/python -W ignore - <<'PY' | tee seen
from pathlib import Path

from zlp.format import render_markdown
from zlp.sync import catchup

MESSAGES = [
    (1, "C#", "Anna", "We release on Friday"),
    (2, "backup", "Anna", "Shall I delete the old backup?"),
    (3, "cake", "Ben", "Shall I order the cake?"),
    (4, "cake", "Cy", "Yes, do it"),
    (5, "C++", "Ben", "We release on Monday"),
]


class Server:
    """What zulip.Client is to the program; get_messages answers as Zulip's documentation says."""

    base_url, email = "https://zulip.example.org/api/", "kim@example.org"

    def get_profile(self):
        return {"result": "success", "email": self.email}

    def get_stream_id(self, name):
        return {"result": "success", "stream_id": 7}

    def get_streams(self, **_):
        return {"result": "success", "streams": [{"name": "dev", "stream_id": 7}]}

    get_subscriptions = get_streams

    def get_messages(self, request):
        topics = [part[1] for part in map(operator, request["narrow"]) if part[0] == "topic"]
        found = [
            message(*row)
            for row in MESSAGES
            if (not topics or row[1] == topics[0])
            and (request["anchor"] == "newest" or row[0] > request["anchor"])
        ]
        return {"result": "success", "messages": found, "found_newest": True}


def operator(part):
    return (part["operator"], part["operand"]) if isinstance(part, dict) else part


def message(number, topic, sender, words):
    """Return a message as Zulip sends it."""
    return {
        "id": number,
        "type": "stream",
        "stream_id": 7,
        "display_recipient": "dev",
        "subject": topic,
        "sender_full_name": sender,
        "timestamp": 1795860000 + 60 * number,
        "content": words,
    }


server = Server()
latest = server.get_messages({"anchor": "newest", "narrow": [["stream", "dev"]]})["messages"][1:4]
printed = render_markdown(latest, stream="dev")
print("\n".join(line for line in printed.splitlines() if line and line != "---"))
for topic in ("C++", "C#"):
    count = catchup(server, Path("archive"), "dev", topic, import_history=True, attachments=False, silent=True)
    print(f"{topic}: {count} fetched")
for path in sorted(Path("archive").rglob("*.md")):
    print(path.parent, path.read_text().splitlines()[-1], sep=": ")
PY
cat >expected <<'TEXT'
## #dev > backup
**Anna** · 2026-11-28 10:02 · `id:2`
Shall I delete the old backup?
**Ben** · 2026-11-28 10:03 · `id:3`
Shall I order the cake?
**Cy** · 2026-11-28 10:04 · `id:4`
Yes, do it
C++: 1 fetched
C#: 0 fetched
archive/dev/c: We release on Monday
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
