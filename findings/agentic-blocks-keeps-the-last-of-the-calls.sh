#!/bin/sh
# agentic-blocks 0.1.37 with agno 2.0.9 (PyPI, CPython 3.11), "building blocks" for agents whose Messages keep a
# conversation in OpenAI's format. Of the calls that a model makes at once, add_tool_calls keeps the last: the weather
# of Oslo, which the model asked for beside that of Rome, is never fetched, and nobody hears of it. Calls that were
# added one by one are forgotten as soon as the first is answered: "pending" looks at the last message only, so that
# the second one gets no answer. Of a tool's result of two parts the second is dropped. An answer of the openai
# package, which add_response_message asks for, with a call in it ends in TypeError.
# Source: the README ("manage LLM conversation history with OpenAI-compatible format"), the docstrings ("add multiple
# tool calls", "a ChatCompletionMessage object"); agentic_blocks/messages.py of the wheel. That module is read alone
# here: the package asks for any mcp, and does not import with version 2 of it. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "agno==2.0.9" "openai==2.14.0"
"$folder/venv/bin/pip" install -q --no-deps "agentic-blocks==0.1.37"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
import glob
import runpy

from openai.types.chat import ChatCompletionMessage

Messages = runpy.run_path(glob.glob("venv/lib/python*/site-packages/agentic_blocks/messages.py")[0])["Messages"]
CALLS = [
    {"id": town, "type": "function", "function": {"name": "weather", "arguments": f'{{"town": "{town}"}}'}}
    for town in ("Oslo", "Rome")
]


def pending(messages):
    return [call["arguments"]["town"] for call in messages.get_pending_tool_calls()]


messages = Messages(user_prompt="How is the weather in Oslo and Rome?")
messages.add_tool_calls([dict(call) for call in CALLS])
print("called at once:", pending(messages))

messages = Messages(user_prompt="How is the weather in Oslo and Rome?")
for call in CALLS:
    messages.add_tool_call(call)
print("called one by one:", pending(messages))
messages.add_tool_response("Oslo", "sun")
print("after the answer of Oslo:", pending(messages), messages.has_pending_tool_calls())

parts = [{"type": "text", "text": "sun"}, {"type": "text", "text": "storm from noon on"}]
messages.add_tool_responses([{"tool_call_id": "Rome", "tool_response": {"content": parts}}])
print("a result of two parts:", messages.get_messages()[-1].content)

answer = ChatCompletionMessage.model_validate({"role": "assistant", "content": None, "tool_calls": CALLS})
try:
    Messages(user_prompt="Hello").add_response_message(answer)
except TypeError as error:
    print("an answer of openai:", error)
PY
cat >expected <<'TEXT'
called at once: ['Rome']
called one by one: ['Oslo', 'Rome']
after the answer of Oslo: [] False
a result of two parts: sun
an answer of openai: 'ChatCompletionMessageFunctionToolCall' object is not subscriptable
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
