#!/bin/sh
# roleplay-slim 0.4.1 (PyPI, CPython 3.10 or newer), a library and proxy that shortens the history of chats with characters to
# "protect what makes them themselves", as installed. Of a turn older than six the first and the last sentence are kept, and a
# sentence ends at every full stop, also one within a number, an address or an abbreviation: "The exam is at 9.30 on 4.12. in
# room B2. ... I have 2.5 hours." becomes "The exam is at 9. …… 5 hours.", in the member's name. Who asked for something in
# between, "Please do not tell Bert", never did. A note of the system within the chat, such as "Anna left the channel.", is
# dropped once it is six turns old. If the same note was there twice, it is the very last message instead, after the newest
# question, however old both are: Anna, who came back and asks, has just left. A code that begins the newest message loses the
# indentation of its first line.
# Source: _SENTENCE_SPLIT_RE in roleplay_slim/strategies.py of the wheel, which needs no blank after the stop, and "re-attach
# one copy at the end" in compressor.py. The README keeps the "recent dialogue verbatim". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "roleplay-slim==0.4.1"
"$folder/venv/bin/python" - <<'PY'
from roleplay_slim import compress


def user(words):
    return {"role": "user", "content": words}


def bot(words):
    return {"role": "assistant", "content": words}


persona = {"role": "system", "content": "You are Kim."}
left = {"role": "system", "content": "Anna left the channel."}
exam = "The exam is at 9.30 on 4.12. in room B2. Please do not tell Bert. I have 2.5 hours."
medicine = "Dr. Lee says 3.5 mg in the evening. Not in the morning. More at 7.15."
talk = [message for number in range(7) for message in (user(f"Question {number}"), bot(f"Answer {number}"))]
code = "    if x:\n        y()"

once = compress([persona, user(exam), bot(medicine), left, user("I am back"), *talk, user(code)])
twice = compress([persona, user(exam), left, user("Back"), bot("Hi"), left, user("Back again"), *talk, user("And now?")])
print("an old turn:", repr(once[1]["content"]), repr(once[2]["content"]))
print("a note that was there once:", left in once)
print("one that was there twice, with the message before it:", [message["content"] for message in twice[-2:]])
print("the newest message:", repr(once[-1]["content"]))
assert once[1]["content"] == "The exam is at 9. …… 5 hours."
assert once[2]["content"] == "Dr. …… 15."
assert left not in once
assert twice.count(left) == 1 and twice[-2:] == [user("And now?"), left]
assert once[-1]["content"] == "if x:\n        y()"
print("the oldest note is the newest message")
PY
