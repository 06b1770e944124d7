#!/bin/sh
# agentsnap-py 0.1.0 (PyPI, CPython 3.11), snapshot tests of which tools an agent calls. A call is written down when it ends, not when
# it begins: two calls at once, asked for in the same order, are TOOLS_REORDERED and fail the test whenever the second
# tool is the faster one. What a tool calls within itself stands before it. A tool that changes the list it was given is
# noted with the changed one as what it was asked. Calls in threads, as programs without asyncio make several at once,
# are not noted at all, and an agent that ends with a TypeError is no REGRESSION: that error goes through record().
# Source: its README ("TOOLS_REORDERED: Same tool names, different order", "capture every trace_tool-wrapped call inside it", "If
# the agent ... starts erroring, the test fails with a readable diff"); recorder.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "agentsnap-py==0.1.0"
cd "$folder"
cat >agents.py <<'PY'
import asyncio
from concurrent.futures import ThreadPoolExecutor

from agentsnap import arecord, diff, record, trace_tool


def run(slow_search):
    """Run an agent that always asks for the search first and the weather second."""

    async def search(query):
        await asyncio.sleep(0.3 if slow_search else 0)
        return "a park"

    async def weather(town):
        await asyncio.sleep(0 if slow_search else 0.3)
        return "rain"

    tools = trace_tool("search", search), trace_tool("weather", weather)

    async def agent():
        return await asyncio.gather(tools[0]("park"), tools[1]("Oslo"))

    return asyncio.run(arecord(agent))


print("the same calls, another time:", diff(run(False), run(True)).status)

inner = trace_tool("inner", lambda: "done")
outer = trace_tool("outer", lambda: inner())
print("outer calls inner:", [tool["name"] for tool in record(lambda: outer())["tools"]])

invite = trace_tool("invite", lambda people: people.clear())
print("invite(['Kim', 'Ben']):", record(lambda: invite(["Kim", "Ben"]))["tools"][0]["args"])


def agent():
    with ThreadPoolExecutor() as threads:
        return list(threads.map(trace_tool("search", str.upper), ["park", "lake"]))


trace = record(agent)
print("two calls in threads:", len(trace["tools"]), "noted")
try:
    print(record(lambda: 1 + "1")["error"])
except TypeError as error:
    print("not recorded:", type(error).__name__)
print("recorded:", record(lambda: 1 / 0)["error"]["name"])
PY
venv/bin/python agents.py | tee seen
cat >expected <<'TEXT'
the same calls, another time: TOOLS_REORDERED
outer calls inner: ['inner', 'outer']
invite(['Kim', 'Ben']): []
two calls in threads: 0 noted
not recorded: TypeError
recorded: ZeroDivisionError
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
