"""A program that speaks MCP on standard input and output and knows one handshake only.

Its first argument is that handshake's request, ``initialize`` or ``server/discover``. It ends at
the other one, or never answers it if the second argument is ``waits``. The third is a file to
which each start adds a line. It lists its tools one at a page; ``grow`` adds one and says so,
with the new handshake only to who listens.
It refuses a wrong argument with an error of the protocol, as the Rust SDK did until June 2026.
"""

import json
import sys
from pathlib import Path

KNOWN, OTHER, STARTS = sys.argv[1], sys.argv[2], Path(sys.argv[3])
TEXT = {"type": "string"}
COUNTS = {"type": "string", "enum": ["one\ntwo"]}  # a value of two lines could say anything
SCHEMAS = {
    "search": {"type": "object", "properties": {"query": TEXT}, "required": ["query"]},
    "count": {"type": "object", "properties": {"words": COUNTS}, "required": ["words"]},
    "grow": {"type": "object", "properties": {}},
}
NEW = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
SUBSCRIPTION, CHANGES = "io.modelcontextprotocol/subscriptionId", {"listChanged": True}
extra: list[str] = []
meta: dict[str, object] = {}  # of notices, once somebody listens


def result(method: str, params: dict[str, object]) -> dict[str, object]:
    """Return the answer to a request."""
    if method == "initialize":
        about = {"serverInfo": {"name": "choosy", "version": "1"}, "capabilities": {"tools": {}}}
        return about | {"protocolVersion": params["protocolVersion"]}
    if method == "server/discover":
        return NEW | {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": CHANGES}}
    if method == "tools/list":
        names = [*SCHEMAS, *extra]
        at = int(str(params.get("cursor") or 0))
        page = {"name": names[at], "inputSchema": SCHEMAS.get(names[at], SCHEMAS["grow"])}
        following = {"nextCursor": str(at + 1)} if at + 1 < len(names) else {}
        return NEW | {"tools": [page]} | following
    if params["name"] == "grow":
        extra.append("late")
        if meta or KNOWN == "initialize":
            notify("tools/list_changed")
    return NEW | {"content": [{"type": "text", "text": f"after {params['name']}"}]}


def notify(method: str, **params: object) -> None:
    """Send a notice."""
    notice = {"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params | meta}
    print(json.dumps(notice), flush=True)


with STARTS.open("a", encoding="utf-8") as starts:
    starts.write("started\n")
for line in sys.stdin:
    request = json.loads(line)
    if request["method"] in {"initialize", "server/discover"} - {KNOWN}:
        if OTHER == "waits":
            continue
        sys.exit(3)
    if request["method"] == "subscriptions/listen":
        meta["_meta"] = {SUBSCRIPTION: request["id"]}
        notify("subscriptions/acknowledged", notifications={"toolsListChanged": True})
    elif "id" in request:
        reply = {"jsonrpc": "2.0", "id": request["id"]}
        params = request.get("params") or {}
        if params.get("name") == "search" and not isinstance(params["arguments"].get("query"), str):
            reply["error"] = {"code": -32602, "message": "expected a string, not 5"}
        else:
            reply["result"] = result(request["method"], params)
        print(json.dumps(reply), flush=True)
