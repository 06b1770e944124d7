#!/bin/sh
# aiohttp-tiny-mcp 0.5.8 with mcp 2.3.0 (PyPI, CPython 3.11), with which one writes an MCP server once for five revisions of
# the protocol. A tool with an argument that may be a number or a text (int | str) is not there for clients of a revision
# before 2026-07-28: it is not listed, a call is answered with "unknown tool", and nothing is logged, neither when the tool is
# declared nor when it is left out. The same choice as what a list holds is listed and works for the same clients. The older
# revisions allow both: their input schemas are JSON Schema too.
# Source: its README, "It supports five protocol revisions from the same handler declarations"; MCP 2025-11-25, "Tools"
# (inputSchema: JSON Schema); simplify_legacy_schema in aiohttp_tiny_mcp/protocol/schema.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'kill $(cat "$folder/pid" 2>/dev/null) 2>/dev/null || true; rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "aiohttp-tiny-mcp==0.5.8" "mcp==2.3.0"
cd "$folder"
cat >server.py <<'PY'
import logging
import sys

from aiohttp import web
from aiohttp_tiny_mcp import Endpoint, Registry
from pydantic import BaseModel

logging.basicConfig(level=logging.INFO)
registry = Registry("club", "1")


class Member(BaseModel):
    who: int | str


class Name(BaseModel):
    name: str


class Table(BaseModel):
    members: list[Name | int]


@registry.tool
async def greet(args: Name) -> str:
    """Greet."""
    return f"hello {args.name}"


@registry.tool
async def find(args: Member) -> str:
    """Find a member by number or name."""
    return f"found {args.who!r}"


@registry.tool
async def seat(args: Table) -> str:
    """Seat members at a table."""
    return f"seated {args.members}"


web.run_app(Endpoint(registry).app("/mcp"), host="127.0.0.1", port=int(sys.argv[1]))
PY
port=$(venv/bin/python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
venv/bin/python server.py "$port" >log 2>&1 &
echo $! >pid
cat >client.py <<'PY'
import asyncio
import socket
import sys
import time

from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

port = int(sys.argv[1])
for _ in range(150):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
        break
    except OSError:
        time.sleep(0.2)


async def main():
    for mode in ("auto", "legacy"):
        async with Client(f"http://127.0.0.1:{port}/mcp", mode=mode) as client:
            tools = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}
            print(client.protocol_version, sorted(tools))
            items = tools["seat"]["properties"]["members"]["items"]
            print("  members:", [part.get("$ref") or part["type"] for part in items.get("anyOf", [items])])
            for name, arguments in (("find", {"who": "Ada"}), ("seat", {"members": [7]})):
                try:
                    print(f"  {name}:", (await client.call_tool(name, arguments)).content[0].text)
                except MCPError as error:
                    print(f"  {name}:", error)


asyncio.run(main())
PY
venv/bin/python client.py "$port" >seen 2>client.log
grep -c "find" log >>seen || true
cat seen
cat >expected <<'TEXT'
2026-07-28 ['find', 'greet', 'seat']
  members: ['#/$defs/Name', 'integer']
  find: found 'Ada'
  seat: seated [7]
2025-11-25 ['greet', 'seat']
  members: ['object', 'integer']
  find: unknown tool: find
  seat: seated [7]
0
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
