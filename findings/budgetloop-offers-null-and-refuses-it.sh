#!/bin/sh
# budgetloop 0.1.0 (PyPI, CPython 3.11), a loop of tool calls that makes schemas from type hints and checks arguments by
# them. One of some words, or none, becomes a type that may be null with a list of words that has no null, so that no
# value fits both: null, which is the argument's own default in that schema, is refused, and the model is told to choose
# a word. Of what the docstring says of an argument, the first line with a colon begins another argument: times such as
# 18:30, examples and the list of what the words mean are dropped without a trace, and with them what the lines
# after them say.
# Source: its README ("Supported: ... Literal[...], unions with None, Any, and defaults", "Args: lines in the docstring
# become parameter descriptions, which is most of what makes a model call a tool correctly"); describe in
# budgetloop/schema.py ("Anything it does not understand is left in the summary") and _coerce in tools.py of the wheel. JSON
# Schema holds "type" and "enum" to apply both. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "budgetloop==0.1.0"
cd "$folder"
cat >tools.py <<'PY'
import json
from typing import Literal

from budgetloop import ArgumentError, as_tool


def remind(when: str, how: Literal["here", "by message"] | None = None) -> str:
    """Remind somebody.

    Args:
        when: the time, as one of these:
            18:30: today, or tomorrow if that is over
            "friday": at 9:00 of the next Friday
            In the zone of who asks.
        how: where the reminder comes.
    """
    return f"{when}, {how}"


tool = as_tool(remind)
for name, schema in tool.schema["parameters"]["properties"].items():
    print(f"{name}: {json.dumps(schema)}")
for arguments in ({"when": "18:30"}, {"when": "18:30", "how": None}):
    try:
        print(f"{json.dumps(arguments)}: {tool.call(arguments)}")
    except ArgumentError as error:
        print(f"{json.dumps(arguments)}: {error}")
PY
venv/bin/python tools.py | tee seen
cat >expected <<'TEXT'
when: {"type": "string", "description": "the time, as one of these:"}
how: {"enum": ["here", "by message"], "type": ["string", "null"], "description": "where the reminder comes.", "default": null}
{"when": "18:30"}: 18:30, None
{"when": "18:30", "how": null}: remind.how: None is not one of 'here', 'by message'
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
