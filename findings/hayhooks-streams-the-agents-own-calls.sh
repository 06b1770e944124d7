#!/bin/sh
# hayhooks 2.1.0 with haystack-ai 3.4.1, fastapi-openai-compat 1.4.0 and openai 3.57.0 (PyPI, CPython 3.11), which serves an agent
# of Haystack's behind an interface of OpenAI's kind. In a stream the agent's calls of its own tools arrive as if the caller
# were to run them, after the agent did: a call, finish_reason "tool_calls", then "tool_call_results", which OpenAI does not have,
# then the answer and "stop", without [DONE]. Whoever ends at the first finish_reason has no answer. A caller that puts the
# pieces together has an answer and a call of a tool that it never offered; a loop that carries calls out asks again, and the agent's
# tool runs again. The same question in one piece is answered by the text alone. No usage comes in either form.
# Source: _tool_calls_chunk_to_sse() of fastapi-openai-compat, by which each chunk of streaming_generator() goes out; OpenAI's
# reference, "The chat completion chunk object". An endpoint on this machine stands for the model. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "hayhooks==2.1.0" "haystack-ai==3.4.1" "fastapi-openai-compat==1.4.0" "fastapi==0.165.0" \
    "starlette==1.10.0" "openai==3.57.0"
mkdir -p "$folder/pipelines/agent"
cd "$folder"
cat >pipelines/agent/pipeline_wrapper.py <<'PY'
"""An agent with one tool, which counts how often it ran."""

import os
from pathlib import Path

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import tool
from haystack.utils import Secret
from hayhooks import BasePipelineWrapper, streaming_generator


@tool
def ring_the_bell() -> str:
    """Ring the bell of the club."""
    with Path("rung").open("a") as file:
        file.write("x")
    return "It rang."


class PipelineWrapper(BasePipelineWrapper):
    def setup(self):
        model = OpenAIChatGenerator(api_key=Secret.from_token("none"), model="m", api_base_url=os.environ["MODEL_URL"])
        self.agent = Agent(chat_generator=model, tools=[ring_the_bell])
        self.agent.warm_up()

    def run_chat_completion(self, model, messages, body):
        arguments = {"messages": [ChatMessage.from_user(message["content"]) for message in messages]}
        if body.get("stream"):
            return streaming_generator(pipeline=self.agent, pipeline_run_args=arguments)
        return self.agent.run(**arguments)["last_message"].text
PY
"$folder/venv/bin/python" - <<'PY'
import json
import os
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from openai import OpenAI


class Model(BaseHTTPRequestHandler):
    """A model that calls the tool first, and then says that it is done."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        function = {"name": "ring_the_bell", "arguments": "{}"}
        message = {"role": "assistant", "content": "Done.", "tool_calls": None}
        reason = "stop"
        if body["messages"][-1]["role"] != "tool":
            call = {"index": 0, "id": "call_1", "type": "function", "function": function}
            message, reason = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
        answer = {"id": "1", "created": 1, "model": "m", "object": "chat.completion"}
        if body.get("stream"):
            chunk = {**answer, "object": "chat.completion.chunk"}
            chunks = [
                {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
                {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
            ]
            data = "".join(f"data: {json.dumps(part)}\n\n" for part in chunks) + "data: [DONE]\n\n"
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
settings = {
    "MODEL_URL": f"http://127.0.0.1:{model.server_port}/v1",
    "HAYHOOKS_PIPELINES_DIR": "pipelines",
    "HAYHOOKS_TELEMETRY": "false",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "HOME": os.getcwd(),
}
server = subprocess.Popen(
    [str(Path(sys.executable).with_name("hayhooks")), "run", "--host", "127.0.0.1", "--port", str(port)],
    env={**os.environ, **settings},
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
)
client = OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", max_retries=0)
question = [{"role": "user", "content": "Please ring the bell."}]


def streamed():
    """Return the reasons, the names of the calls and the text of one stream."""
    reasons, names, text, at_first_end, has_usage = [], [], "", None, False
    chunks = client.chat.completions.create(
        model="agent", messages=question, stream=True, stream_options={"include_usage": True}
    )
    for chunk in chunks:
        has_usage |= chunk.usage is not None
        for choice in chunk.choices:
            text += choice.delta.content or ""
            names += [call.function.name for call in choice.delta.tool_calls or [] if call.function.name]
            if choice.finish_reason:
                reasons.append(choice.finish_reason)
                at_first_end = text if at_first_end is None else at_first_end
    return reasons, names, text, at_first_end, has_usage


try:
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.2)
    whole = client.chat.completions.create(model="agent", messages=question)
    reasons, names, text, at_first_end, has_usage = streamed()
    rung = len(Path("rung").read_text())
finally:
    server.terminate()
    server.wait()
message = whole.choices[0].message
print("in one piece:", repr(message.content), "calls:", message.tool_calls, "usage:", whole.usage)
print("streamed:", repr(text), "calls:", names, "reasons:", reasons, "usage:", has_usage)
print("text at the first reason:", repr(at_first_end), "- the tool ran", rung, "times for two questions")
assert (message.content, message.tool_calls, whole.usage) == ("Done.", None, None)
assert (text, names, has_usage) == ("Done.", ["ring_the_bell"], False)
assert reasons == ["tool_calls", "tool_call_results", "stop"]
assert (at_first_end, rung) == ("", 2)
print("a call that was carried out is handed to the caller")
PY
