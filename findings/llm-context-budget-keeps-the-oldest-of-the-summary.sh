#!/bin/sh
# llm-context-budget 0.1.0 (PyPI, CPython 3.11), which fits a chat into a model's window: the newest turns as they are,
# the older ones as a summary that keeps its end, as "recent facts matter more". When the summary has to be cut to what
# room is left, its end is cut off: of Oslo, Rome and Bern the model is told Oslo. A window below 1,624 is taken for one
# of 1,024 beside the answer: 1,200 tokens of prompt and answer "fit" into a model of 1,000. What an overflow is, is
# asked of single words: an invalid token, a quota that is exceeded and a deadline are one, and so half of the window is
# left out and the request sent again.
# Source: the README ("capped total size keeping the tail", "If even that can't fit, you get fits=False", "detect it and
# retry"); _pack_finish, context_limits_for and is_context_overflow_error in context_budget/pack.py of the wheel. Seen
# on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "llm-context-budget==0.1.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from context_budget import is_context_overflow_error, pack_messages

MOVES = "User: I moved to Oslo\nUser: I moved to Rome\nUser: I moved to Bern"
question = {"role": "user", "content": "Where do I live? " + "Tell me about the town. " * 170}
result = pack_messages([question], summary=MOVES, already_summarized=0, context_tokens=1631, response_reserve=600)
print("told of the moves:", repr(result.summary), "fits:", result.fits)

long = {"role": "user", "content": "four" * 600}
result = pack_messages([long], context_tokens=1000, response_reserve=600)
print(f"a window of 1000: a prompt of {result.used_tokens}, 600 for the answer, fits: {result.fits}")

for error in (
    "401: invalid token",
    "429: you exceeded your current quota",
    "504: context deadline exceeded",
    "500: the server had an error",
):
    print(f"{error}: {is_context_overflow_error(Exception(error))}")
PY
cat >expected <<'TEXT'
told of the moves: 'User: I moved to Oslo\n' fits: True
a window of 1000: a prompt of 600, 600 for the answer, fits: True
401: invalid token: True
429: you exceeded your current quota: True
504: context deadline exceeded: True
500: the server had an error: False
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
