#!/bin/sh
# chatcram 0.1.0 (PyPI, CPython 3.11), which shortens a chat's history for a model, "framework-agnostic". Where the cut
# lies between a tool's call and its result, the result is kept without the call, which endpoints of OpenAI's kind refuse with
# 400, so a bot with tools has no answer. Of the call that went, the summariser reads "assistant: None", neither the tool nor
# what it was asked. A picture is counted and shown by its Base64: one of 60 kB is 20,000 tokens, so a chat of four short
# messages is summarised at the README's sizes, and the summariser is given all of it. "Answer in German from now on", said
# by the system in the middle, stands before the summary of what came earlier.
# Source: its README, "Works on plain message dicts", and its example of sizes; OpenAI's API, "messages with role 'tool' must
# be a response to a preceding message with 'tool_calls'". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "chatcram==0.1.0"
cd "$folder"
cat >cram.py <<'PY'
from chatcram import Compactor

shown = []


def summarize(transcript):
    """Keep what the model would be shown, and answer as it would."""
    shown.append(transcript)
    return "Kim plans a party."


CALL = {"id": "1", "type": "function", "function": {"name": "recall", "arguments": '{"about": "nuts"}'}}
HISTORY = [
    {"role": "system", "content": "You are the club's bot."},
    {"role": "user", "content": "Kim here. I plan a party for the whole club and need a cake for it, who knows what all may eat?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "1", "content": "Anna is allergic to nuts."},
    {"role": "assistant", "content": "No nuts, for Anna."},
    {"role": "system", "content": "Answer in German from now on."},
    {"role": "user", "content": "Thanks!"},
]
result = Compactor(budget=50, summarize=summarize, keep_recent=20).compact(HISTORY)
for message in result.messages:
    print(f"{message['role']}: {message['content']!r}")
print("shown:", shown[0][-16:].replace("\n", " | "))

PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 80_000}}
LOOK = {"role": "user", "content": [{"type": "text", "text": "What is this?"}, PICTURE]}
ANSWERS = [{"role": "assistant", "content": "A cake."}, {"role": "user", "content": "Thanks!"}]
result = Compactor(budget=4000, summarize=summarize, keep_recent=1500).compact([HISTORY[0], LOOK, *ANSWERS])
print("with a picture:", result.summarized, len(result.messages), "shown, in thousands:", len(shown[1]) // 1000)
PY
venv/bin/python cram.py | tee seen
cat >expected <<'TEXT'
system: "You are the club's bot."
system: 'Answer in German from now on.'
system: 'Summary of earlier conversation:\nKim plans a party.'
tool: 'Anna is allergic to nuts.'
assistant: 'No nuts, for Anna.'
user: 'Thanks!'
shown:  | assistant: None
with a picture: True 4 shown, in thousands: 80
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
