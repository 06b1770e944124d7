#!/bin/sh
# aiohttp-mcp 0.7.0 with mcp 1.30.0 and aiohttp 3.14.5 (PyPI, CPython 3.11), MCP servers on aiohttp. In its streamable mode
# with sessions it answers the first request as a stream of events without the header mcp-session-id, and each further one
# without a session with status 400, so no client can do more than say hello: it lists no tools for the protocol's own client
# either. The log says that a session was created, with its id. Only with json_response=True is the header there. In the mode
# without sessions, which its example uses, all works.
# Source: its README, "For production deployments requiring advanced session management, you can use the streamable HTTP
# transport mode"; MCP 2025-11-25, "Transports", Session Management (the server includes the id in the header of the response
# that holds the InitializeResult). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "aiohttp-mcp==0.7.0" "mcp==1.30.0" "aiohttp==3.14.5"
cd "$folder"
venv/bin/python - >seen 2>log <<'PY'
import asyncio

import aiohttp
from aiohttp import web
from aiohttp_mcp import AiohttpMCP, TransportMode, build_mcp_app
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

FIRST = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "client", "version": "1"},
    },
}
ACCEPT = {"accept": "application/json, text/event-stream"}


async def tools(url):
    """Return the tools that the protocol's own client lists."""
    async with streamablehttp_client(url) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()
            return [tool.name for tool in (await session.list_tools()).tools]


async def main():
    for options in ({}, {"json_response": True}, {"stateless": True}):
        server = AiohttpMCP()

        @server.tool()
        def greet(name: str) -> str:
            """Greet."""
            return f"hello {name}"

        app = build_mcp_app(server, path="/mcp", transport_mode=TransportMode.STREAMABLE_HTTP, **options)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}/mcp"
        async with aiohttp.ClientSession() as http:
            async with http.post(url, json=FIRST, headers=ACCEPT) as answer:
                told = "mcp-session-id" in answer.headers
                print(options, "status", answer.status, answer.content_type, "session told:", told)
        try:
            async with asyncio.timeout(5):
                print(options, "tools:", await tools(url))
        except BaseException:  # a group of errors, as of status 400
            print(options, "tools: none, the client fails")
        await runner.cleanup()


asyncio.run(main())
PY
cat seen
cat >expected <<'TEXT'
{} status 200 text/event-stream session told: False
{} tools: none, the client fails
{'json_response': True} status 200 application/json session told: True
{'json_response': True} tools: ['greet']
{'stateless': True} status 200 text/event-stream session told: False
{'stateless': True} tools: ['greet']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
