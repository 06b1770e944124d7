#!/bin/sh
# llm-context-budget 0.1.0 (PyPI, CPython 3.11), which fits talks into a model's window: the last lines as they are, older
# ones as a running summary that the caller keeps beside the number of lines in it. The summary is said to keep its tail, as
# "recent facts matter more". But where one long message leaves little room, its head is kept and handed back: the plan to
# move to Graz stays, the change to Linz is cut off, and since the line counts as summarized, it is never read again, however
# much room there is later. When members delete messages, the number points behind the end of what is left, and the messages
# for the model are the summary alone, without the question; fits is true. is_context_overflow_error, on which the README
# retries at once with half the window, is true of every error that names tokens, such as the provider's "tokens per min"
# limit and a refused login.
# Source: its README, "Final guard", "capped total size keeping the tail", "The overflow retry"; truncate_to_tokens as called
# in _pack_finish (keep="head"), window_start in _pack_prepare and _OVERFLOW_RE in context_budget/pack.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "llm-context-budget==0.1.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
import re

from context_budget import is_context_overflow_error, pack_messages


def said(*texts):
    """Return what a person said, message by message."""
    return [{"role": "user", "content": text} for text in texts]


def show(name, packed):
    """Print what the model is sent."""
    sent = [re.sub("x{9,}", "x...", message["content"]) for message in packed.messages]
    print(f"{name}: {sent}, fits: {packed.fits}")


small = {"context_tokens": 1624, "recent_window": 2}
talk = said("On Friday I move to Graz.", "My cat Mia comes too.", "I changed my mind: Linz, not Graz.", "And my car?", "Yes.")
before = pack_messages(talk, **small)
show("a talk", before)
talk += said("Here is the lease: " + 4000 * "x")
tight = pack_messages(talk, summary=before.summary, already_summarized=before.summarized_count, **small)
show("with a long message", tight)
talk += said("It is signed.", "Where do I move?")
after = pack_messages(talk, summary=tight.summary, already_summarized=tight.summarized_count, recent_window=2)
show("later, in a window of 4,096", after)
left = talk[:2] + talk[-1:]
kept = {"summary": after.summary, "already_summarized": after.summarized_count}
show(f"{len(left)} messages are left", pack_messages(left, **kept))
for error in (
    "This model's maximum context length is 8192 tokens.",
    "429: Rate limit reached on tokens per min (TPM): Limit 30000. Please try again in 12s.",
    "401: Invalid authentication token.",
    "500: Internal server error.",
):
    print(f"{error} An overflow: {is_context_overflow_error(error)}")
PY
cat seen
cat >expected <<'TEXT'
a talk: ['Earlier conversation summary (for context):\nUser: On Friday I move to Graz.\nUser: My cat Mia comes too.\nUser: I changed my mind: Linz, not Graz.', 'And my car?', 'Yes.'], fits: True
with a long message: ['Earlier conversation summary (for context):\nUser: On Friday I move to Graz.\nUser: My cat Mia comes too.\nUser: I change', 'Here is the lease: x...'], fits: True
later, in a window of 4,096: ['Earlier conversation summary (for context):\nUser: On Friday I move to Graz.\nUser: My cat Mia comes too.\nUser: I change\nUser: Here is the lease: x...', 'It is signed.', 'Where do I move?'], fits: True
3 messages are left: ['Earlier conversation summary (for context):\nUser: On Friday I move to Graz.\nUser: My cat Mia comes too.\nUser: I change\nUser: Here is the lease: x...'], fits: True
This model's maximum context length is 8192 tokens. An overflow: True
429: Rate limit reached on tokens per min (TPM): Limit 30000. Please try again in 12s. An overflow: True
401: Invalid authentication token. An overflow: True
500: Internal server error. An overflow: False
TEXT
cmp expected seen
