#!/bin/sh
# larzagent 0.1.0 (PyPI, CPython 3.11), a framework for agents that makes a tool of a function from its type hints. It knows
# six bare types, and any other hint is a text to the model: a number that may be left out, a list of ids, one of two words,
# a dictionary. A model that keeps to the schema then sends "10" for ten minutes, and the function gets that text as it
# is: ten minutes are 101010... seconds, and a list of members is read letter by letter, without an error. What each
# argument means and what it is by default is not said either.
# Source: its README ("reads its signature, type hints, and docstring to build the JSON schema", "no drift"); _json_type and
# Tool._build_schema in larzagent/tools.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "larzagent==0.1.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
import json
from typing import Literal

from larzagent import LLM, Agent, tool


@tool
def remind(
    text: str,
    members: list[int],
    minutes: int | None = None,
    how: Literal["here", "by message"] = "here",
    extra: dict[str, str] | None = None,
) -> str:
    """Remind members of something."""
    return f"{len(members)} members in {(minutes or 60) * 6} seconds"


def model(request):
    """Call the tool by its schema once, then say what it gave."""
    if request["messages"][-1]["role"] == "tool":
        return {"choices": [{"message": {"role": "assistant", "content": request["messages"][-1]["content"]}}]}
    properties = request["tools"][0]["function"]["parameters"]["properties"]
    for name, schema in properties.items():
        print(f"{name}: {json.dumps(schema)}")
    wanted = {"text": "Tea", "members": [41, 42], "minutes": 10}
    written = {
        name: value if isinstance(value, str) or properties[name]["type"] != "string" else json.dumps(value)
        for name, value in wanted.items()
    }
    call = {"id": "1", "type": "function", "function": {"name": "remind", "arguments": json.dumps(written)}}
    return {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [call]}}]}


print(Agent(LLM("model", transport=model), tools=[remind]).run("Remind 41 and 42 of tea in 10 minutes"))
print("called directly:", remind("Tea", [41, 42], 10))
PY
cat >expected <<'TEXT'
text: {"type": "string"}
members: {"type": "string"}
minutes: {"type": "string"}
how: {"type": "string"}
extra: {"type": "string"}
8 members in 101010101010 seconds
called directly: 2 members in 60 seconds
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
