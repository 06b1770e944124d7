#!/bin/sh
# engram-proxy 0.7.0 (PyPI, CPython 3.11), a proxy that gives a model a memory, in front of an endpoint of OpenAI's kind.
# A question is remembered as a fact of the person's unless its first word is in a list of English ones, which has "is" and
# "do", but neither "am" nor "have". "Am I allergic to peanuts?" and the model's "Not that I know of" become a note with
# the highest weight, because allergies matter, and from then on it stands in each prompt about peanuts, above what the
# person said: that they are allergic. What is written in other letters than Latin ones is never remembered, so that in
# Russian or Japanese nothing is, without a sign; in German it is, whole questions included.
# Source: is_pure_question, _QWORDS and SALIENCE_RE in engram/formation.py, cue_tokens in engram/recall.py and the gate
# min_content_tokens in engram/summarizer.py of the wheel. The docstring promises "pure questions form no trace", the
# README "one process, zero code changes". Without Ollama it keeps texts as they are ("extractive"), its documented way.
# Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "engram-proxy==0.7.0" "aiohttp==3.14.5" "numpy==2.4.6"
cd "$folder"
HOME="$folder" "$folder/venv/bin/python" - <<'PY'
import asyncio
from pathlib import Path

from aiohttp import ClientSession, web
from engram.config import Config
from engram.proxy import make_app

SAID = (
    "My cat is called Miso and I am allergic to peanuts.",
    "Am I allergic to cats or peanuts?",
    "Is my cat allergic to peanuts?",
    "Have I told you about any pets?",
    "У меня аллергия на арахис, и мою кошку зовут Мисо.",
    "ピーナッツアレルギーがあります。猫の名前はミソです。",
    "Habe ich jemals eine Katze namens Miso gehabt?",
)
prompts = []


async def model(request):
    """Knows of nothing."""
    prompts.append((await request.json())["messages"])
    message = {"role": "assistant", "content": "Not that I know of."}
    return web.json_response({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})


async def no_ollama(request):
    return web.Response(status=404)


async def serve(app):
    """Return the address of an application that listens."""
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return f"http://127.0.0.1:{runner.addresses[0][1]}"


async def main():
    upstream = web.Application()
    upstream.router.add_post("/v1/chat/completions", model)
    upstream.router.add_route("*", "/{rest:.*}", no_ollama)
    address = await serve(upstream)
    app = make_app(
        Config(upstream=address, services_url=address, db_path=Path("e.db"), idle_before_summarize_s=0)
    )
    proxy = await serve(app)
    async with ClientSession() as client:

        async def say(text, session):
            """Say something in a conversation of its own, and wait until it was remembered or not."""
            body = {"model": "m", "messages": [{"role": "user", "content": text}]}
            headers = {"X-Engram-Session": session}
            async with client.post(f"{proxy}/v1/chat/completions", json=body, headers=headers) as answer:
                assert answer.status == 200, await answer.text()
            while app["store"].queue_depth():
                await asyncio.sleep(0.1)
            await asyncio.sleep(0.3)

        for number, text in enumerate(SAID):
            await say(text, f"s{number}")
        await say("What should I not eat, allergic as I am to peanuts?", "last")
    notes = app["store"].db.execute("SELECT gist, beta FROM traces ORDER BY id").fetchall()
    return [(gist.partition(" / ")[0], weight) for gist, weight in map(tuple, notes)]


notes = asyncio.run(main())
for text, weight in notes:
    print(f"{weight:4} {text}")
print(prompts[-1][0]["content"])
remembered = {text for text, _ in notes}
assert [text in remembered for text in SAID] == [True, True, False, True, False, False, True]
weights = dict(notes)
assert weights[SAID[1]] == weights[SAID[0]] == 1.5
block = prompts[-1][0]["content"].splitlines()
assert [SAID[1] in line or SAID[0] in line for line in block].count(True) == 2
assert "Am I allergic" in block[2] and block[2].endswith("Not that I know of."), block
print("the question and its answer stand above the fact")
PY
