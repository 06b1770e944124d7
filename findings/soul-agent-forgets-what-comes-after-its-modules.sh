#!/bin/sh
# soul-agent 0.2.1 with openai 2.8.1 (PyPI, CPython 3.11), an agent whose memory is the file MEMORY.md, with a command that
# splits a long one into modules to save tokens. From then on each answer is given with the modules, which nothing writes
# to any more: what is said or noted afterwards goes to MEMORY.md, and that is not read again. Each new session has the
# memory of the day of the split, and says nothing of it; get_memory_stats() calls that the mode "modules". Of a memory
# this short the modules are longer than the file, which is printed as savings below nought.
# Source: its README ("MEMORY.md: timestamped log of every exchange", "Modulizer splits them into indexed modules and
# retrieves only what's relevant", "Your AI forgets everything when the conversation ends. soul.py fixes that"); ask and
# _read_memory in soul.py, _retrieve_from_modules in modular_memory.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "soul-agent==0.2.1" "openai==2.8.1" "requests==2.32.5"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from modulizer import modulize
from soul import Agent

prompts = []


class Model(BaseHTTPRequestHandler):
    """Answers each question in one word; of modules it picks the one there is."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        prompts.append(asked["messages"][0]["content"])
        answer = "reference.md" if "AVAILABLE MODULES" in prompts[-1] else "Noted."
        message = {"role": "assistant", "content": answer}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        body = json.dumps(
            {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        ).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
model = {
    "provider": "openai-compatible",
    "base_url": f"http://127.0.0.1:{server.server_port}/v1",
    "model": "m",
    "api_key": "none",
}


def known(what):
    """Say what the agent has before it when it is asked in a new session."""
    agent = Agent(**model)
    agent.ask("What do you know?", remember=False)
    facts = ("allergic to nuts", "lives in Oslo", "moved to Rome", "is vegan")
    print(f"{what}: {[fact for fact in facts if fact in prompts[-1]]}, mode {agent.get_memory_stats()['mode']}")


agent = Agent(**model)
agent.ask("Kim is allergic to nuts")
agent.remember("Ben lives in Oslo")
known("before the split")
modulize("MEMORY.md", verbose=False, **model)
known("after it")
agent = Agent(**model)
agent.ask("Ben has moved to Rome")
agent.remember("Ada is vegan")
known("after two more memories")
print("in MEMORY.md:", [fact for fact in ("moved to Rome", "is vegan") if fact in Path("MEMORY.md").read_text()])
server.shutdown()
PY
cat >expected <<'TEXT'
before the split: ['allergic to nuts', 'lives in Oslo'], mode full
after it: ['allergic to nuts', 'lives in Oslo'], mode modules
after two more memories: ['allergic to nuts', 'lives in Oslo'], mode modules
in MEMORY.md: ['moved to Rome', 'is vegan']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
