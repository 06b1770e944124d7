#!/bin/sh
# mcp-elicitation-proxy 0.1.0 with fastmcp 3.4.11 and mcp 1.30.0 (PyPI, CPython 3.11), a "transparent" proxy in front of an MCP server that
# asks the client for arguments that a call leaves out (elicitation). A tool behind it that asks back by itself cannot any
# more: through the proxy it fails before its question is sent, also where the client answers questions, and directly it works.
# Where the client answers none, the proxy has "a structured result" for it, that names the missing fields; of a tool
# with an output schema, as each of fastmcp's that says what it returns, the client gets "Output validation error" in its place,
# and a model cannot know what to add. Without the proxy it reads which argument is missing.
# Source: README, "transparent MCP proxy", "If elicitation is disabled, unsupported, declined, cancelled, or fails, the proxy returns a
# structured result"; MCP 2025-11-25, "Tools" (structured results must conform to the output schema). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "mcp-elicitation-proxy==0.1.0" "fastmcp==3.4.11" "mcp==1.30.0"
cd "$folder"
export HOME="$folder" FASTMCP_CHECK_FOR_UPDATES=off
cat >server.py <<'PY'
from fastmcp import Context, FastMCP

server = FastMCP("club")


@server.tool
async def book(ctx: Context) -> str:
    """Book a table."""
    answer = await ctx.elicit("For which day?", response_type=str)
    return f"booked for {answer.data}"


@server.tool
def search(query: str, channel: str) -> str:
    """Search a channel."""
    return f"{query} in {channel}"


server.run(show_banner=False)
PY
cat >config.yaml <<TEXT
proxy: {name: club}
upstream: {command: "$folder/venv/bin/python", args: ["$folder/server.py"]}
elicitation: {enabled: true, fallback_on_unsupported: structured_error}
policies: {schema_required: {enabled: true}, sensitive_required: {enabled: true}}
TEXT
cat >client.py <<'PY'
import asyncio

from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport


async def answer(message, response_type, params, context):
    """Answer each field of a question."""
    return ElicitResult(action="accept", content={name: "thursday" for name in params.requestedSchema["properties"]})


async def main():
    for way, command in (
        ("directly", ["venv/bin/python", "server.py"]),
        ("through the proxy", ["venv/bin/mcp-elicitation-proxy", "--config", "config.yaml"]),
    ):
        for asks, handlers in (("a client that answers", {"elicitation_handler": answer}), ("one that does not", {})):
            transport = StdioTransport(command[0], command[1:], keep_alive=False)
            async with Client(transport, **handlers) as client:
                for tool, arguments in (("book", {}), ("search", {"query": "tea"})):
                    result = await client.call_tool(tool, arguments, raise_on_error=False)
                    text = result.content[0].text.replace("\n", " ")
                    print(f"{way}, {asks}, {tool}: {'failed: ' * result.is_error}{text[:66]}")


asyncio.run(main())
PY
venv/bin/python client.py 2>log >seen
cat seen
cat >expected <<'TEXT'
directly, a client that answers, book: booked for thursday
directly, a client that answers, search: failed: 1 validation error for call[search] channel   Missing required arg
directly, one that does not, book: failed: Error calling tool 'book': Elicitation not supported
directly, one that does not, search: failed: 1 validation error for call[search] channel   Missing required arg
through the proxy, a client that answers, book: failed: Error calling tool 'book': request_id is not available because the
through the proxy, a client that answers, search: tea in thursday
through the proxy, one that does not, book: failed: Error calling tool 'book': request_id is not available because the
through the proxy, one that does not, search: failed: Output validation error: 'result' is a required property
TEXT
cmp expected seen
