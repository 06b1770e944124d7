#!/bin/sh
# @musistudio/llms 1.0.53 (npm, Node 20), the gateway within claude-code-router, asked at its own /v1/chat/completions for
# streams of an endpoint of OpenAI's kind. With a transformer of its lists ("deepseek", "reasoning", "tooluse") each part
# whose delta is empty is dropped. In OpenAI's form these are the last two: the one that says why the answer ended, and the
# one with the usage. What comes is words and [DONE], which is also what an answer looks like that was broken off; a
# client that checks for the end asks, and pays, again. Without a transformer both parts come.
# Of a model that thinks, the thoughts become an object, {"content": ..., "signature": ...}, the whole of them is sent twice,
# and all words after them belong to choice 1 of an answer that has one choice, so who reads choice 0 has an empty answer.
# Source: the condition on Object.keys(delta).length and "index++" in deepseek.transformer.ts and reasoning.transformer.ts,
# which the package's source map contains. OpenAI's API reference: the last chunk's delta is empty and has the
# finish_reason, and with include_usage one more without a choice has the usage. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit "@musistudio/llms@1.0.53"
cat > gateway.cjs <<'JS'
const Server = require("@musistudio/llms").default;
const [model, port] = process.argv.slice(2);
const names = ["plain", "deepseek", "reasoning", "tooluse"];
const providers = names.map((name) => ({
  name,
  api_base_url: model,
  api_key: "none",
  models: ["m"],
  ...(name === "plain" ? {} : { transformer: { use: [name] } }),
}));
new Server({ initialConfig: { providers, HOST: "127.0.0.1", PORT: Number(port) }, logger: false }).start();
JS
python3 - <<'PY'
import json
import socket
import subprocess
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Model(BaseHTTPRequestHandler):
    """Streams "Hello Anna", after thoughts where it is asked to think."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        thinks = "think" in json.dumps(request["messages"])
        parts = [{"reasoning_content": part} for part in ("A ", "name.")] if thinks else []
        parts += [{"content": part} for part in ("Hello ", "Anna")]
        choices = [{"index": 0, "delta": part, "finish_reason": None} for part in parts]
        choices.append({"index": 0, "delta": {}, "finish_reason": "stop"})
        shared = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m"}
        chunks = [{**shared, "choices": [choice]} for choice in choices]
        usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
        chunks.append({**shared, "choices": [], "usage": usage})
        lines = [*map(json.dumps, chunks), "[DONE]"]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write("".join(f"data: {line}\n\n" for line in lines).encode())

    def log_message(self, *_):
        pass


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
address = f"http://127.0.0.1:{model.server_port}/v1/chat/completions"
gateway = subprocess.Popen(["node", "gateway.cjs", address, str(port)], stdout=subprocess.DEVNULL)


def ask(provider, words):
    """Return the chunks of a streamed answer, and whether [DONE] came."""
    body = {
        "model": f"{provider},m",
        "messages": [{"role": "user", "content": words}],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    url = f"http://127.0.0.1:{port}/v1/chat/completions"
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        lines = [line[6:] for line in response.read().decode().split("\n") if line.startswith("data: ")]
    return [json.loads(line) for line in lines if line != "[DONE]"], "[DONE]" in lines


try:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.2)
    ends = {}
    for provider in ("plain", "deepseek", "reasoning", "tooluse"):
        chunks, is_done = ask(provider, "Hi")
        choices = [choice for chunk in chunks for choice in chunk["choices"]]
        words = "".join(choice["delta"].get("content") or "" for choice in choices)
        reasons = [choice["finish_reason"] for choice in choices if choice["finish_reason"]]
        ends[provider] = (words, reasons, any("usage" in chunk for chunk in chunks), is_done)
        print(f"{provider}: words {words!r}, reasons {reasons}, usage {ends[provider][2]}, [DONE] {is_done}")
    chunks, _ = ask("deepseek", "think")
    thought = [(choice["index"], choice["delta"]) for chunk in chunks for choice in chunk["choices"]]
    for index, delta in thought:
        shown = {**delta, **({"thinking": delta["thinking"]["content"]} if "thinking" in delta else {})}
        print(f"after thoughts: choice {index}: {shown}")
finally:
    gateway.terminate()
    gateway.wait()
assert ends["plain"] == ("Hello Anna", ["stop"], True, True)
for provider in ("deepseek", "reasoning", "tooluse"):
    assert ends[provider] == ("Hello Anna", [], False, True), provider
assert [index for index, delta in thought if delta.get("content")] == [1, 1]
assert [delta["thinking"]["content"] for _, delta in thought if "thinking" in delta] == ["A ", "name.", "A name."]
print("the end and the usage of each stream are dropped")
PY
