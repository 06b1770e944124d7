#!/bin/sh
# evalgate 0.3.0 (PyPI, CPython 3.11, openai 2.8.1), checks of pull requests with a model as the judge of answers. The mark is read from the
# judge's words: after "Score:" a number above 1 is out of ten, whatever is written behind it, and 1 is the whole. So "Score: 1/10", the
# worst mark, passes as 1.0, "Score: 4/5" is 0.4 and fails beside "Rating: 4/5", which is 0.8, "Score: 7%" is 0.7, and 40 of a hundred
# is 1.0. With "**Score:** 0.2", as models like to write, the first number of the sentence is taken: "All 9 facts are wrong" is 0.9. What
# says no number at all is read for praise: "not good" is 0.8. The F1 of answers to classify leaves out those that are missing: one
# right answer of ten is 1.0.
# Source: the docstring of _extract_score_from_response() ("Score: 0.85", "Rating: 4/5", "8.5/10", "85%") in evaluators/llm_judge.py,
# the README ("fail if score < 0.75"), evaluate() of classification_metrics.py. A server on this host stands for the judge. Seen on
# 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "openai==2.8.1"
"$folder/venv/bin/pip" install -q --no-deps "evalgate==0.3.0"
cd "$folder"
cat >judge.py <<'PY'
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from evalgate.evaluators import classification_metrics, llm_judge

WORDS = ["Score: 1/10", "Score: 4/5", "Rating: 4/5", "Score: 7%", "Score: 40/100", "All 9 facts are wrong. **Score:** 0.2",
         "This answer is not good."]


class Judge(BaseHTTPRequestHandler):
    """A model that says what the answer it is shown asks for."""

    def do_POST(self):
        prompt = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"][0]["content"]
        message = {"role": "assistant", "content": WORDS[int(prompt.split("#")[1])]}
        body = json.dumps({"id": "1", "object": "chat.completion", "created": 1, "model": "judge", "choices": [
            {"index": 0, "finish_reason": "stop", "message": message}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Judge)
threading.Thread(target=server.serve_forever, daemon=True).start()
with open("prompt.txt", "w") as file:
    file.write("Rate {output}")
for number, words in enumerate(WORDS):
    score, _ = llm_judge.evaluate({"a": {"text": f"#{number}#"}}, {}, "local", "judge", "prompt.txt",
                                  base_url=f"http://127.0.0.1:{server.server_port}/v1")
    print(f"{words}: {round(score, 2)}")
cases = {str(number): {"expected": {"label": "yes"}} for number in range(10)}
answers = {name: {"label": "yes"} if name == "0" else {} for name in cases}
print("one answer of ten:", classification_metrics.evaluate(answers, cases, "label")[0])
PY
venv/bin/python judge.py >seen
cat seen
cat >expected <<'TEXT'
Score: 1/10: 1.0
Score: 4/5: 0.4
Rating: 4/5: 0.8
Score: 7%: 0.7
Score: 40/100: 1.0
All 9 facts are wrong. **Score:** 0.2: 0.9
This answer is not good.: 0.8
one answer of ten: 1.0
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
