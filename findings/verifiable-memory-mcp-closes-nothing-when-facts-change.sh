#!/bin/sh
# verifiable-memory-mcp 0.1.2 (PyPI, CPython 3.11), a memory for agents over MCP that "cannot hallucinate". update_fact without
# its optional time says that it closed the old value and closes nothing: Ada, who moved from Oslo to Rome, lives in both, and
# recall, with a signed receipt, gives both as true now. The history has both without an end, contradictions finds a conflict that
# its own update made, and multihop no longer answers what country she lives in, for ambiguity. A second update reports two
# closed values. Only with a time in numbers, which a model has to make up, is the old value closed.
# Source: the tool's description ("closes live versions (valid_to=t) and opens a new one"; t is not among what is required) and
# the README ("Valid-time: version a fact", "every guarantee ... true by construction"). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "verifiable-memory-mcp==0.1.2"
cd "$folder"
cat >client.py <<'PY'
import json
import os
import subprocess
import sys

server = subprocess.Popen(
    ["venv/bin/verifiable-memory"],
    env={"PATH": os.environ["PATH"], "HOME": os.getcwd(), "VMEM_STATE": os.path.join(os.getcwd(), sys.argv[1])},
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
)


def call(name, **arguments):
    """Return what a tool answers."""
    params = {"name": name, "arguments": arguments}
    print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}), file=server.stdin, flush=True)
    return json.loads(json.loads(server.stdout.readline())["result"]["content"][0]["text"])


ada = {"subject": "Ada", "relation": "lives in"}
time = {} if sys.argv[1] == "timeless" else {"t": 1764547200}
call("learn_fact", **ada, object="Oslo", source="in May")
call("learn_fact", subject="Rome", relation="lies in", object="Italy")
print(sys.argv[1], "update, closed:", call("update_fact", **ada, new_object="Rome", source="in June", **time)["closed_versions"])
answer = call("recall", **ada)["answer"]
print("  lives in:", [fact["object"] for fact in (answer if isinstance(answer, list) else [answer])])
versions = call("history", **ada)["history"]
print("  history:", [("from", version["from"], "to", version["to"], "active", version["active"]) for version in versions])
print("  contradictions:", call("contradictions", functional_relations=["lives in"])["count"])
way = call("multihop", start="Ada", relations=["lives in", "lies in"])["result"]
print("  lives in the country:", way["answer"], way.get("reason", ""))
server.stdin.close()
server.wait()
PY
{ venv/bin/python client.py timeless; venv/bin/python client.py timed; } >seen
cat seen
cat >expected <<'TEXT'
timeless update, closed: 1
  lives in: ['Rome', 'Oslo']
  history: [('from', None, 'to', None, 'active', True), ('from', None, 'to', None, 'active', True)]
  contradictions: 1
  lives in the country: None ambiguous
timed update, closed: 1
  lives in: ['Rome']
  history: [('from', None, 'to', 1764547200, 'active', False), ('from', 1764547200, 'to', None, 'active', True)]
  contradictions: 0
  lives in the country: Italy 
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
