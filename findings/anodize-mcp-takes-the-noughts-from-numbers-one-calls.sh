#!/bin/sh
# anodize-mcp 0.8.0 (PyPI, CPython 3.11), a framework for MCP servers with the interface of FastMCP. An argument that may be a
# number or a text, in this order (int | str), is a number wherever a text looks like one, though the schema that the server
# publishes allows the text as it is: the telephone number "0041" is 41, room "007" is 7, and so within lists and maps; "1e3"
# is 1000.0 where a float or a text may stand and "nan" no text either. Of a truth value or a text (bool | str), the answers
# "no" and "yes" are False and True, while "off" and "on" are texts. With the types the other way round (str | int) all stay as
# they were sent.
# Source: its README, "FastMCP-compatible: 169 of FastMCP's own tests pass against it as a parity gate", "Drop-in compatibility
# with FastMCP"; JSON Schema, anyOf; MCP 2025-11-25, "Tools". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "anodize-mcp==0.8.0"
cd "$folder"
cat >server.py <<'PY'
from anodize_mcp import FastMCP

server = FastMCP("club")


@server.tool
def number_or_text(value: int | str) -> str:
    return repr(value)


@server.tool
def text_or_number(value: str | int) -> str:
    return repr(value)


@server.tool
def by_name(value: dict[str, int | str]) -> str:
    return repr(value)


@server.tool
def float_or_text(value: float | str) -> str:
    return repr(value)


@server.tool
def truth_or_text(value: bool | str) -> str:
    return repr(value)


server.run()
PY
cat >client.py <<'PY'
import json
import subprocess
import sys

server = subprocess.Popen(
    [sys.executable, "server.py"],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
)


def request(method, params):
    """Return the result of a request."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    print(json.dumps(message), file=server.stdin, flush=True)
    return json.loads(server.stdout.readline())["result"]


client = {"name": "client", "version": "1"}
request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
print(json.dumps(note), file=server.stdin, flush=True)
for tool in request("tools/list", {})["tools"]:
    if tool["name"] == "number_or_text":
        print(tool["name"], tool["inputSchema"]["properties"]["value"]["anyOf"])
for name, values in (
    ("number_or_text", ("Ada", "0041", "007", " 7 ", "1_000")),
    ("text_or_number", ("0041", 7)),
    ("by_name", ({"phone": "0041"},)),
    ("float_or_text", ("10:15", "1e3", "nan")),
    ("truth_or_text", ("maybe", "no", "yes", "off", "on")),
):
    for value in values:
        result = request("tools/call", {"name": name, "arguments": {"value": value}})
        print(f"{name} {value!r}: {result['content'][0]['text']}")
server.stdin.close()
server.wait(10)
PY
venv/bin/python client.py >seen
cat seen
cat >expected <<'TEXT'
number_or_text [{'type': 'integer'}, {'type': 'string'}]
number_or_text 'Ada': 'Ada'
number_or_text '0041': 41
number_or_text '007': 7
number_or_text ' 7 ': 7
number_or_text '1_000': 1000
text_or_number '0041': '0041'
text_or_number 7: 7
by_name {'phone': '0041'}: {'phone': 41}
float_or_text '10:15': '10:15'
float_or_text '1e3': 1000.0
float_or_text 'nan': nan
truth_or_text 'maybe': 'maybe'
truth_or_text 'no': False
truth_or_text 'yes': True
truth_or_text 'off': 'off'
truth_or_text 'on': 'on'
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
