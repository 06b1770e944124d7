#!/bin/sh
# mcp-memory-libsql 0.0.17 (npm, Node 20), a memory for models over MCP with the tools of the reference server. It has no
# tool that adds to an entity: create_entities with a known name deletes all that was known of it and keeps the new
# observations alone, and answers "Successfully processed 1 entities (created new or updated existing)". A model that
# learns one more thing about a dog has forgotten the rest. The same relation created twice is there twice. search_nodes,
# "text search with relevance ranking", finds "nurse in Leeds" and neither "Leeds nurse" nor "Rex dog" for a dog called
# Rex: words must stand together in one text.
# Source: create_entities, create_relations and search_nodes in the package's database client; the tools' own
# descriptions say "Create new entities with observations" and "Create relations between entities". Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "mcp-memory-libsql@0.0.17"
python3 - <<'PY'
import json
import os
import subprocess

program = subprocess.Popen(
    ["node_modules/.bin/mcp-memory-libsql"],
    env={"PATH": os.environ["PATH"], "HOME": ".", "LIBSQL_URL": f"file:{os.getcwd()}/memory.db"},
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
)


def ask(method, params):
    """Send a request; returns its result."""
    print(json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}), file=program.stdin, flush=True)
    for line in program.stdout:
        if line.startswith("{") and (answer := json.loads(line)).get("id") == method:
            return answer["result"]
    raise SystemExit(f"no answer to {method}")


def call(tool, **arguments):
    """Call a tool; returns its text."""
    return ask("tools/call", {"name": tool, "arguments": arguments})["content"][0]["text"]


def create(name, kind, observation):
    """Create an entity; returns what the server says."""
    entity = {"name": name, "entityType": kind, "observations": [observation]}
    return call("create_entities", entities=[entity])


def find(query):
    """Return the names of the entities that a search finds."""
    return [entity["name"] for entity in json.loads(call("search_nodes", query=query))["entities"]]


with program:
    client = {"name": "finding", "version": "1"}
    ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    notice = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    print(json.dumps(notice), file=program.stdin, flush=True)
    tools = sorted(tool["name"] for tool in ask("tools/list", {})["tools"])
    print("tools:", *tools)
    create("Anna", "person", "Works as a nurse in Leeds")
    create("Rex", "dog", "Is allergic to nuts")
    said = create("Rex", "dog", "Likes balls")
    owns = {"source": "Anna", "target": "Rex", "type": "owns"}
    call("create_relations", relations=[owns])
    call("create_relations", relations=[owns])
    graph = json.loads(call("read_graph"))
    (known,) = [entity["observations"] for entity in graph["entities"] if entity["name"] == "Rex"]
    print("the second time:", said, "known:", known, "relations:", len(graph["relations"]))
    found = {query: find(query) for query in ("Rex", "Rex dog", "nurse in Leeds", "Leeds nurse")}
    print("found:", found)
    program.stdin.close()
    program.terminate()
    assert not [name for name in tools if "observation" in name], "observations can be added"
    assert said.startswith("Successfully") and known == ["Likes balls"], "what was known is kept"
    assert len(graph["relations"]) == 2, "a relation is there once"
    wanted = {"Rex": ["Rex"], "Rex dog": [], "nurse in Leeds": ["Anna"], "Leeds nurse": []}
    assert found == wanted, "the search has changed"
PY
