#!/bin/sh
# @itseasy21/mcp-knowledge-graph 1.0.7 (npm, Node 20), a memory for models over MCP. Its README says that entities have a
# creation date and a version, which keep the context of how knowledge evolved. No older version is kept. What is
# added or deleted with add_observations and delete_observations leaves version and date as they were. update_entities
# counts the version up, sets createdAt, the date of creation, to now, and replaces all observations by those of the
# call: a model that adds one has lost the others, and the answer says nothing of it. update_relations has nothing to
# change but the version and that date.
# Source: the README's chapters Entities and Relations; updateEntities, addObservations and deleteObservations in
# dist/index.js of the package. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@itseasy21/mcp-knowledge-graph@1.0.7"
python3 - <<'PY'
import json
import os
import subprocess
import time

program = subprocess.Popen(
    ["node_modules/.bin/mcp-knowledge-graph", "--memory-path", f"{os.getcwd()}/memory.jsonl"],
    env={"PATH": os.environ["PATH"], "HOME": "."},
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
)
numbers = iter(range(1, 100))


def ask(method, params):
    number = next(numbers)
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    print(json.dumps(request), file=program.stdin, flush=True)
    for line in program.stdout:
        if (answer := json.loads(line)).get("id") == number:
            return answer["result"]
    raise SystemExit("the server ended")


def call(tool, **arguments):
    time.sleep(0.01)  # so that the dates differ
    return ask("tools/call", {"name": tool, "arguments": arguments})


def known():
    """Return what the graph holds of Rex and of his relation."""
    graph = json.loads(call("read_graph")["content"][0]["text"])
    (rex,) = (entity for entity in graph["entities"] if entity["name"] == "Rex")
    (relation,) = graph["relations"]
    return rex, relation


ask("initialize", {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "finding", "version": "1"}})
print('{"jsonrpc": "2.0", "method": "notifications/initialized"}', file=program.stdin, flush=True)
lives = {"from": "Rex", "to": "Anna", "relationType": "lives with"}
entities = [
    {"name": "Rex", "entityType": "dog", "observations": ["is ill"]},
    {"name": "Anna", "entityType": "person", "observations": []},
]
call("create_entities", entities=entities)
call("create_relations", relations=[lives])
first, first_relation = known()
changes = {
    "add_observations": {"observations": [{"entityName": "Rex", "contents": ["likes walks"]}]},
    "delete_observations": {"deletions": [{"entityName": "Rex", "observations": ["is ill"]}]},
    "update_entities": {"entities": [{"name": "Rex", "observations": ["is well"]}]},
}
seen = {}
for tool, arguments in changes.items():
    call(tool, **arguments)
    rex, _ = known()
    seen[tool] = (rex["version"], rex["createdAt"] == first["createdAt"], rex["observations"])
call("update_relations", relations=[lives])
_, relation = known()
seen["update_relations"] = (relation["version"], relation["createdAt"] == first_relation["createdAt"], None)
with open("memory.jsonl") as file:
    seen["in the file"] = sum('"Rex"' in line and '"dog"' in line for line in file)
program.kill()
for tool, what in seen.items():
    print(f"{tool}: {what}")
expected = {  # version, whether the date of creation is still that, observations
    "add_observations": (1, True, ["is ill", "likes walks"]),
    "delete_observations": (1, True, ["likes walks"]),
    "update_entities": (2, False, ["is well"]),
    "update_relations": (2, False, None),
    "in the file": 1,
}
if seen != expected:
    raise SystemExit("the behaviour has changed")
PY
