#!/bin/sh
# api-model-proxy 0.1.2 with openai 2.8.1, fastapi 0.121.2 and httpx 0.28.1 (PyPI, CPython 3.11), a "fully transparent" proxy before an
# OpenAI-compatible server. It asks the server from within its event loop, so three members who ask at once wait for each
# other: three answers of a second each take three seconds. The list of models, which a client asks first, does not
# arrive: under /v1 it is asked for at /v1/v1/models, and without that a list that came packed is handed on unpacked, with
# the headers of the packed one. A parameter that the openai package does not name, such as top_k of vLLM and
# llama.cpp, is a 500 without a word, and a stream is a 501.
# Source: its README ("async, production-ready server", "fully transparent to the client", "all other endpoints (models, ...)
# are forwarded transparently"); routes/chat.py and routes/passthrough.py of the wheel, and server.py, which says that
# both addresses work. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "api-model-proxy==0.1.2" "openai==2.8.1" "fastapi==0.121.2" "httpx==0.28.1" "uvicorn==0.38.0"
cd "$folder"
cat >ask.py <<'PY'
import gzip
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import uvicorn
from api_model_proxy import APIModelProxy
from api_model_proxy.server import create_app
from openai import OpenAI, OpenAIError


class Server(BaseHTTPRequestHandler):
    """A model that takes a second to answer, and a packed list of models."""

    def log_message(self, *_):
        pass

    def say(self, status, answer, **headers):
        body = json.dumps(answer).encode()
        if headers:
            body = gzip.compress(body)
        self.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/v1/models":
            model = {"id": "small", "object": "model", "created": 1, "owned_by": "club"}
            self.say(200, {"object": "list", "data": [model]}, **{"content-encoding": "gzip"})
        else:
            self.say(404, {"error": {"message": f"there is no {self.path}"}})

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        time.sleep(1)
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Hello"}}
        self.say(200, {"id": "1", "object": "chat.completion", "created": 1, "model": "small", "choices": [choice]})


server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
direct = f"http://127.0.0.1:{server.server_port}/v1"
listener = socket.create_server(("127.0.0.1", 0))
app = create_app(APIModelProxy(OpenAI(api_key="none", base_url=direct)))
program = uvicorn.Server(uvicorn.Config(app, log_level="critical"))
threading.Thread(target=program.run, args=([listener],), daemon=True).start()
proxy = f"http://127.0.0.1:{listener.getsockname()[1]}"


def ask(client, **more):
    """Ask for an answer; returns it."""
    messages = [{"role": "user", "content": "Hello"}]
    return client.chat.completions.create(model="small", messages=messages, **more).choices[0].message.content


def outcome(call):
    """Return what a call gives, or its error."""
    try:
        return call()
    except OpenAIError as error:
        return f"{type(error).__name__} {getattr(error, 'status_code', '')}".strip()


for name, address in (("direct", direct), ("proxy", proxy), ("proxy, /v1", f"{proxy}/v1")):
    client = OpenAI(api_key="none", base_url=address, max_retries=0)
    print(f"{name}: models:", outcome(lambda: [model.id for model in client.models.list()]))
    print(f"{name}: top_k:", outcome(lambda: ask(client, extra_body={"top_k": 5})))
    started = time.monotonic()
    with ThreadPoolExecutor(3) as members:
        list(members.map(lambda _: ask(client), range(3)))
    print(f"{name}: three at once take {time.monotonic() - started:.0f} s")
PY
venv/bin/python ask.py | tee seen
cat >expected <<'TEXT'
direct: models: ['small']
direct: top_k: Hello
direct: three at once take 1 s
proxy: models: APIConnectionError
proxy: top_k: InternalServerError 500
proxy: three at once take 3 s
proxy, /v1: models: NotFoundError 404
proxy, /v1: top_k: InternalServerError 500
proxy, /v1: three at once take 3 s
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
