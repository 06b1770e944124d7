#!/bin/sh
# toolpatch 0.5.0 (PyPI, CPython 3.11), which turns tool calls that a local model wrote as text into real ones. Whatever stands
# in a code fence and has a "name" is a call: an example about a person is taken out of the answer and calls the tool "Ada"
# without arguments, also where a fence only lists what a tool is. A call with "parameters", as Llama writes it, is made without
# them, so that forgetting memory 7 is forgetting nothing in particular, and one with "arguments" in front of "name" is none.
# normalize_chat_request drops what was said beside a call and notes that it was merged: that Ada may have no nuts is gone.
# Source: its README ("ordinary assistant text should not accidentally become an executable tool call"; "Prefer narrow, explicit
# matching over permissive parsing"; "Text that looks like JSON but should remain ordinary assistant content"); tool_names, the
# second argument of extract_tool_calls, is None unless given; where it is given, other names are left alone. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "toolpatch==0.5.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from toolpatch import extract_tool_calls, normalize_chat_request


def show(text, tools=None):
    """Print the calls that are found in a text, and what is left of it."""
    found = extract_tool_calls(text, tools)
    print(repr(text), *sorted(tools or []))
    if found is None:
        print("    no call")
        return
    for call in found.tool_calls:
        print(f"    {call['function']['name']} {call['function']['arguments']}")
    print(f"    left: {found.content!r}")


show('An example:\n```json\n{"name": "Ada", "age": 36}\n```')
show('I have one tool:\n```json\n{"name": "forget", "description": "deletes"}\n```', {"forget"})
show('<tool_call>{"name": "forget", "parameters": {"id": 7}}</tool_call>', {"forget"})
show('```json\n{"name": "forget", "arguments": {"id": 7}}\n```', {"forget"})
show('{"name": "forget", "arguments": {"id": 7}}', {"forget"})
show('{"arguments": {"id": 7}, "name": "forget"}', {"forget"})

call = {"id": "1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
messages = [
    {"role": "user", "content": "What may Ada eat?"},
    {"role": "assistant", "content": "No nuts."},
    {"role": "assistant", "content": "I look for a recipe.", "tool_calls": [call]},
    {"role": "tool", "tool_call_id": "1", "content": "cake"},
]
request, notes = normalize_chat_request({"messages": messages})
print([message["content"] for message in request["messages"]], notes[0])
PY
cat seen
cat >expected <<'TEXT'
'An example:\n```json\n{"name": "Ada", "age": 36}\n```'
    Ada {}
    left: 'An example:'
'I have one tool:\n```json\n{"name": "forget", "description": "deletes"}\n```' forget
    forget {}
    left: 'I have one tool:'
'<tool_call>{"name": "forget", "parameters": {"id": 7}}</tool_call>' forget
    forget {}
    left: None
'```json\n{"name": "forget", "arguments": {"id": 7}}\n```' forget
    forget {"id": 7}
    left: None
'{"name": "forget", "arguments": {"id": 7}}' forget
    forget {"id": 7}
    left: None
'{"arguments": {"id": 7}, "name": "forget"}' forget
    no call
['What may Ada eat?', 'I look for a recipe.', 'cake'] assistant turns merged (text into tool_calls)
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
