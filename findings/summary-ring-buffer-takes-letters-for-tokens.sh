#!/bin/sh
# summary-ring-buffer 0.1.0 (PyPI, CPython 3.11), "conversation summarization": the last turns stay, and of each older
# one there is a summary of at most max_summary_tokens. A token is a letter there, though its own count_tokens counts
# words, and the summary is the beginning of the turn, cut within a word or a number: with 38, a debt of 1,500,000
# euros, 9 tokens by its own count, is one of 1,500, and with 27 "not allergic" is "no". What is rendered for the model
# has no summary in it: of what was said before the last turns it hears nothing, and the summaries grow without an end
# beside it. Its command ends with ModuleNotFoundError, as the module that it asks for is in the wheel under "scripts".
# Source: its summary on PyPI and the names; scripts/ring_buffer.py (_default_summary, render), count_tokens.py and
# summary_ring_buffer_cli.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "summary-ring-buffer==0.1.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from scripts.count_tokens import count_tokens
from scripts.ring_buffer import SummaryRingBuffer

for limit, said in (
    (38, "Anna owes the club in Oslo about 1,500,000 euros"),
    (27, "Anna told us that she is not allergic to nuts"),
):
    buffer = SummaryRingBuffer(capacity=1, max_summary_tokens=limit)
    buffer.push("user", said)
    summary = buffer.push("user", "Who pays?")["evicted_summary"]
    print(f"{count_tokens(said)} tokens, at most {limit}: {summary!r}; rendered: {buffer.render()}")
for number in range(1000):
    buffer.push("user", f"Turn {number}")
print("turns:", len(buffer.turns), "summaries:", len(buffer.summaries))
PY
venv/bin/summary-ring-buffer render 2>&1 | tail -1 | tee -a seen
cat >expected <<'TEXT'
9 tokens, at most 38: 'Anna owes the club in Oslo about 1,500'; rendered: user: Who pays?
10 tokens, at most 27: 'Anna told us that she is no'; rendered: user: Who pays?
turns: 1 summaries: 1001
ModuleNotFoundError: No module named 'ring_buffer'
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
