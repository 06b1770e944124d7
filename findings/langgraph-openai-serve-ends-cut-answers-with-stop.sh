#!/bin/sh
# langgraph-openai-serve 0.31.0 (PyPI, CPython 3.11), which serves a graph of LangGraph's behind an interface of OpenAI's kind, with a
# graph of one model. The same answer, cut off at the model's limit, is "incomplete, max_output_tokens" in /v1/responses and
# "stop" in /v1/chat/completions, also in a stream, though the reason came along in the message's metadata; so a chat client
# takes half a sentence for an answer. A refusal is {"role": "assistant"} and "stop", without a word. The server refuses
# each field that it does not know, such as max_tokens and temperature, but tools with tool_choice "required" are taken and
# dropped: the model never sees them, and its text comes back with "stop".
# Source: README ("so existing OpenAI SDKs ... can call them without a project-specific protocol"); the literal "stop" in
# api/chat/service.py and the reason read in api/responses/output.py of the wheel; OpenAI's reference, finish_reason and tool_choice.
# An endpoint on this machine stands for the model. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "langgraph-openai-serve==0.31.0" "langchain-openai==1.7.4" "langgraph==1.2.24" "openai==3.57.0" \
    "fastapi==0.165.0" "uvicorn==0.54.0"
cd "$folder"
cat >app.py <<'PY'
"""A graph with one model, as the README's section "Use In FastAPI" serves it."""

import os
from typing import Annotated, TypedDict

from fastapi import FastAPI
from langchain_core.messages import AnyMessage
from langchain_openai import ChatOpenAI
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph_openai_serve import GraphConfig, GraphRegistry, LanggraphOpenaiServe

model = ChatOpenAI(base_url=os.environ["MODEL_URL"], api_key="none", model="m", max_retries=0)


class State(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]


async def say(state: State):
    return {"messages": [await model.ainvoke(state["messages"])]}


graph = StateGraph(State)
graph.add_node("say", say)
graph.add_edge(START, "say")
graph.add_edge("say", END)
app = FastAPI()
registry = GraphRegistry(graphs={"m": GraphConfig(graph=graph.compile(), description="Says.")})
LanggraphOpenaiServe(registry=registry, app=app).bind_openai_api()
PY
"$folder/venv/bin/python" - <<'PY'
import json
import os
import socket
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from openai import BadRequestError, OpenAI

SEEN = []


class Model(BaseHTTPRequestHandler):
    """A model that refuses, or whose answer is cut off at its limit."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        SEEN.append(body)
        message, reason = {"role": "assistant", "content": "Once upon"}, "length"
        if body["messages"][-1]["content"] == "refuse":
            message, reason = {"role": "assistant", "content": None, "refusal": "I will not."}, "stop"
        answer = {"id": "1", "created": 1, "model": "m", "object": "chat.completion"}
        if body.get("stream"):
            chunk = {**answer, "object": "chat.completion.chunk"}
            parts = [
                {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
                {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
            ]
            data = "".join(f"data: {json.dumps(part)}\n\n" for part in parts) + "data: [DONE]\n\n"
        else:
            data = json.dumps({**answer, "choices": [{"index": 0, "message": message, "finish_reason": reason}]})
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if body.get("stream") else "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data.encode())

    def log_message(self, *words):
        pass


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
with open("log", "w") as log:
    server = subprocess.Popen(
        ["venv/bin/python", "-m", "uvicorn", "app:app", "--port", str(port)],
        env={**os.environ, "MODEL_URL": f"http://127.0.0.1:{model.server_port}/v1"},
        stdout=log,
        stderr=log,
    )
client = OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", max_retries=0)
TOOL = {"type": "function", "function": {"name": "clock", "parameters": {"type": "object", "properties": {}}}}


def chat(words, **more):
    """Return the text of an answer and the reason for its end, or what is refused."""
    try:
        answer = client.chat.completions.create(model="m", messages=[{"role": "user", "content": words}], **more)
    except BadRequestError as error:
        return error.status_code, error.body["message"]
    if not more.get("stream"):
        return answer.choices[0].message.content, answer.choices[0].finish_reason
    choices = [choice for chunk in answer for choice in chunk.choices]
    text = "".join(choice.delta.content or "" for choice in choices)
    return text, next(filter(None, (choice.finish_reason for choice in choices)))


try:
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.2)
    response = client.responses.create(model="m", input="tell", store=False)
    seen = {
        "responses": (response.output_text, response.incomplete_details.reason),
        "chat": chat("tell"),
        "chat, streamed": chat("tell", stream=True),
        "a refusal": chat("refuse"),
        "tools, required": chat("tell", tools=[TOOL], tool_choice="required"),
        "max_tokens": chat("tell", max_tokens=99),
    }
finally:
    server.terminate()
    server.wait()
for name, outcome in seen.items():
    print(f"{name}:", *map(repr, outcome))
assert seen == {
    "responses": ("Once upon", "max_output_tokens"),
    "chat": ("Once upon", "stop"),
    "chat, streamed": ("Once upon", "stop"),
    "a refusal": (None, "stop"),
    "tools, required": ("Once upon", "stop"),
    "max_tokens": (400, "max_tokens: Extra inputs are not permitted"),
}
assert not any("tools" in body for body in SEEN)
print("half a sentence is an answer")
PY
