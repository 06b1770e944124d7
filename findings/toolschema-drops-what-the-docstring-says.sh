#!/bin/sh
# toolschema 1.0.1 (PyPI, CPython 3.11), "Function → JSON Schema, once, everywhere". What the docstring says of an argument is
# in no schema, whatever its style; only its first line is used. A default that is a member of an Enum, whose values
# it lists, stands in the schema as that member, so that no client can write it as JSON. For OpenAI's strict mode it makes
# every argument required, but not what is within them, so that a strict endpoint refuses the tool. Keys of a TypedDict
# that are Required may be left out.
# Source: its README ("Build the canonical tool IR from a function signature, type hints, defaults, and docstring", "OpenAI
# strict mode wants every field required", "strict: ... lists every property in required"); OpenAI's guide to
# structured outputs ("All fields or function parameters must be specified as required"); PEP 655. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "toolschema==1.0.1"
cd "$folder"
cat >tools.py <<'PY'
import json
from dataclasses import dataclass
from enum import Enum
from typing import Required, TypedDict

from toolschema import schema


class How(Enum):
    HERE = "here"
    MESSAGE = "by message"


@dataclass
class Person:
    id: int
    nick: str | None = None


class Place(TypedDict, total=False):
    street: Required[str]
    town: str


def remind(text: str, people: list[Person], place: Place) -> str:
    """Remind people of something.

    Args:
        text: What to say, without a greeting.
        people: Whom, at most five.

    :param place: Where they are to come.
    """
    return text


def greet(how: How = How.HERE) -> str:
    """Greet everybody."""
    return how.value


tool = schema(remind).to_openai(strict=True)["function"]
properties = tool["parameters"]["properties"]
print("the tool:", tool["description"])
print("described:", [name for name, part in properties.items() if "description" in part])
print("strict, required of a person:", properties["people"]["items"]["required"])
print("required of a place:", properties["place"].get("required"))
try:
    print(json.dumps(schema(greet).to_openai()))
except TypeError as error:
    print("TypeError:", error)
PY
venv/bin/python tools.py | tee seen
cat >expected <<'TEXT'
the tool: Remind people of something.
described: []
strict, required of a person: ['id']
required of a place: None
TypeError: Object of type How is not JSON serializable
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
