#!/bin/sh
# agent-tool-parser 0.1.3 (PyPI, CPython 3.11, with its compiled part and without), which finds tool calls in models' texts "to
# normalize them before execution". It knows the tools of agents that write code, and takes every other tool for one of
# them: what a memory's tool calls "query" arrives as "pattern", "file" as "path", "old" as "old_str", and a tool "view" as
# "read_file". An argument "input", "params" or "args" that holds a text is dropped: remember(input="I have a cat") arrives as
# remember(). Names become lower case, so a tool "searchNotes" is refused even where allowed_tools names it. The calls here are
# as Hermes and Qwen write them, and right as they stand.
# Source: README, whose table of formats has a call with "query" as supported, and which speaks of "minor model deviations" and
# of mappings given with param_aliases; _DEFAULT_PARAM_ALIASES, normalize_name and normalize_args in parser.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "agent-tool-parser==0.1.3"
cd "$folder"
cat >read.py <<'PY'
import json

from agent_tool_parser import ToolError, ToolParser


def shown(name, arguments, allowed):
    """Print what is read of a call, where the tools are named and where not."""
    text = f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"
    try:
        call = ToolParser(allowed_tools={name} if allowed else None).parse(text)
        read = f"{call.name} {json.dumps(call.args, sort_keys=True)}"
    except ToolError:
        read = "no call"
    print(f"{name} {json.dumps(arguments)}{' (allowed)' if allowed else ''} -> {read}")


shown("search", {"query": "tea", "limit": 5}, True)
shown("remember", {"input": "I have a cat"}, True)
shown("correct", {"old": "two cats", "new": "three cats"}, True)
shown("view", {"note": 3}, False)
shown("searchNotes", {"text": "tea"}, False)
shown("searchNotes", {"text": "tea"}, True)
PY
venv/bin/python read.py >compiled
AGENT_TOOL_PARSER_NO_EXT=1 venv/bin/python read.py >plain
cat compiled
cat >expected <<'TEXT'
search {"query": "tea", "limit": 5} (allowed) -> search {"limit": 5, "pattern": "tea"}
remember {"input": "I have a cat"} (allowed) -> remember {}
correct {"old": "two cats", "new": "three cats"} (allowed) -> correct {"new_str": "three cats", "old_str": "two cats"}
view {"note": 3} -> read_file {"note": 3}
searchNotes {"text": "tea"} -> searchnotes {"text": "tea"}
searchNotes {"text": "tea"} (allowed) -> no call
TEXT
cmp expected compiled
cmp expected plain
