#!/bin/sh
# agent-vcr 0.1.0 (PyPI, CPython 3.11), which records what an MCP client and a server say and replays it "as a mock
# server". A recording keeps the handshake beside the rest, and the replay never looks there: each client's first
# request, initialize, is answered with "No recorded interaction". A notification, which has no id and to which
# JSON-RPC 2.0 allows no answer, gets an error, and six lines of words for people stand before the messages. Of a
# question that was asked several times the answers come in a circle: behind "2 notes" there is "1 note" again.
# Source: the README ("record once, replay forever", "deterministic", "pipe to your client"); the specification of MCP
# ("Lifecycle", and "stdio": no other output) and JSON-RPC 2.0, section 4.1; MCPReplayer in agent_vcr/replayer.py,
# find_match in core/matcher.py and transport/stdio.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "agent-vcr==0.1.0"
cd "$folder"
venv/bin/python - <<'PY'
from datetime import datetime

from agent_vcr.core.format import (
    JSONRPCRequest, JSONRPCResponse, VCRInteraction, VCRMetadata, VCRRecording, VCRSession,
)

START = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
ANSWER = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}}
calls = []
for number, text in enumerate(("1 note", "2 notes"), 1):
    calls.append(
        VCRInteraction(
            sequence=number,
            timestamp=datetime.now(),
            direction="client_to_server",
            request=JSONRPCRequest(id=number, method="tools/call", params={"name": "count", "arguments": {}}),
            response=JSONRPCResponse(id=number, result={"content": [{"type": "text", "text": text}]}),
            latency_ms=1.0,
        )
    )
VCRRecording(
    metadata=VCRMetadata(version="1.0.0", recorded_at=datetime.now(), transport="stdio"),
    session=VCRSession(
        initialize_request=JSONRPCRequest(id=0, method="initialize", params=START),
        initialize_response=JSONRPCResponse(id=0, result=ANSWER),
        interactions=calls,
    ),
).save("notes.vcr")
PY
cat >client.py <<'PY'
import json
import queue
import subprocess
import sys
import threading

quiet = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
program = subprocess.Popen(sys.argv[1:], text=True, bufsize=1, **quiet)
start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
count = {"name": "count", "arguments": {}}
others = 0
lines = queue.Queue()
threading.Thread(target=lambda: [lines.put(line) for line in program.stdout], daemon=True).start()


def ask(method, params, number=None):
    """Send a message, and print the next one that comes within ten seconds."""
    global others
    message = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number})
    print(json.dumps(message), file=program.stdin, flush=True)
    try:
        while not (line := lines.get(timeout=10)).startswith("{"):
            others += bool(line.strip())
    except queue.Empty:
        return print(f"{method}: no answer")
    answer = json.loads(line)
    said = answer["error"]["message"][:23] if "error" in answer else answer["result"]["content"][0]["text"]
    print(f"{method}: {said}, id {answer.get('id')}")


ask("initialize", start, 0)
ask("notifications/initialized", {})
for number in (1, 2, 3):
    ask("tools/call", count, number)
print("other lines among the messages:", others)
program.kill()
PY
export PYTHONUNBUFFERED=1
echo "replayed:" | tee seen
venv/bin/python client.py venv/bin/agent-vcr replay --file notes.vcr --transport stdio | tee -a seen
cat >expected <<'TEXT'
replayed:
initialize: No recorded interaction, id 0
notifications/initialized: Failed to parse request, id None
tools/call: 1 note, id 1
tools/call: 2 notes, id 2
tools/call: 1 note, id 3
other lines among the messages: 6
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
