#!/bin/sh
# aiohttp-mcp-client 0.0.3 with aiohttp 3.13.2 (PyPI, CPython 3.11), an MCP client for streamable HTTP. Of an answer
# that comes as a stream it hears only events with a line "event: message". An event without that line is one of the
# type "message" too, and is dropped: the client says that the stream ended without a response, although it was there.
# So it cannot use servers that send only "data:". In a stream the first result counts, whosever it is: the answer to
# request 99 is taken for that of the tool that was called.
# Source: the HTML standard, "Server-sent events" (the type of an event is "message" if none is named), and JSON-RPC
# 2.0, section 5 (the id of an answer); _iter_sse_events and send_request in aiohttp_mcp_client/_transport.py of the
# wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "aiohttp-mcp-client==0.0.3" "aiohttp==3.13.2"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
import asyncio
import json

from aiohttp import web
from aiohttp_mcp_client import MCPClient, MCPError

INFO = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "tea", "version": "1"}}


def said(text):
    return {"content": [{"type": "text", "text": text}]}


async def answer(request):
    """Answer a request of MCP; a call as a stream, in the form that is asked for."""
    if request.method != "POST":
        return web.Response(status=405)
    message = await request.json()
    if "id" not in message:
        return web.Response(status=202)
    if message["method"] == "initialize":
        return web.json_response({"jsonrpc": "2.0", "id": message["id"], "result": INFO})
    results = [(message["id"], said("tea"))]
    if message["params"]["name"] == "other":
        results.insert(0, (99, said("coffee, for request 99")))
    first = "event: message\n" if message["params"]["name"] != "plain" else ""
    events = [json.dumps({"jsonrpc": "2.0", "id": number, "result": result}) for number, result in results]
    text = "".join(f"{first}data: {event}\n\n" for event in events)
    return web.Response(text=text, content_type="text/event-stream")


async def main():
    app = web.Application()
    app.router.add_route("*", "/mcp", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = site._server.sockets[0].getsockname()[1]
    async with MCPClient(f"http://127.0.0.1:{port}/mcp") as client:
        for form in ("named", "plain", "other"):
            try:
                print(f"{form}:", (await client.call_tool(form, {})).content[0].text)
            except MCPError as error:
                print(f"{form}:", str(error).partition(" for request")[0])
    await runner.cleanup()


asyncio.run(main())
PY
cat >expected <<'TEXT'
named: tea
plain: SSE stream ended without a response
other: coffee, for request 99
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
