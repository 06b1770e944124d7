"""A program that speaks MCP on standard input and output, without the package, and misbehaves.

It starts in a fraction of the time that a server of the package takes. After ``gone`` it answers
each call with an error, as mcp-remote does once the address behind it has forgotten the session.
``fail`` is answered as @itseasy21/mcp-knowledge-graph answers a tool's failure.
"""

import json
import os
import sys

TOOLS = ("search", "environment", "rubbish", "endless", "die", "fail", "gone")


def answer(method: str, params: dict[str, object]) -> dict[str, object] | None:
    """Return the result of a request; None if the method is unknown."""
    if method == "initialize":
        server = {"name": "hostile", "version": "1"}
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": server,
        }
    if method == "tools/list":
        schema = {"type": "object", "properties": {}}
        return {"tools": [{"name": name, "inputSchema": schema} for name in TOOLS]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": called(str(params["name"]))}]}
    return None


def called(name: str) -> str:
    """Return a tool's text, after what it does wrong."""
    match name:
        case "environment":
            return " ".join(sorted(os.environ))
        case "rubbish":
            print('{"jsonrpc": nonsense\n\x00\n[]\n{}', flush=True)
            wrong = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": []}}
            print(json.dumps(wrong), flush=True)
        case "endless":
            while True:
                sys.stdout.write("x" * 65_536)
        case "die":
            os._exit(3)
    return f"after {name}"


is_gone = False
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    result = answer(request["method"], request.get("params") or {})
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    name = (request.get("params") or {}).get("name")
    is_gone |= name == "gone"
    if name == "fail":
        reply["error"] = {"code": -32603, "message": "Entity with name Rex not found"}
    elif is_gone:
        reply["error"] = {"code": -32001, "message": "Error POSTing to endpoint"}
    elif result is None:
        reply["error"] = {"code": -32601, "message": "no such method"}
    else:
        reply["result"] = result
    print(json.dumps(reply), flush=True)
