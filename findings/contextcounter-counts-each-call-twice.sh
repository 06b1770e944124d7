#!/bin/sh
# contextcounter 0.1.8 (PyPI, CPython 3.11), which counts the tokens and the tool calls of a conversation. One call is two, as its
# result counts as a call, and what the model wrote to call the tool counts for nothing. A turn without text, as
# a call is, has the word "None" instead. Of what OpenAI reports of an answer it finds no thoughts, since these stand
# one level deeper; of Anthropic's it leaves out what was read from the cache, nine tenths of the prompt here. The
# limits of models, for which it has "internal static defaults", are None but for Gemini's, and so is whether a prompt
# is too long.
# Source: its README ("works out-of-the-box with no dependencies", "Number of tool calls", "Reasoning tokens (when provided by the
# API usage object)", get_limit: "Fallback: internal static defaults"); counter.py, analytics.py and providers.py of the wheel;
# OpenAI's reference (usage.completion_tokens_details.reasoning_tokens) and Anthropic's (total input tokens are the sum
# of input_tokens, cache_creation_input_tokens and cache_read_input_tokens). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-deps "contextcounter==0.1.8"
cd "$folder"
cat >count.py <<'PY'
from contextcounter import ContextInspector, analyze_messages, summarize_provider_usage

arguments = '{"text": "' + "tea with everybody " * 50 + '"}'
call = {"id": "1", "type": "function", "function": {"name": "remind", "arguments": arguments}}
messages = [
    {"role": "user", "content": "Remind all of tea"},
    {"role": "assistant", "content": None, "tool_calls": [call]},
    {"role": "tool", "tool_call_id": "1", "content": "done"},
]
report = analyze_messages(messages, model="gpt-4o")
print("calls:", report["num_tool_calls"])
print("tokens of a call of", len(arguments), "characters:", report["details"][1]["content_tokens"])
counter = ContextInspector(provider="openai")
print("tokens of no text and of None:", counter.count_text("", "gpt-4o"), counter.count_messages([{"content": None}]) - 3)
usage = {
    "prompt_tokens": 10,
    "completion_tokens": 500,
    "total_tokens": 510,
    "completion_tokens_details": {"reasoning_tokens": 480},
}
print("thoughts of 480:", summarize_provider_usage(usage, "openai")["reasoning_tokens"])
usage = {"input_tokens": 200, "cache_read_input_tokens": 1800, "output_tokens": 50}
print("prompt of 2000:", summarize_provider_usage(usage, "anthropic")["prompt_tokens"])
print("limit:", counter.get_limit("gpt-4o"), "exceeded:", counter.will_exceed(10**9, "gpt-4o"))
PY
venv/bin/python count.py | tee seen
cat >expected <<'TEXT'
calls: 2
tokens of a call of 962 characters: 0
tokens of no text and of None: 0 2
thoughts of 480: None
prompt of 2000: 200
limit: None exceeded: None
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
