#!/bin/sh
# toolwrap-lite 0.3.0 (PyPI, CPython 3.11), a decorator that makes "OpenAI-compatible" descriptions of tools and exports them as
# tools.json. The type of a parameter is the name of the Python class: "str", "int", "bool", "float", "list" and "str | none" are written
# where JSON Schema knows "string", "integer" and five more, for every annotated parameter, the README's own example included. What
# checks schemas refuses them all; only a parameter without a type is right, and is a text. Under "from __future__ import
# annotations" the types have quotes of their own. What get_registered_tools() gives holds the functions themselves, so that it
# cannot be sent as the README's example prints it.
# Source: its README ("automatically converts your Python functions into OpenAI-compatible function calling schemas"); JSON Schema
# 2020-12, validation, 6.1.1: type is one of seven names. Checked with jsonschema 4.26.0. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "toolwrap-lite==0.3.0" "jsonschema==4.26.0"
cd "$folder"
cat >tools.py <<'PY'
import json

from jsonschema import Draft202012Validator, SchemaError
from toolwrap_lite import export_tools_to_json, get_registered_tools, tool


@tool
def add(x: int, y: int) -> int:
    """Add two numbers."""
    return x + y


@tool
def remember(who, what: str, sure: float, tags: list[str], done: bool = False, note: str | None = None):
    """Remember something of somebody."""


export_tools_to_json("tools.json")
with open("tools.json") as file:
    for description in json.load(file):
        parameters = description["parameters"]
        print(description["name"], {name: one["type"] for name, one in parameters["properties"].items()})
        try:
            Draft202012Validator.check_schema(parameters)
        except SchemaError:
            print("  refused")
try:
    json.dumps(get_registered_tools())
except TypeError as error:
    print("get_registered_tools():", error)
PY
venv/bin/python tools.py >seen
cat seen
cat >expected <<'TEXT'
add {'x': 'int', 'y': 'int'}
  refused
remember {'who': 'string', 'what': 'str', 'sure': 'float', 'tags': 'list', 'done': 'bool', 'note': 'str | None'}
  refused
get_registered_tools(): Object of type function is not JSON serializable
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
