#!/bin/sh
# llm-retry-py 0.1.0 with openai 3.57.0 (PyPI, CPython 3.11), which repeats calls of models. Its test for OpenAI's errors looks
# for a few words in what an error says: of the client's own timeout, "Request timed out.", and of a lost connection it finds
# none, so that these end the call at once, while a request that is wrong and says "timeout" in its text (status 400, a tool of
# that name) is sent six times. Without a test all is repeated, also a cancellation: a call that is cut off by asyncio.timeout
# after 0.2 s begins again, and its caller gets the answer of the second try instead of the TimeoutError.
# Source: its docstring, "Each list is what the provider's docs say is a transient, caller-should-retry error. Use them on a
# stringified error", "timeout" among OpenAI's; README, "is_openai_retryable(str(e))"; retry_async in llm_retry/retry.py
# (except BaseException). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "llm-retry-py==0.1.0" "openai==3.57.0"
cd "$folder"
cat >calls.py <<'PY'
import asyncio
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import openai
from llm_retry import RetryPolicy, predicates, retry, retry_async

POLICY = RetryPolicy(base_delay_ms=1)
BODY = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
answers = []


class Endpoint(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        status, text = answers[0]
        if not status:
            time.sleep(1)
            return
        body = json.dumps({"error": {"message": text, "type": text.split()[0]}}).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = openai.OpenAI(
    base_url=f"http://127.0.0.1:{server.server_port}", api_key="none", max_retries=0, timeout=0.3
)
closed = openai.OpenAI(base_url="http://127.0.0.1:9", api_key="none", max_retries=0)


def tries(name, client, answer=None):
    """Print how often a call is sent, and how it ends."""
    answers[:] = [answer]
    count = 0

    def call():
        nonlocal count
        count += 1
        return client.chat.completions.create(**BODY)

    try:
        retry(call, policy=POLICY, should_retry=lambda error: predicates.is_openai_retryable(str(error)))
    except Exception as error:
        print(f"{name}: {count} tries, {type(error).__name__}")


tries("status 500", client, (500, "server_error of the model"))
tries("no answer in time", client, (0, ""))
tries("no connection", closed)
tries("status 400", client, (400, "invalid_request_error: tools[0].name 'timeout' is taken"))


async def cut_off():
    """Cut a call off that takes too long the first time."""
    begun = []

    async def call():
        begun.append(1)
        await asyncio.sleep(5 if len(begun) == 1 else 0)
        return "the answer of try " + str(len(begun))

    try:
        async with asyncio.timeout(0.2):
            print("in asyncio.timeout:", await retry_async(call, policy=POLICY))
    except TimeoutError:
        print("in asyncio.timeout: TimeoutError")


asyncio.run(cut_off())
PY
venv/bin/python calls.py >seen
cat seen
cat >expected <<'TEXT'
status 500: 6 tries, RetryExhausted
no answer in time: 1 tries, APITimeoutError
no connection: 1 tries, APIConnectionError
status 400: 6 tries, RetryExhausted
in asyncio.timeout: the answer of try 2
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
