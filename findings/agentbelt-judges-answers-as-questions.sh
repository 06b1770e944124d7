#!/bin/sh
# agentbelt-harness 0.1.1 with openai 3.57.0 (PyPI, CPython 3.11), a "drop-in, OpenAI-compatible proxy" for chat bots that
# keeps their questions to a subject, with the settings that "agentbelt init" writes. It judges the model's answer by the
# rules for questions: one that says "What is the best time", "solve", "translate" or "import" is thrown away after it was
# paid for, and the member reads that the bot helps with its subject only. Whoever asks is told apart by a header of
# its own or by address, so all members of a bot are one person: after three questions off the subject, the next member's
# "When is the reading group?" is refused, and the model is not asked. A stream that was asked for comes as one JSON, in
# which OpenAI's client finds nothing, without an error; a message in parts, as with a picture, is a 500.
# Source: create_app in agentbelt/app.py of the wheel (scope_guard.evaluate([Message("user", content)]), get_session) and
# _HARD_DENY_PATTERNS in scope.py; "stream" stands nowhere in the package. Its README: "That's it - no agent code
# changes". A function that answers stands for the model. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "agentbelt-harness==0.1.1" "fastapi==0.165.0" "starlette==1.10.0" "openai==3.57.0" "httpx==0.28.1"
cd "$folder"
venv/bin/agentbelt init >init.log
venv/bin/python - <<'PY' >seen
import asyncio
import logging

import httpx
from agentbelt.app import create_app
from agentbelt.config import load_config
from openai import OpenAI, Stream
from openai.types.chat import ChatCompletionChunk

logging.disable(logging.CRITICAL)
answers = {
    "When does the library open?": "At nine. What is the best time for you?",
    "May we bring tea to the library?": "Yes, but do not import crumbs.",
    "Where is the library?": "In Mill Lane.",
}
asked = []


def model(body):
    """Return the model's answer to the last message."""
    asked.append(body["messages"][-1]["content"])
    message = {"role": "assistant", "content": answers.get(asked[-1], "On Friday.")}
    return {"id": "1", "choices": [{"index": 0, "finish_reason": "stop", "message": message}], "usage": {}}


config = load_config("agentbelt.yaml")
config.scope.allow_intents.append("library")


async def main():
    transport = httpx.ASGITransport(create_app(config, upstream=model), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://proxy") as client:

        async def ask(content, **more):
            before = len(asked)
            body = {"model": "m", "messages": [{"role": "user", "content": content}], **more}
            response = await client.post("/v1/chat/completions", json=body)
            return response, "the model was asked" if len(asked) > before else "the model was not asked"

        async def show(question):
            response, note = await ask(question)
            print(f"{question} -> {response.json()['choices'][0]['message']['content']} ({note})")

        for question in answers:
            await show(question)
        response, _ = await ask("Where is the library?", stream=True)
        chunks = Stream(
            cast_to=ChatCompletionChunk,
            response=httpx.Response(200, content=response.content),
            client=OpenAI(api_key="x"),
        )
        print("a stream:", response.headers["content-type"], "- what OpenAI's client reads of it:", list(chunks))
        response, _ = await ask([{"type": "text", "text": "Is this book in the library?"}])
        print("a message in parts:", response.status_code)
        await show("When is the reading group?")
        for question in ("Who won the cup?", "Translate the menu", "What is the time?"):
            await show(question)
        await show("When is the reading group?")


asyncio.run(main())
PY
cat seen
cat >expected <<'TEXT'
When does the library open? -> I can only help with in-scope requests. (the model was asked)
May we bring tea to the library? -> I can only help with in-scope requests. (the model was asked)
Where is the library? -> In Mill Lane. (the model was asked)
a stream: application/json - what OpenAI's client reads of it: []
a message in parts: 500
When is the reading group? -> On Friday. (the model was asked)
Who won the cup? -> I can only help with in-scope requests. (the model was not asked)
Translate the menu -> I can only help with in-scope requests. (the model was not asked)
What is the time? -> I can only help with in-scope requests. (the model was not asked)
When is the reading group? -> I can only help with in-scope requests. (the model was not asked)
TEXT
cmp seen expected
