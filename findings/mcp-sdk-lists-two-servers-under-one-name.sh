#!/bin/sh
# mcp-sdk 1.0.0 (npm, Node 20), which joins MCP servers behind SSE into one program, with two servers made with mcp 1.30.0
# (PyPI, CPython 3.11) on one machine, as while one develops. Each tool gets the first part of its server's host before its name, "so names
# never collide". Here that is "127" for both (and "mcp" for every host like mcp.example.org): the list has "127__search" twice, with
# nothing to tell the diary from the wiki, and a call of either is answered by the first server. The second one's tool can be called, as
# "127__search_1", a name that only a warning on standard error says and the list never does.
# Source: README, "Multi-server aggregation" and "Tool namespacing (collision-free)"; initialize() in dist/core/aggregator.js renames what
# listTools() lists without it. MCP 2025-11-25, "Tools": a name is the tool's unique identifier. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "mcp==1.30.0"
cd "$folder"
npm install --silent --no-fund --no-audit "mcp-sdk@1.0.0"
cat >server.py <<'PY'
import sys

from mcp.server.fastmcp import FastMCP

name, port = sys.argv[1:]
server = FastMCP(name, host="127.0.0.1", port=int(port), log_level="ERROR")


@server.tool(description=f"Search the {name}.")
def search(query: str) -> str:
    return f"{query}, from the {name}"


server.run("sse")
PY
cat >client.py <<'PY'
import asyncio
import socket
import subprocess
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def free_port():
    """Return a port on which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


async def started(name):
    """Start a server; returns its process and its address."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "server.py", name, str(port)], stderr=subprocess.DEVNULL)
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return process, f"http://127.0.0.1:{port}/sse"


async def main():
    servers = [await started("diary"), await started("wiki")]
    try:
        addresses = [address for _, address in servers]
        parameters = StdioServerParameters(command="node_modules/.bin/mcp-sdk", args=addresses)
        with open("log", "w") as log:
            async with stdio_client(parameters, errlog=log) as streams, ClientSession(*streams) as session:
                await session.initialize()
                listed = (await session.list_tools()).tools
                print("listed:", *(f"{tool.name} ({tool.description})" for tool in listed))
                for name in [*(tool.name for tool in listed), "127__search_1"]:
                    result = await session.call_tool(name, {"query": "tea"})
                    print(f"{name}:", result.content[0].text)
    finally:
        for process, _ in servers:
            process.terminate()
            process.wait()


asyncio.run(main())
PY
timeout 60 venv/bin/python client.py >seen
cat seen
cat >expected <<'TEXT'
listed: 127__search (Search the diary.) 127__search (Search the wiki.)
127__search: tea, from the diary
127__search: tea, from the diary
127__search_1: tea, from the wiki
TEXT
cmp expected seen
