#!/bin/sh
# ctoken 1.1.1 with openai 3.57.0 (PyPI, CPython 3.11), which reckons what calls cost. `from ctoken import ctoken`, as its README
# says, is another function than the ctoken that the README describes: it was put in its place by an alias in __init__. An
# answer of the Responses API with 15,000 tokens has 0 tokens and costs 0.0, so a budget that adds these up never fills. A
# streamed answer is an error that takes the list of chunks for the name of a model. Cached tokens cost a quarter of the price,
# not the cached price that its own table has: 12,000 tokens of gpt-5.1, 10,000 of them cached, cost half as much again. The
# function behind the alias, ctoken.token_estimator.ctoken, counts all three as told.
# Source: its README ("Compatible with all OpenAI APIs (Chat Completions and Responses)", "Works with streaming responses",
# "cost = ctoken(response_chunks)"); the alias in ctoken/__init__.py. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "ctoken==1.1.1" "openai==3.57.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
import re

from ctoken import ctoken
from ctoken.token_estimator import ctoken as inner
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseUsage

usage = {"prompt_tokens": 12000, "completion_tokens": 3000, "total_tokens": 15000}
cached = {**usage, "prompt_tokens_details": {"cached_tokens": 10000}}
fresh = {"input_tokens": 12000, "output_tokens": 3000, "total_tokens": 15000}
details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
common = {"id": "c", "choices": [], "created": 1, "model": "gpt-5.1"}
chat = ChatCompletion(object="chat.completion", usage=cached, **common)
chunks = [ChatCompletionChunk(object="chat.completion.chunk", usage=part, **common) for part in (None, usage)]
response = Response.construct(model="gpt-5.1", usage=ResponseUsage.construct(**fresh, **details))
for name, answer in (("chat, cached", chat), ("stream", chunks), ("Responses API", response)):
    for way, count in (("ctoken.ctoken", ctoken), ("token_estimator.ctoken", inner)):
        try:
            cost = count(answer)
            prompt = cost["prompt_cost_uncached"] + cost["prompt_cost_cached"]
            print(f"{name}: {way}: {cost['total_tokens']} tokens, prompt {prompt:.6f}, total {cost['total_cost']:.6f}")
        except (ValueError, RuntimeError) as error:
            print(f"{name}: {way}:", re.sub(r"(Model '.{20}).*'", r"\1...'", str(error)))
PY
cat seen
cat >expected <<'TEXT'
chat, cached: ctoken.ctoken: 15000 tokens, prompt 0.005625, total 0.035625
chat, cached: token_estimator.ctoken: 15000 tokens, prompt 0.003750, total 0.033750
stream: ctoken.ctoken: Model '[ChatCompletionChunk...' not found in pricing data
stream: token_estimator.ctoken: 15000 tokens, prompt 0.015000, total 0.045000
Responses API: ctoken.ctoken: 0 tokens, prompt 0.000000, total 0.000000
Responses API: token_estimator.ctoken: 15000 tokens, prompt 0.015000, total 0.045000
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
