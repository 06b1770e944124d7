#!/bin/sh
# matrix-fn-schema 0.1.9 with pydantic 2.12.5 (PyPI, CPython 3.11), which makes strict tools for models from type hints. An argument
# of any type, or a list of anything, that may be left out becomes one that may only be null: a model that keeps to the
# schema can never give it, as strict endpoints see to. Whatever may be left out may be null instead, which the function
# does not take for its default: a reminder "now" by default comes at None. A pydantic model within a tool that says
# "strict" keeps what may be left out, and takes further keys, which strict endpoints refuse.
# Source: its README ("OpenAI-compatible JSON Schema", "strict": true, and the table of types, where only None is
# {"type": "null"}); _make_strict_schema in matrix_fn_schema/schema.py of the wheel; OpenAI's guide to structured outputs ("All
# fields must be required", "additionalProperties: false must always be set in objects"). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "matrix-fn-schema==0.1.9" "docstring-parser==0.17.0" "pydantic==2.12.5"
cd "$folder"
cat >tools.py <<'PY'
import json
from typing import Any, Optional

from matrix_fn_schema import build_json_schema
from pydantic import BaseModel


class Place(BaseModel):
    street: str
    town: Optional[str] = None


def remind(text: str, place: Place, when: str = "now", extra: Any = None, members: list = []) -> str:
    """Remind members of something."""
    return f"{text}, {when}"


tool = build_json_schema(remind)
properties = tool["parameters"]["properties"]
for name in ("when", "extra", "members"):
    print(f"{name}: {json.dumps(properties[name])}")
print("strict:", tool["strict"])
print("place:", properties["place"]["required"], "of", list(properties["place"]["properties"]))
print("other keys in place:", properties["place"].get("additionalProperties", "allowed"))
print(remind("Tea", Place(street="Quay 1"), when=None))
PY
venv/bin/python tools.py | tee seen
cat >expected <<'TEXT'
when: {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "Default: 'now'"}
extra: {"type": "null", "description": "Default: None"}
members: {"type": "null", "description": "Default: []"}
strict: True
place: ['street'] of ['street', 'town']
other keys in place: allowed
Tea, None
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
