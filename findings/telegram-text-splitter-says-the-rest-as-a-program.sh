#!/bin/sh
# telegram-text-splitter 0.2.0 (PyPI, CPython 3.11), which cuts long answers for Telegram bots, here at its default of 4,000
# characters. A spoiler that goes over a cut is none: "||" opens in one message and closes in the next, and what it hides is
# open to all. Behind a program that fills more than a message, prose that needs a cut of its own becomes a program: one
# message ends with a fence that opens, and all of the next is code. Messages are then longer than the limit that was asked
# for, 4,011 characters.
# Source: its README: "Ensures that no Markdown formatting is broken", "each respecting Telegram's message length limits";
# "Support for advanced Telegram-specific syntax like spoilers". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "telegram-text-splitter==0.2.0"
cd "$folder"
venv/bin/python - <<'PY'
from telegram_text_splitter import split_markdown_into_chunks


def code_of(message):
    """Return what stands in a message as code."""
    parts = message.split("```")
    return "".join(parts[1::2])


spoiler = split_markdown_into_chunks("The film is good. " * 200 + "||He dies. " + "It is sad. " * 100 + "||")
marks = [message.count("||") for message in spoiler]
print("signs of spoilers in each message:", marks)
program = "menu = 'bread without nuts'\n" * 143
messages = split_markdown_into_chunks(f"```python\n{program}```\n\n" + "Ben must not eat nuts. " * 300)
lengths = [len(message) for message in messages]
as_code = [code_of(message).count("Ben must not") for message in messages]
print("lengths:", lengths, "sentences as code:", as_code)
if (marks, lengths) != ([1, 1], [3990, 42, 4011, 2916]) or as_code[:3] != [0, 0, 0] or as_code[3] < 100:
    raise SystemExit("the behaviour has changed")
PY
