#!/bin/sh
# faster-whisper-server 0.0.3 with faster-whisper 1.2.1 and fastapi 0.165.0 (PyPI, CPython 3.11), transcription behind
# an interface of OpenAI's kind. It reads the model's name from a field "model_name", which neither OpenAI's clients nor
# the README's own examples send: they send "model", and that is ignored. Of several models in its configuration the one
# named "whisper-1" answers whatever is asked, also for names that do not exist, and no other is ever reached. Where none
# is named "whisper-1", each request is 400 "unknown model: whisper-1", though the model that was asked for is there.
# While a recording is read nothing else is answered, not even /health.
# Source: transcriptions() in faster_whisper_server/api.py of the wheel (model_name: str = Form("whisper-1"), and a call
# that blocks in an "async def"); its README: "the request model must match a config name entry"; OpenAI's reference,
# Create transcription, has the field "model". A stand-in transcribes, so that no model is needed. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "faster-whisper-server==0.0.3" "faster-whisper==1.2.1" "fastapi==0.165.0" \
    "starlette==1.10.0" "uvicorn==0.54.0" "python-multipart==0.0.34" "ctranslate2==4.8.5" "openai==2.54.0"
cd "$folder"
cat >server.py <<'PY'
"""The server as its command starts it, with a stand-in for Whisper that says which model it is."""

import sys
import time
from types import SimpleNamespace

import faster_whisper_server.models as models
import uvicorn
from faster_whisper_server.api import app


class Stand:
    def __init__(self, path, **options):
        self.path = path

    def transcribe(self, audio, **options):
        time.sleep(2 if self.path == "slow" else 0)
        return [SimpleNamespace(text=self.path)], None


models.WhisperModel = Stand
models.configure_models_from_config(sys.argv[2])
uvicorn.run(app, port=int(sys.argv[1]), log_level="error")
PY
"$folder/venv/bin/python" - <<'PY'
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

from openai import BadRequestError, OpenAI


def ask(names, model):
    """Return which model answers a server of these models, and how long /health takes meanwhile."""
    Path("models.yaml").write_text(
        "models:\n" + "".join(f"  - name: {name}\n    path: {path}\n" for name, path in names.items())
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "server.py", str(port), "models.yaml"])
    health = f"http://127.0.0.1:{port}/health"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(health, timeout=5)
                break
            except OSError:
                time.sleep(0.2)
        answers = []

        def transcribe():
            client = OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", max_retries=0)
            try:
                answers.append(
                    client.audio.transcriptions.create(model=model, file=("a.ogg", b"OggS")).text
                )
            except BadRequestError as error:
                answers.append((error.status_code, error.body["detail"]["error"]["message"]))

        asking = threading.Thread(target=transcribe)
        asking.start()
        time.sleep(1)
        start = time.monotonic()
        urllib.request.urlopen(health, timeout=30)
        waited = time.monotonic() - start
        asking.join()
    finally:
        server.terminate()
        server.wait()
    return answers[0], waited


two = {"whisper-1": "small", "large-fast": "large-v3"}
results = {
    "large-fast, beside whisper-1": ask(two, "large-fast")[0],
    "a name that is nowhere": ask(two, "no-such-model")[0],
    "large-fast, alone": ask({"large-fast": "large-v3"}, "large-fast")[0],
    "/health waits": ask({"whisper-1": "slow"}, "whisper-1")[1] > 0.3,
}
for asked, answer in results.items():
    print(f"{asked}: {answer}")
assert results == {
    "large-fast, beside whisper-1": "small",
    "a name that is nowhere": "small",
    "large-fast, alone": (400, "unknown model: whisper-1"),
    "/health waits": True,
}
print("the name of the model that was asked for is never read")
PY
