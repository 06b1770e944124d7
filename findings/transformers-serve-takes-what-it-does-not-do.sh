#!/bin/sh
# transformers 5.24.0 (PyPI, CPython 3.11), "transformers serve", a server of OpenAI's kind, asked through its own classes
# so that no PyTorch is needed; with 2.14.1 the server answered the same. It refuses a field that it has never heard of
# with 422, and takes those that it knows and does not do with a line in its own log: tool_choice, response_format,
# reasoning_effort, n, logprobs. A temperature other than 0 changes nothing if the model's own generation_config does not
# sample, as that of each fresh checkpoint does not: 0.1 and 1.5 bring the same words. A picture for a model of texts is
# dropped, and the model answers the words beside it. Of an assistant's turn with words and a call the words are dropped.
# Source: UNUSED_CHAT_COMPLETION_FIELDS in transformers/cli/serving/chat_completion.py, whose comment says that they raise
# an error; _build_generation_config and get_processor_inputs_from_messages in serving/utils.py of the wheel. What a chat
# template refuses, such as two turns of one role, is 500 "Internal Server Error" without its words. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "transformers==5.24.0" "openai==3.57.0" "fastapi==0.165.0" "uvicorn==0.54.0"
"$folder/venv/bin/python" - <<'PY' 2>"$folder/log"
from fastapi import HTTPException
from transformers import GenerationConfig
from transformers.cli.serving.chat_completion import ChatCompletionHandler
from transformers.cli.serving.utils import GenerationState, Modality

handler = ChatCompletionHandler(None, GenerationState())


def taken(field, value):
    """Return whether a request with this field is taken."""
    request = {"model": "small", "messages": [{"role": "user", "content": "Hi"}], field: value}
    try:
        handler._validate_request(request)
    except HTTPException as error:
        return error.status_code
    return True


def sampling(request, **own):
    """Return how the model's words are chosen for a request."""
    config = handler._build_generation_config(request, GenerationConfig(**own))
    return config.temperature, bool(config.do_sample)


def told(message):
    """Return the text that a model of texts is told."""
    return handler.get_processor_inputs_from_messages([message], Modality.LLM)[0]["content"]


fields = {
    "tool_choice": "required",
    "response_format": {"type": "json_object"},
    "reasoning_effort": "low",
    "n": 2,
    "logprobs": True,
    "top_k": 5,
}
taken_fields = {field: taken(field, value) for field, value in fields.items()}
hot, of_a_sampler = sampling({"temperature": 1.5}), sampling({"temperature": 1.5}, do_sample=True)
picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
seen = told({"role": "user", "content": [{"type": "text", "text": "What is this?"}, picture]})
call = {"id": "1", "type": "function", "function": {"name": "clock", "arguments": "{}"}}
said = told({"role": "assistant", "content": "I will look at the clock.", "tool_calls": [call]})
print("taken, or refused with:", taken_fields)
print("temperature and whether it samples:", hot, "and if the model's own configuration does:", of_a_sampler)
print("told of a picture:", repr(seen), "and of words beside a call:", repr(said))
expected = dict.fromkeys(fields, True) | {"top_k": 422}
if (taken_fields, hot, of_a_sampler, seen, said) != (expected, (1.5, False), (1.5, True), "What is this?", ""):
    raise SystemExit("the behaviour has changed")
PY
