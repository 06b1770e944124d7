#!/bin/sh
# cuesheet 0.2.0 with openai 2.54.0 (PyPI, CPython 3.11), which records calls of models and replays them in tests. Of a
# message, only its role and content are compared, not who says it ("name"): Ben, who asks what Ada asked, gets Ada's answer.
# Of OpenAI's Responses API and of embeddings the input is not compared at all, since it is not called "messages": each call
# of a cassette has the first one's answer, and each text one vector, also while it records for the first time, so that the
# second call is never made. A question asked twice has one answer.
# Source: its README: "Two requests match if they're identical on: ... Messages list (semantic, order-preserving) ... and
# other generation params"; cuesheet/matchers.py. A transport of httpx stands for the net. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "cuesheet==0.2.0" "openai==2.54.0"
cd "$folder"
venv/bin/python - <<'PY'
import json

import cuesheet
import httpx
from openai import OpenAI

CALLS = []


def model(request):
    """Answer what was asked, with the name of who asked; the vector of a text is its length."""
    body = json.loads(request.content)
    CALLS.append(body)
    if request.url.path.endswith("embeddings"):
        data = [{"object": "embedding", "index": 0, "embedding": [float(len(body["input"]))]}]
        return httpx.Response(200, json={"object": "list", "model": "m", "data": data})
    if request.url.path.endswith("responses"):
        text = {"type": "output_text", "text": f"Hello, {body['input']}", "annotations": []}
        output = [{"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [text]}]
        return httpx.Response(200, json={"id": "r", "object": "response", "output": output})
    asked = body["messages"][0]
    message = {"role": "assistant", "content": f"{asked['name']} asks: {asked['content']}"}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return httpx.Response(200, json={"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": choices})


def run(cassette, mode):
    """Return what the calls of a program get, and how many of them the model gets."""
    with cuesheet.cassette(cassette, mode=mode):
        http = httpx.Client(transport=httpx.MockTransport(model))
        client = OpenAI(base_url="https://api.openai.com/v1", api_key="k", http_client=http)
        before = len(CALLS)
        vectors = [
            client.embeddings.create(model="m", input=text, encoding_format="float").data[0].embedding
            for text in ("no nuts", "a birthday")
        ]
        greetings = [client.responses.create(model="m", input=name).output_text for name in ("Ada", "Ben")]
        asked = [{"role": "user", "content": "What may I eat?", "name": name} for name in ("Ada", "Ben")]
        answers = [client.chat.completions.create(model="m", messages=[one]).choices[0].message.content for one in asked]
    return vectors, greetings, answers, len(CALLS) - before


ADA = ([[7.0], [7.0]], ["Hello, Ada", "Hello, Ada"], ["Ada asks: What may I eat?"] * 2)
seen = {
    "recorded": run("a.yaml", "record_new"),
    "replayed": run("a.yaml", "replay_only"),
}
for name, (vectors, greetings, answers, calls) in seen.items():
    print(f"{name}: vectors {vectors}, {greetings}, {answers}, {calls} calls of the model")
if list(seen.values()) != [(*ADA, 3), (*ADA, 0)]:
    raise SystemExit("the behaviour has changed")
PY
