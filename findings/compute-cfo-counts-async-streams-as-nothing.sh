#!/bin/sh
# compute-cfo 0.3.0 (PyPI, CPython 3.11, openai 2.8.1), a wrapper that counts what calls of OpenAI's client cost. The stream of an
# AsyncOpenAI client, as bots read their answers, is counted when it opens, before it has a token: 0 tokens, $0, under the name that
# was asked for, also where the stream brings its usage at the end. The plain client's stream is counted at its end, and one that is
# left before its end is never counted. "metadata", which OpenAI keeps beside a stored answer so that it can be found again, is
# taken out of every call as the wrapper's own tags and never arrives. The callable that may be given as the exporter is an
# AttributeError.
# Source: the docstrings of wrap() ("tracks costs transparently") and _StreamWrapper ("track cost when stream completes") in
# wrapper.py, of CostTracker ("A callable that receives CostEvent"); OpenAI's reference of chat completions, stream_options and
# metadata. A server on this host stands for the model. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "compute-cfo==0.3.0" "openai==2.8.1"
cd "$folder"
cat >count.py <<'PY'
import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from compute_cfo import CostTracker, wrap
from openai import AsyncOpenAI, OpenAI

bodies = []
USAGE = {"prompt_tokens": 1000, "completion_tokens": 500, "total_tokens": 1500}


class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        bodies.append(asked)
        head = {"id": "1", "created": 1, "model": asked["model"]}
        if asked.get("stream"):
            part = {"index": 0, "delta": {"role": "assistant", "content": "Yes."}, "finish_reason": None}
            chunks = [{**head, "object": "chat.completion.chunk", "choices": choices, "usage": usage} for choices, usage in (
                ([part], None), ([{**part, "delta": {}, "finish_reason": "stop"}], None), ([], USAGE))]
            body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
            kind = "text/event-stream"
        else:
            message = {"role": "assistant", "content": "Yes."}
            body, kind = json.dumps({**head, "object": "chat.completion", "usage": USAGE, "choices": [
                {"index": 0, "finish_reason": "stop", "message": message}]}), "application/json"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
where = {"base_url": f"http://127.0.0.1:{server.server_port}/v1", "api_key": "none"}
try:
    CostTracker(export=print)
except AttributeError as error:
    print("a callable:", error)
tracker = CostTracker(export="jsonl:events.jsonl")
call = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Tea?"}]}
stream = {**call, "stream": True, "stream_options": {"include_usage": True}}
client = wrap(OpenAI(**where), tracker)


def counted(name):
    """Print what was counted since the last time: tokens in, tokens out, dollars."""
    with open("events.jsonl", "a+") as file:
        file.seek(0)
        events = [json.loads(line) for line in file]
        file.truncate(0)
    print(name, [(event["input_tokens"], event["output_tokens"], event["cost_usd"]) for event in events])


client.chat.completions.create(**call, metadata={"member": "ada"})
counted("a call:")
print("metadata arrived:", "metadata" in bodies[-1])
list(client.chat.completions.create(**stream))
counted("a stream:")
next(iter(client.chat.completions.create(**stream)))
counted("a stream left early:")


async def main():
    return [chunk.usage async for chunk in await wrap(AsyncOpenAI(**where), tracker).chat.completions.create(**stream)][-1]


usage = asyncio.run(main())
print("usage in the stream:", usage.prompt_tokens, usage.completion_tokens)
counted("an async stream:")
PY
venv/bin/python count.py >seen
cat seen
cat >expected <<'TEXT'
a callable: 'builtin_function_or_method' object has no attribute 'startswith'
a call: [(1000, 500, 0.0075)]
metadata arrived: False
a stream: [(1000, 500, 0.0075)]
a stream left early: []
usage in the stream: 1000 500
an async stream: [(0, 0, 0.0)]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
