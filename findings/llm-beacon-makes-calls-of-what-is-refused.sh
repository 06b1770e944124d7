#!/bin/sh
# llm-beacon 0.1.0 (PyPI, CPython 3.11), which finds tool calls in what a model has written. Llama's calls of its own tools,
# marked with <|python_tag|>, come out under another name: brave_search.call(...) is a call of "brave_search.call", which
# nobody offers, while the same in Llama's JSON has the right name. The form name(k=v) is looked for anywhere in a sentence: "I
# will not call delete_note(note=5)" and "Ada asked what remind(who='Ben') does" are one call each, like a call that was made.
# Source: its docstring of parse_tool_call ("Extract exactly one tool call", "NoToolCallFoundError if there is none") and its
# README, which has Llama's <|python_tag|> among its formats and says of the blocks that they have strict contracts; Meta's
# prompt format of Llama 3.1 has <|python_tag|>brave_search.call(query="...") for its tool brave_search. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "llm-beacon==0.1.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from beacon import NoToolCallFoundError, parse_tool_call

for text in [
    '<|python_tag|>brave_search.call(query="opening hours")',
    '<|python_tag|>{"name": "brave_search", "parameters": {"query": "opening hours"}}',
    'Call: search(query="opening hours")',
    "I will not call delete_note(note=5).",
    "Ada asked what remind(who='Ben') does.",
    "I will not delete the note.",
]:
    try:
        print(f"{text}: {parse_tool_call(text)}")
    except NoToolCallFoundError:
        print(f"{text}: no call")
PY
cat seen
cat >expected <<'TEXT'
<|python_tag|>brave_search.call(query="opening hours"): {'name': 'brave_search.call', 'arguments': {'query': 'opening hours'}}
<|python_tag|>{"name": "brave_search", "parameters": {"query": "opening hours"}}: {'name': 'brave_search', 'arguments': {'query': 'opening hours'}}
Call: search(query="opening hours"): {'name': 'search', 'arguments': {'query': 'opening hours'}}
I will not call delete_note(note=5).: {'name': 'delete_note', 'arguments': {'note': 5}}
Ada asked what remind(who='Ben') does.: {'name': 'remind', 'arguments': {'who': 'Ben'}}
I will not delete the note.: no call
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
