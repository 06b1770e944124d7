#!/bin/sh
# schema2model 0.1.1 (PyPI, CPython 3.11, pydantic 2.12.5), which makes models of pydantic from JSON Schema, recursive ones included. Two
# models that name each other, a person with pets and a pet with its person, are never built, since its sorting leaves out all
# that stands in a circle: the answer is KeyError 'Person'. "additionalProperties": true, which pydantic writes for every
# dict[str, Any], is a TypeError. What is not in "required" must be given all the same, unless it has a default.
# Source: its README ("Recursive models", "Collections: list, set, tuple, dict"); _topological_sort_defs() and _schema_to_type() in
# its __init__.py; JSON Schema 2020-12, 10.3.2.3: additionalProperties is a schema, of which true is one. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "schema2model==0.1.1" "pydantic==2.12.5"
cd "$folder"
cat >models.py <<'PY'
from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from schema2model import schema2model


class Person(BaseModel):
    name: str
    pets: list[Pet] = []


class Pet(BaseModel):
    name: str
    person: Person | None = None


class Node(BaseModel):
    name: str
    nodes: list[Node] = []


class Note(BaseModel):
    extra: dict[str, Any] = {}


for model in (Node, Person, Note):
    try:
        print(model.__name__, "is", schema2model(model.model_json_schema()).__name__)
    except (KeyError, TypeError) as error:
        print(model.__name__, type(error).__name__, error)
texts = {"type": "string"}
fields = {"name": texts, "nickname": texts}
strict = schema2model({"title": "Strict", "type": "object", "properties": fields, "required": ["name"]})
print("required:", [name for name, field in strict.model_fields.items() if field.is_required()])
PY
venv/bin/python models.py >seen
cat seen
cat >expected <<'TEXT'
Node is Node
Person KeyError 'Person'
Note TypeError argument of type 'bool' is not iterable
required: ['name', 'nickname']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
