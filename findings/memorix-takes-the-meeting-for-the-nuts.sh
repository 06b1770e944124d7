#!/bin/sh
# memorix 1.0.7 with better-sqlite3 11.10.0 (npm, Node 20), a memory for agents over MCP with a "memory quality
# pipeline". What is stored is looked for first, and how well a search ranks what it finds (a BM25 score, without an
# upper end) is taken for how alike two memories are, from 0 to 1. So nearly all that shares a word with a known memory
# is its duplicate, and discarded: the move from Oslo to Rome, that somebody is no longer allergic, and the first note
# of all about the club's meeting, another entity, as a "duplicate" of the nuts. The note about the nuts is an
# "evolution" of the one about the home, and has its words in it; the old one stays as well. Such an answer is no
# error.
# Source: its README ("formation, compaction, retention ... work together") and the tool's answers, which name the
# reason; scoreCandidate and runResolve in dist/index.js of the package. Without a model, as it is by default. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
CFLAGS=-O0 CXXFLAGS=-O0 npm install --silent --no-fund --no-audit --omit=optional "memorix@1.0.7" "better-sqlite3@11.10.0"
mkdir club
git init -q club
python3 - <<'PY' | tee seen
import json
import os
import re
import subprocess

home = os.getcwd()
program = subprocess.Popen(
    [f"{home}/node_modules/.bin/memorix", "serve"],
    cwd="club",
    env={"PATH": os.environ["PATH"], "HOME": home},
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
)
count = 0


def ask(method, params):
    """Send a request; returns its result."""
    global count
    count += 1
    print(json.dumps({"jsonrpc": "2.0", "id": count, "method": method, "params": params}), file=program.stdin, flush=True)
    while True:
        answer = json.loads(program.stdout.readline())
        if answer.get("id") == count:
            return answer["result"]


def tool(name, **arguments):
    result = ask("tools/call", {"name": f"memorix_{name}", "arguments": arguments})
    assert not result.get("isError")
    return result["content"][0]["text"]


client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "finding", "version": "1"}}
ask("initialize", client)
print(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), file=program.stdin, flush=True)
try:
    for entity, title, words in (
        ("kim", "Kim's home", "Kim lives in Oslo"),
        ("kim", "Kim's home", "Kim lives in Rome"),
        ("kim", "Kim and nuts", "Kim is allergic to nuts"),
        ("kim", "Kim and nuts", "Kim is not allergic to nuts"),
        ("club", "The club's next meeting", "The club meets on Friday 4 December at 19:30 in room 102"),
    ):
        answer = tool("store", entityName=entity, type="discovery", title=title, narrative=words)
        print(f"{words}:", re.sub(r"^\W+| ?\(.*", "", answer.splitlines()[0]))
    export = json.loads(tool("transfer", action="export", format="json").split("```")[1].removeprefix("json"))
    for kept in export["observations"]:
        print("kept:", re.sub(r"\s+", " ", kept["narrative"]))
finally:
    program.terminate()
    program.wait()
PY
cat >expected <<'TEXT'
Kim lives in Oslo: Stored observation #1 "Kim's home"
Kim lives in Rome: Formation DISCARD: Duplicate of #1
Kim is allergic to nuts: Formation EVOLVE: evolved #1
Kim is not allergic to nuts: Formation DISCARD: Duplicate of #2
The club meets on Friday 4 December at 19:30 in room 102: Formation DISCARD: Duplicate of #2
kept: Kim lives in Oslo
kept: Kim is allergic to nuts [Previous context]: Kim lives in Oslo
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
