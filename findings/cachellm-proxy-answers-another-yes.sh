#!/bin/sh
# cachellm-proxy 0.3.0 (PyPI, CPython 3.11), a cache in front of models of OpenAI's kind that does "not
# cache multi-turn conversations". It counts the messages of the role "user", and of those there is one where a bot spoke
# first: in a chain of replies under the bot's own message, as on Discord. Its key is the system prompt and that one message,
# so "Yes, do that" to "Shall I remind you of the exam?" is answered with what was said to "Shall I forget the note about
# tea?", and the model is not asked. The same holds for the result of a tool, where the tools themselves are not offered
# again: the soup of Monday's menu is Tuesday's. A question
# mark at the end is cut off: "Rex is dead." gets the answer to "Rex is dead?"
# Source: user_turn_count in cachellm/models.py, namespace_for and exact_hash in cache/keys.py of the wheel; its README, "What
# is deliberately not cached". Temperature is 0, as for notes; the answers of a server on the loopback stand for the
# model's, and the cache's "hash" embeddings for those that it would download. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "cachellm-proxy==0.3.0" "fastapi==0.165.0" "starlette==1.10.0" "httpx==0.28.1"
cd "$folder"
venv/bin/python - <<'PY' 2>log | grep -- " -> " >seen
import asyncio
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

ANSWERS = {
    "Shall I forget the note about tea?": "The note about tea is forgotten.",
    "Shall I remind you of the exam?": "I will remind you of the exam.",
    "Monday: soup": "There is soup.",
    "Tuesday: cake": "There is cake.",
}


class Model(BaseHTTPRequestHandler):
    """A model that answers by the messages beside the question."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = [m["content"] for m in body["messages"] if m.get("content") in ANSWERS]
        text = ANSWERS[said[-1]] if said else body["messages"][-1]["content"].replace("Rex", "Who")
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
        answer = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Log nothing."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
os.environ |= {
    "CACHELLM_BACKEND": "memory",
    "CACHELLM_EMBEDDING_BACKEND": "hash",
    "CACHELLM_OPENAI_BASE_URL": f"http://127.0.0.1:{server.server_port}/v1",
    "CACHELLM_OPENAI_API_KEY": "x",
}
from cachellm.api.app import create_app  # noqa: E402 - it reads the settings

app = create_app()
SYSTEM = {"role": "system", "content": "You are Kim, a bot."}
CALL = {"id": "1", "type": "function", "function": {"name": "menu", "arguments": "{}"}}


def reply(bot, member):
    return [SYSTEM, {"role": "assistant", "content": bot}, {"role": "user", "content": member}]


def menu(result):
    call = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    tool = {"role": "tool", "tool_call_id": "1", "content": result}
    return [SYSTEM, {"role": "user", "content": "What is on the menu?"}, call, tool]


async def main():
    transport = httpx.ASGITransport(app)
    async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport, base_url="http://cache") as client:
        for messages in (
            reply("Shall I forget the note about tea?", "Yes, do that"),
            reply("Shall I remind you of the exam?", "Yes, do that"),
            menu("Monday: soup"),
            menu("Tuesday: cake"),
            [SYSTEM, {"role": "user", "name": "ada", "content": "Rex is dead?"}],
            [SYSTEM, {"role": "user", "name": "bo", "content": "Rex is dead."}],
        ):
            body = {"model": "m", "temperature": 0, "messages": messages}
            response = await client.post("/v1/chat/completions", json=body)
            said = " / ".join(m["content"] for m in messages[1:] if m["content"])
            print(f"{said} -> {response.json()['choices'][0]['message']['content']} ({response.headers['x-cache']})")


asyncio.run(main())
PY
cat seen
cat >expected <<'TEXT'
Shall I forget the note about tea? / Yes, do that -> The note about tea is forgotten. (MISS)
Shall I remind you of the exam? / Yes, do that -> The note about tea is forgotten. (HIT)
What is on the menu? / Monday: soup -> There is soup. (MISS)
What is on the menu? / Tuesday: cake -> There is soup. (HIT)
Rex is dead? -> Who is dead? (MISS)
Rex is dead. -> Who is dead? (HIT)
TEXT
cmp seen expected
