#!/bin/sh
# prism-tool 0.1.0 (PyPI, CPython 3.11), which says of a function whether a provider will take it as a tool. The same
# number that may be left out is an error as Optional[int] and fine as int | None, which Python holds to be equal. Of
# OpenAI's strict mode, which it judges by, it says that unions fail; OpenAI's documentation says that a field is made
# optional with just such a union with null. Any is an error by itself and fine inside a list or a dictionary, and a
# dictionary of any keys, which strict mode refuses, is fine.
# Source: its summary ("Catch AI agent tool schema failures before they reach the provider"); lint_tool in
# prism/linter.py of the wheel, which asks for __origin__; OpenAI's guide to structured outputs ("All fields must be
# required", with "type": ["string", "null"], and "additionalProperties: false must always be set"). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-deps "prism-tool==0.1.0"
cd "$folder"
cat >lint.py <<'PY'
from typing import Any, Optional

from prism.linter import lint_tool


def spelled_out(minutes: Optional[int]):
    """Remind somebody."""


def short(minutes: int | None):
    """Remind somebody."""


def anything(value: Any):
    """Note something."""


def any_map(values: dict[str, Any]):
    """Note something."""


print("equal types:", Optional[int] == int | None)
for tool in (spelled_out, short, anything, any_map):
    print(f"{tool.__name__}: {[warning['issue'] for warning in lint_tool(tool)]}")
PY
venv/bin/python lint.py | tee seen
cat >expected <<'TEXT'
equal types: True
spelled_out: ['Union types fail in OpenAI strict mode.']
short: []
anything: ["'Any' type is rejected by OpenAI strict mode."]
any_map: []
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
