#!/bin/sh
# gpt-pydantic-tools 0.2 (PyPI, CPython 3.11, with pydantic 2.12.5), which makes tools for models of pydantic classes. It
# takes the titles out of a schema that pydantic writes for each field, and with them every field whose own name is
# title: a reminder, an event or a book is a tool that requires a title and lists none. Who keeps to the schema and adds
# nothing that is not listed cannot call it, and the package's own check then refuses what it has asked for. A default
# that is a dictionary loses its title too.
# Source: its README ("ensuring structured data and tool interaction consistency"); remove_key_from_dict in
# gpt_pydantic_tools/__init__.py of the wheel. JSON Schema's "properties" maps names to schemas, so a title there is a
# name and no annotation. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "gpt-pydantic-tools==0.2" "pydantic==2.12.5" "jsonschema==4.26.0" "attrs==25.4.0" \
    "attrs-strict==1.0.1"
cd "$folder"
venv/bin/python -W ignore - <<'PY' | tee seen
from gpt_pydantic_tools import ToolSchemaManager
from pydantic import BaseModel


class Reminder(BaseModel):
    """Remind a member of something."""

    title: str
    minutes: int
    look: dict[str, str] = {"title": "Reminder", "color": "blue"}


tool = ToolSchemaManager(pydantic_obj=Reminder)
parameters = tool.tools_schema[0]["function"]["parameters"]
print("listed:", sorted(parameters["properties"]))
print("required:", parameters["required"])
print("the default of look:", parameters["properties"]["look"]["default"])
answer = tool.validate_tool_answer({"minutes": 10})
print("a call with all that is listed:", getattr(answer, "message", answer))
PY
cat >expected <<'TEXT'
listed: ['look', 'minutes']
required: ['title', 'minutes']
the default of look: {'color': 'blue'}
a call with all that is listed: 'title' is a required property
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
