#!/bin/sh
# func2json 0.1.3 (PyPI, CPython 3.11, pydantic 2.12.5), which makes the description of a tool for a model from a Python function. A
# parameter that is an Enum or a model of pydantic becomes a reference to "#/$defs/Diet", and the definitions are left out: a validator
# raises at every call, valid or not. A function without a docstring, which the README says is handled gracefully, is an
# UnboundLocalError. "int | None" and "Literal[1, 2]" are texts, with "Optional[int]" being a number, and the default of a parameter is
# not told.
# Source: its README ("Handles parameter types and descriptions", "Gracefully handles functions without annotations or docstrings");
# JSON Schema 2020-12, 8.2.3.1: a reference resolves against the current document. Checked with jsonschema 4.26.0. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "func2json==0.1.3" "pydantic==2.12.5" "docstring-parser==0.17.0" "jsonschema==4.26.0"
cd "$folder"
cat >tools.py <<'PY'
import enum
import json
from typing import Literal, Optional

from func2json import execf
from jsonschema import Draft202012Validator


class Diet(enum.Enum):
    VEGAN = "vegan"
    ANY = "any"


def eats(name: str, diet: Diet):
    """Note what somebody eats."""


def remind(hours: int | None, times: Literal[1, 2], minutes: Optional[int] = 5):
    """Remind somebody."""


def forget(name: str):
    return name


parameters = execf(eats)["function"]["parameters"]
print("eats:", json.dumps(parameters))
try:
    print(Draft202012Validator(parameters).is_valid({"name": "Ada", "diet": "vegan"}))
except Exception as error:
    print("a valid call:", type(error).__name__)
print("remind:", json.dumps(execf(remind)["function"]["parameters"]["properties"]))
try:
    print(execf(forget))
except UnboundLocalError as error:
    print("without a docstring:", error)
PY
venv/bin/python tools.py >seen
cat seen
cat >expected <<'TEXT'
eats: {"type": "object", "properties": {"name": {"type": "string"}, "diet": {"$ref": "#/$defs/Diet"}}, "required": ["name", "diet"]}
a valid call: _WrappedReferencingError
remind: {"hours": {"type": "string"}, "times": {"type": "string"}, "minutes": {"type": "integer"}}
without a docstring: cannot access local variable 'parsed_doc' where it is not associated with a value
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
