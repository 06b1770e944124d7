#!/bin/sh
# @modelcontextprotocol/server-memory 2026.8.31 (npm, Node 18 or newer): create_entities with a name that is there already
# drops the new observations and answers [] without an error. A model that learns something new about a dog it knows, and
# calls the first tool of the list, has lost it. add_observations for two names of which
# the second is unknown is refused, and loses what it was to add to the first. search_nodes finds an entity only by
# words that stand together in one of its texts: "Rex dog" finds no dog called Rex.
# Source: the tools' own descriptions say "Create multiple new entities" and "Search for nodes in the knowledge graph
# based on a query". Seen on 2026-11-28.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@modelcontextprotocol/server-memory@2026.8.31"
python3 - <<'PY'
import json
import os
import subprocess

program = subprocess.Popen(
    ["node_modules/.bin/mcp-server-memory"],
    env={"PATH": os.environ["PATH"], "HOME": ".", "MEMORY_FILE_PATH": f"{os.getcwd()}/memory.jsonl"},
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
)


def ask(method, params):
    """Send a request; returns its result."""
    print(json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}), file=program.stdin, flush=True)
    for line in program.stdout:
        if (answer := json.loads(line)).get("id") == method:
            return answer["result"]
    raise SystemExit(f"no answer to {method}")


def call(tool, **arguments):
    """Call a tool; returns its result."""
    return ask("tools/call", {"name": tool, "arguments": arguments})


def create(observation):
    """Create the dog with an observation; returns what the server says was created, and whether it is an error."""
    entity = {"name": "Rex", "entityType": "dog", "observations": [observation]}
    result = call("create_entities", entities=[entity])
    return result["structuredContent"]["entities"], result.get("isError", False)


def known():
    """Return what the server knows about the dog."""
    return call("open_nodes", names=["Rex"])["structuredContent"]["entities"][0]["observations"]


with program:
    client = {"name": "finding", "version": "1"}
    ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
    notice = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    print(json.dumps(notice), file=program.stdin, flush=True)
    create("Is three years old")
    second = create("Died last week")
    print("the second observation:", second, "known:", known())
    both = [{"entityName": "Rex", "contents": ["Likes balls"]}, {"entityName": "Ghost", "contents": ["Is white"]}]
    refused = call("add_observations", observations=both)
    stays = known()
    print("added for two:", refused["content"][0]["text"], "known:", stays)
    found = {
        query: len(call("search_nodes", query=query)["structuredContent"]["entities"])
        for query in ("Rex", "Rex dog", "years old", "old years")
    }
    print("found:", found)
    program.stdin.close()
    assert second == ([], False) and refused["isError"], "the behaviour has changed"
    assert stays == ["Is three years old"], "news is kept"
    assert found == {"Rex": 1, "Rex dog": 0, "years old": 1, "old years": 0}, "the search has changed"
PY
