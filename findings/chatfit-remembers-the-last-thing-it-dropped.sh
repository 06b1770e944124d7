#!/bin/sh
# chatfit 0.4.0 (PyPI, CPython 3.11), which trims talks with a model "without forgetting", and its ChatMemory, a "rolling
# memory for ongoing chats", with the summarizer that the package brings. fit(), given the whole talk, keeps what a person
# said first. ChatMemory, given the same lines one by one, keeps of all that has left the window one line, the last: each fold
# hands it the summary so far as a system message, and it lists what users said, so the nuts and the pills are gone. If the
# last line to go is the model's, the summary is "2 earlier message(s) were omitted", of four here. An answer at the head of
# the window goes without being summarized, also where there is room for all: of a talk that the bot begins, only the "Yes,
# please." is sent.
# Source: its README ("each fold re-summarizes the previous summary together with the newly dropped turn"; "oldest turns
# summarized"); default_summarizer in chatfit/core.py, _fold_oldest and _rebalance in chatfit/memory.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "chatfit==0.4.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from chatfit import ChatMemory, fit

TALK = [
    ("user", "I am Ada and allergic to nuts."),
    ("assistant", "Noted, Ada: no nuts for you."),
    ("user", "My cat Mia needs pills at eight."),
    ("assistant", "I shall think of Mia at eight."),
    ("user", "My sister Eva moves to Graz."),
    ("assistant", "All the best to Eva in Graz!"),
    ("user", "Please name a cake that I may bake for her, with all that it takes."),
]


def show(name, messages):
    """Print the summary, and how many messages follow it."""
    summaries = [message["content"].split("\n", 1)[1] for message in messages if message["role"] == "system"]
    print(f"{name}: {summaries}, then", [message["content"] for message in messages if message["role"] != "system"])


show("fit", fit([{"role": role, "content": text} for role, text in TALK], max_tokens=90).messages)
for name, said in (("ChatMemory", TALK), ("ChatMemory, the lines of the person alone", TALK[::2])):
    memory = ChatMemory(max_tokens=90 if said is TALK else 60, summary_ratio=0.6)
    for role, text in said:
        memory.add(role, text)
    show(name, memory.render())
memory = ChatMemory(max_tokens=2000)
memory.add_assistant("Shall I remind you of the dentist?").add_user("Yes, please.")
show("a talk that the bot begins", memory.render())
PY
cat seen
cat >expected <<'TEXT'
fit: ['Earlier, the user asked about: I am Ada and allergic to nuts.; My cat Mia needs pills at eight.'], then ['My sister Eva moves to Graz.', 'All the best to Eva in Graz!', 'Please name a cake that I may bake for her, with all that it takes.']
ChatMemory: ['2 earlier message(s) were omitted.'], then ['My sister Eva moves to Graz.', 'All the best to Eva in Graz!', 'Please name a cake that I may bake for her, with all that it takes.']
ChatMemory, the lines of the person alone: ['Earlier, the user asked about: My sister Eva moves to Graz.'], then ['Please name a cake that I may bake for her, with all that it takes.']
a talk that the bot begins: [], then ['Yes, please.']
TEXT
cmp expected seen
