#!/bin/sh
# mcp-contract 0.6.0 (PyPI, CPython 3.11, mcp 1.28.1), which records what a server of MCP promises of its tools and says which changes break
# its callers. An argument that was any text and may now be one of two words is "additive", "new accepted value(s)", and the check
# passes, though every other text is refused; the day the two words become any text again, it fails with "accepted value(s) gone".
# A result that was a text and is now a number is "narrowed; still within what callers handled", while an argument that took an integer
# and takes any number, of which integers are some, is "a caller sending the old type breaks".
# Source: its README ("breaking: an input type narrows", "a promised result changes", "additive: a widened input type"); _is_widening(),
# _compare_argument() and _compare_output_field() in compare.py of the wheel; JSON Schema 2020-12, validation, 6.1.1 ("integer" is a
# number) and 6.1.2. Its comparison is given the schemas as its probe reads them from a server. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "mcp-contract==0.6.0" "mcp==1.28.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
from mcp_contract import Contract, compare, surface_from_schema

TEXT = {"type": "string"}
WORDS = {"type": "string", "enum": ["ada", "ben"]}
INTEGER, NUMBER = {"type": "integer"}, {"type": "number"}


def contract(who, age):
    """The contract of a server with one tool, which takes "who" and gives "age"."""
    tool = surface_from_schema(
        "recall", "Recall.", {"type": "object", "properties": {"who": who}, "required": ["who"]},
        {"type": "object", "properties": {"age": age}, "required": ["age"]})
    return Contract(tools=[tool])


for name, before, after in (
    ("takes any text, then one of two words", (TEXT, TEXT), (WORDS, TEXT)),
    ("takes one of two words, then any text", (WORDS, TEXT), (TEXT, TEXT)),
    ("takes an integer, then any number", (INTEGER, TEXT), (NUMBER, TEXT)),
    ("gives a text, then a number", (TEXT, TEXT), (TEXT, NUMBER)),
):
    report = compare(contract(*before), contract(*after))
    print(f"{name}: {'passes' if report.ok else 'fails'}")
    for change in report.changes:
        print(f"  {change.severity} {change.kind}: {change.detail}")
PY
cat seen
cat >expected <<'TEXT'
takes any text, then one of two words: passes
  additive enum-value-added: new accepted value(s): ada, ben
takes one of two words, then any text: fails
  breaking enum-value-removed: accepted value(s) gone: ada, ben
takes an integer, then any number: fails
  breaking argument-type-changed: type integer -> number; a caller sending the old type breaks
gives a text, then a number: passes
  additive output-type-narrowed: output string -> number; still within what callers handled
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
