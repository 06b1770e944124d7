#!/bin/sh
# tgmix 0.9.1 (PyPI, CPython 3.11), which packs a chat exported from Telegram for a model. Two messages of one person in one
# second become one, with the first one's answer alone: to "Who pays Kim?" and "Who brings bread?" Ada answers "me" and "not
# me" within a second, and both are the answer to who pays Kim. A poll in the second of two is gone, the votes of every poll
# are, and of "here" with a place the place is. An answer to a message of another chat answers the message that has its number
# here. What Leo said in a quote ends where his words do not, as only the first of its lines begins with ">".
# Source: tgmix describes itself as "Process a Telegram chat export for AI analysis", its file as "a structured representation
# of a Telegram chat export"; Telegram Desktop's export (JSON) has reply_to_peer_id, voters and location_information for these.
# Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "tgmix==0.9.1" 2>"$folder/pip.log"
cd "$folder"
mkdir chat
venv/bin/python - <<'PY'
import json
from pathlib import Path


def message(number, name, text, second, **parts):
    """Return a message as Telegram exports it."""
    return {
        "id": number,
        "type": "message",
        "date": f"2026-11-20T18:00:{second:02}",
        "date_unixtime": str(1795197600 + second),
        "from": name,
        "from_id": f"user{ord(name[0])}",
        "text": text,
        "text_entities": [],
        **parts,
    }


def poll(question, **votes):
    """Return a poll and its votes."""
    answers = [{"text": text, "voters": count, "chosen": False} for text, count in votes.items()]
    return {"question": question, "closed": False, "total_voters": sum(votes.values()), "answers": answers}


messages = [
    message(1, "Ada", "Who pays Kim?", 0),
    message(2, "Ben", "Who brings bread?", 5),
    message(3, "Ada", "me", 9, reply_to_message_id=1),
    message(4, "Ada", "not me", 9, reply_to_message_id=2),
    message(5, "Eva", "yes", 20, reply_to_message_id=1, reply_to_peer_id="channel777"),
    message(6, "Ada", [{"type": "blockquote", "text": "I pay nothing\nfor Kim"}, "\nsaid Leo"], 30),
    message(7, "Ben", "Please vote", 40),
    message(8, "Ben", "", 40, poll=poll("Which day?", Friday=2, Sunday=1)),
    message(9, "Eva", "", 45, poll=poll("Pizza?", yes=3, no=1)),
    message(10, "Ada", "here", 50, location_information={"latitude": 52.5, "longitude": 13.4}),
]
Path("chat/result.json").write_text(json.dumps({"name": "Club", "type": "private_group", "id": 1, "messages": messages}))
PY
venv/bin/tgmix --no-stats chat >tgmix.log 2>&1
sed -n '/^messages/,$p' chat/tgmix_output.toon.txt | grep -v time: >seen
cat seen
cat >expected <<'TEXT'
messages[8]:
  - id: 1
    author_id: U1
    text: Who pays Kim?
  - id: 2
    author_id: U2
    text: Who brings bread?
  - id: 3
    author_id: U1
    text: "me\n\nnot me"
    reply_to_message_id: 1
  - id: 5
    author_id: U3
    text: yes
    reply_to_message_id: 1
  - id: 6
    author_id: U1
    text: "> I pay nothing\nfor Kim\nsaid Leo"
  - id: 7
    author_id: U2
    text: Please vote
  - id: 9
    author_id: U3
    poll:
      question: Pizza?
      closed: false
      answers[2]: yes,no
  - id: 10
    author_id: U1
    text: here
TEXT
cmp seen expected
