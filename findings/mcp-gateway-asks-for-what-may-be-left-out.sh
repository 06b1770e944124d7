#!/bin/sh
# mcp-gateway 1.2.1 with mcp 1.30.0 (PyPI, CPython 3.11; with mcp 2, which it does not exclude, it does not start), one address for many
# MCP servers. It lists each tool of theirs by a schema of its own, of names and plain types. An argument that may be left
# out is required there, and has no default any more: a call that is right for the server is refused before it is sent, and a model has
# to invent a limit and a filter. What an argument means, which words are allowed and what its lists hold is gone too, so
# that "newest" and "oldest" are any text. That a tool only reads is no longer said.
# Source: README, "provides a unified interface for discovering and interacting with all proxied MCPs"; MCP 2025-11-25, "Tools"
# (inputSchema, annotations); register_dynamic_tool in mcp_gateway/gateway.py, where each parameter is made without a default and
# the description is not used. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "mcp-gateway==1.2.1" "mcp==1.30.0"
cd "$folder"
cat >server.py <<'PY'
from typing import Annotated, Literal

from mcp.server.fastmcp import FastMCP
from mcp.types import ToolAnnotations
from pydantic import Field

server = FastMCP("club")


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def search(
    query: Annotated[str, Field(description="Words of the note.")],
    order: Literal["newest", "oldest"] = "newest",
    limit: int = 5,
    topics: list[str] | None = None,
) -> str:
    """Search the notes of the club."""
    return f"{limit} notes about {query}, {order} first"


server.run()
PY
cat >mcp.json <<TEXT
{"mcpServers": {"mcp-gateway": {"command": "mcp-gateway", "args": [], "servers": {
  "club": {"command": "$folder/venv/bin/python", "args": ["$folder/server.py"]}}}}}
TEXT
cat >client.py <<'PY'
import asyncio
import json

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def shown(way, command, name, log):
    """Print what a client reads of the tool, and what its call returns."""
    parameters = StdioServerParameters(command=command[0], args=command[1:])
    async with stdio_client(parameters, errlog=log) as streams, ClientSession(*streams) as session:
        await session.initialize()
        (tool,) = [tool for tool in (await session.list_tools()).tools if tool.name == name]
        print(f"{way}: required {tool.inputSchema['required']}, annotations {tool.annotations}")
        for argument, schema in tool.inputSchema["properties"].items():
            print(" ", argument, json.dumps({key: value for key, value in schema.items() if key != "title"}))
        result = await session.call_tool(name, {"query": "tea"})
        print("  tea:", result.content[0].text.splitlines()[0])


async def main():
    with open("log", "w") as log:
        await shown("directly", ["venv/bin/python", "server.py"], "search", log)
        await shown("through the gateway", ["venv/bin/mcp-gateway", "--mcp-json-path", "mcp.json"], "club_search", log)


asyncio.run(main())
PY
HOME="$folder" venv/bin/python client.py >seen
cat seen
cat >expected <<'TEXT'
directly: required ['query'], annotations title=None readOnlyHint=True destructiveHint=None idempotentHint=None openWorldHint=None
  query {"description": "Words of the note.", "type": "string"}
  order {"default": "newest", "enum": ["newest", "oldest"], "type": "string"}
  limit {"default": 5, "type": "integer"}
  topics {"anyOf": [{"items": {"type": "string"}, "type": "array"}, {"type": "null"}], "default": null}
  tea: 5 notes about tea, newest first
through the gateway: required ['query', 'order', 'limit', 'topics'], annotations None
  query {"type": "string"}
  order {"type": "string"}
  limit {"type": "integer"}
  topics {}
  tea: Error executing tool club_search: 3 validation errors for club_searchArguments
TEXT
cmp expected seen
