#!/bin/sh
# longrun-mcp-proxy 1.7.3 with fastmcp 3.2.4 and mcp 1.30.0 (PyPI, CPython 3.11), a proxy in front of an MCP server that turns
# its slow tools into jobs. A tool that reports an error is a job with the status "completed", and behind the proxy no call is
# an error any more, also of tools that are no jobs: a client, and a model that is told whether a call failed, reads "Error
# executing tool pay: the card is empty" as what the tool returned. Of a result only its texts pass: the picture is gone, and
# nothing says that there was one.
# Source: docstrings in longrun_mcp_proxy/proxy_stdio.py ("to preserve full error content from downstream", "The proxy is a
# transport layer"), status "failed" in job_store.py; MCP 2025-11-25, "Tools" (tool execution errors have isError true; results
# may hold images). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "longrun-mcp-proxy==1.7.3" "fastmcp==3.2.4" "mcp==1.30.0"
cd "$folder"
export HOME="$folder" FASTMCP_CHECK_FOR_UPDATES=off
cat >server.py <<'PY'
from mcp.server.fastmcp import FastMCP, Image

server = FastMCP("club")


@server.tool()
def pay() -> str:
    """Pay."""
    raise ValueError("the card is empty")


@server.tool()
def pay_slowly() -> str:
    """Pay."""
    raise ValueError("the card is empty")


@server.tool(structured_output=False)
def picture() -> list:
    """Show the club."""
    return ["the club:", Image(data=b"GIF89a", format="gif")]


server.run()
PY
cat >client.py <<'PY'
import asyncio
import re
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport


def told(result):
    """Return what a client reads of a result."""
    parts = [part.text if part.type == "text" else f"[{part.type}]" for part in result.content]
    return f"isError {result.is_error}, " + " + ".join(parts)


async def main():
    python = sys.executable
    through = ["venv/bin/longrun-mcp-proxy", "stdio", "--async-tools", "pay_slowly", "--", python]
    for way, command in (("directly", [python]), ("through the proxy", through)):
        transport = StdioTransport(command[0], [*command[1:], "server.py"], keep_alive=False)
        async with Client(transport) as client:
            for tool in ("pay", "pay_slowly", "picture"):
                result = await client.call_tool(tool, {}, raise_on_error=False)
                if job := re.search(r'job_id="(\w+)"', result.content[0].text):
                    await asyncio.sleep(1)
                    job = {"job_id": job[1]}
                    result = await client.call_tool("check_job", job, raise_on_error=False)
                text = re.sub(r'"elapsed_sec": [\d.]+', '"elapsed_sec": ...', told(result))
                print(f"{way}, {tool}: {text}")


asyncio.run(main())
PY
venv/bin/python client.py 2>log >seen
cat seen
cat >expected <<'TEXT'
directly, pay: isError True, Error executing tool pay: the card is empty
directly, pay_slowly: isError True, Error executing tool pay_slowly: the card is empty
directly, picture: isError False, the club: + [image]
through the proxy, pay: isError False, Error executing tool pay: the card is empty
through the proxy, pay_slowly: isError False, {"status": "completed", "tool": "pay_slowly", "elapsed_sec": ..., "result": "Error executing tool pay_slowly: the card is empty"}
through the proxy, picture: isError False, the club:
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
