#!/bin/sh
# stubllm 0.1.5 with openai 3.57.0 (PyPI, CPython 3.11), a server that answers like a model's, by fixtures. A fixture's words are
# looked for in all of the conversation's messages, and of two that fit as well the first in the file wins: after "hello" and its
# answer, as the README's greeting gives it, "What is the weather like?" gets the greeting once more, and so does whatever comes
# after it. "no" is in "know". Two calls of tools in one streamed answer have both the index 0, so that a client which puts them
# together as OpenAI's API means it has one call with two ids and two objects for arguments; and no chunk says that it ends.
# Source: its README, "Deterministic mock server", "Works with: OpenAI", "the most specific wins", sections "Basic text response"
# and "Tool call response"; OpenAI's API reference (index of a tool call, finish_reason); _match_messages in
# stubllm/fixtures/matcher.py and stream_response in stubllm/streaming/sse.py. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'kill $(cat "$folder/pid" 2>/dev/null) 2>/dev/null || true; rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "stubllm==0.1.5" "openai==3.57.0"
cd "$folder"
cat >fixtures.yaml <<'TEXT'
fixtures:
  - name: "greeting"
    match: {provider: openai, messages: [{role: user, content: {contains: "hello"}}]}
    response: {content: "Hello! How can I help you today?"}
  - name: "weather"
    match: {provider: openai, messages: [{role: user, content: {contains: "weather"}}]}
    response: {content: "It rains."}
  - name: "refusal"
    match: {provider: openai, messages: [{role: user, content: {contains: "no"}}]}
    response: {content: "Then I do not."}
  - name: "notes"
    match: {provider: openai, messages: [{role: user, content: {contains: "remember"}}], tools_present: true}
    response:
      tool_calls:
        - {id: call_1, type: function, function: {name: keep, arguments: '{"note": "tea"}'}}
        - {id: call_2, type: function, function: {name: keep, arguments: '{"note": "Bern"}'}}
TEXT
port=$(venv/bin/python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
venv/bin/stubllm serve --port "$port" --fixture-file fixtures.yaml >log 2>&1 &
echo $! >pid
cat >client.py <<'PY'
import sys
import time
import urllib.request

from openai import OpenAI

address = f"http://127.0.0.1:{sys.argv[1]}/v1"
for _ in range(150):
    try:
        urllib.request.urlopen(f"{address}/models").read()
        break
    except OSError:
        time.sleep(0.2)
client = OpenAI(base_url=address, api_key="none", max_retries=0)


def ask(messages, **options):
    """Return the answer to a conversation."""
    return client.chat.completions.create(model="gpt-4o", messages=messages, **options)


for talk in (["What is the weather like?"], ["Oh hello!", "What is the weather like?", "Do you know?"], ["Do you know?"]):
    messages = []
    for text in talk:
        messages.append({"role": "user", "content": text})
        answer = ask(messages).choices[0].message.content
        messages.append({"role": "assistant", "content": answer})
        print(f"{text} {answer}")
    print("--")
tools = [{"type": "function", "function": {"name": "keep", "parameters": {"type": "object", "properties": {}}}}]
calls, ends = {}, []
for chunk in ask([{"role": "user", "content": "Please remember both"}], tools=tools, stream=True):
    ends.append(chunk.choices[0].finish_reason)
    for part in chunk.choices[0].delta.tool_calls or ():
        call = calls.setdefault(part.index, ["", ""])
        call[0] += part.id or ""
        call[1] += part.function.arguments or ""
print(calls, ends)
PY
venv/bin/python client.py "$port" >seen
cat seen
cat >expected <<'TEXT'
What is the weather like? It rains.
--
Oh hello! Hello! How can I help you today?
What is the weather like? Hello! How can I help you today?
Do you know? Hello! How can I help you today?
--
Do you know? Then I do not.
--
{0: ['call_1call_2', '{"note": "tea"}{"note": "Bern"}']} [None, None]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
