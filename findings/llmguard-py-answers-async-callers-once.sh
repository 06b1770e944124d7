#!/bin/sh
# llmguard-py 0.1.1 (PyPI, CPython 3.11), a decorator that caches and repeats calls of a model. Of an async function, as bots have, it
# keeps the coroutine: the first to ask gets the answer, everybody after that a RuntimeError, for an hour, and a call that failed
# is never tried again, since a coroutine that has not run yet has not failed. Of a plain function it keeps the answer itself and
# hands the same list to all: what one caller adds to it, the next is given. An answer of None is asked for anew each time.
# Source: its README ("wraps any LLM API call (or any external, flaky, rate-limited API)", "automatic retries", "Second identical call ->
# Served from cache"); guard.py and cache.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "llmguard-py==0.1.1"
cd "$folder"
HOME="$folder" venv/bin/python -W ignore - >seen <<'PY'
import asyncio

from llmguard import llmguard

tries = []


@llmguard(max_retries=2, retry_base_delay=0)
async def answer(question):
    return f"Yes, {question}"


@llmguard(max_retries=2, retry_base_delay=0)
async def flaky(question):
    tries.append(question)
    raise ConnectionError("busy")


@llmguard()
def hobbies(member):
    return ["chess"]


@llmguard()
def birthday(member):
    tries.append(member)


async def main():
    for name in ("the first", "the second"):
        try:
            print(name + ":", await answer("tea"))
        except RuntimeError as error:
            print(name + ":", error)
    try:
        await flaky("tea")
    except ConnectionError:
        print("tried:", len(tries))


asyncio.run(main())
hobbies("ada").append("and no go")
print("the next caller gets:", hobbies("ada"))
tries.clear()
birthday("ada"), birthday("ada")
print("asked for an answer of None:", len(tries))
PY
cat seen
cat >expected <<'TEXT'
the first: Yes, tea
the second: cannot reuse already awaited coroutine
tried: 1
the next caller gets: ['chess', 'and no go']
asked for an answer of None: 2
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
