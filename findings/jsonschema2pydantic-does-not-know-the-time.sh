#!/bin/sh
# jsonschema2pydantic 0.1.3 (PyPI, CPython 3.11, pydantic 2.12.5), which makes models of pydantic from JSON Schema. Every "date-time" is
# "Not handled type datetime": its table has the type under "date-time" and it asks for "datetime", so that no model with a
# time in it comes back, though a date does. "required" is never read: what has no default must be given, so that an answer of
# a model that leaves out what it may leave out is refused. An object with its properties in place is a KeyError, as is an Enum in
# pydantic's own schema.
# Source: its README, which asserts that a model's schema goes there and back; _TYPE_MAPPING and _generate_type_from_property_values()
# in generator.py of the wheel; JSON Schema 2020-12, validation, 6.5.3: a property is required only if it is listed. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "jsonschema2pydantic==0.1.3" "pydantic==2.12.5"
cd "$folder"
venv/bin/python - >seen <<'PY'
import enum
from datetime import date, datetime

from jsonschema2pydantic import generate_schema
from pydantic import BaseModel, ValidationError


class Born(BaseModel):
    name: str
    day: date


class Met(BaseModel):
    name: str
    at: datetime


class Diet(enum.Enum):
    VEGAN = "vegan"


class Eats(BaseModel):
    diet: Diet


for model in (Born, Met, Eats):
    try:
        print(model.__name__, generate_schema(model.model_json_schema()).model_json_schema() == model.model_json_schema())
    except (KeyError, ValueError) as error:
        print(model.__name__, type(error).__name__, error)
texts = {"type": "string"}
person = {"title": "Person", "type": "object", "properties": {"name": texts, "nickname": texts}, "required": ["name"]}
try:
    print(generate_schema(person)(name="Ada"))
except ValidationError as error:
    print("required by it:", [problem["loc"] for problem in error.errors()])
person["properties"]["home"] = {"type": "object", "properties": {"town": texts}}
try:
    print(generate_schema(person))
except KeyError as error:
    print("an object in place:", error)
PY
cat seen
cat >expected <<'TEXT'
Born True
Met ValueError Not handled type datetime
Eats KeyError 'properties'
required by it: [('nickname',)]
an object in place: 'additionalProperties'
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
