#!/bin/sh
# convopack 0.3.2 (PyPI, CPython 3.11), which packs a talk into a budget of tokens. Recency, "keep the tail that fits", keeps no tail: what
# is too long is passed over and the search goes on, so that answers stand behind other questions. "I have nuts here, may I eat
# them? ..." is left out for its length and the answer "No, throw them away." follows "May I have a biscuit?", "Sure."; FirstFit does
# the same from the other end. Where all fits, what a member sent is still not whole: a voice message and a file are gone, a
# picture forgets its detail, and the result of a tool that comes in parts is the text "[{'type': 'text', ...}]" of Python. The
# README's first example, "list[dict] in, list[dict] out", is an AttributeError.
# Source: its README ("returns the largest tail that fits", "normalising message shapes across OpenAI", Quickstart); Recency and FirstFit
# in strategies, from_openai() in providers/openai.py; OpenAI's reference of chat completions: the content of a tool's message is a
# text or an array of parts, and a user's may hold input_audio and file. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "convopack==0.3.2"
cd "$folder"
cat >pack.py <<'PY'
import json

from convopack import FirstFit, Packer, Recency

SAID = [
    ("user", "May I have a biscuit?"), ("assistant", "Sure."),
    ("user", "I am Ada. I have nuts here, and you know that I am allergic to them, and so is my sister. May I eat them?"),
    ("assistant", "No, throw them away."),
    ("user", "Thanks."),
]
talk = [{"role": role, "content": text} for role, text in SAID]
for strategy in (Recency(), FirstFit()):
    kept = Packer(budget=45, strategy=strategy).pack_openai(talk)
    print(strategy.name, [message["content"] for message in kept])
call = {"id": "c", "type": "function", "function": {"name": "note", "arguments": "{}"}}
parts = [
    {"role": "user", "content": [
        {"type": "text", "text": "Listen:"}, {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
        {"type": "file", "file": {"file_id": "file-1"}},
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png", "detail": "low"}}]},
    {"role": "assistant", "content": None, "tool_calls": [call]},
    {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "Noted."}]},
]
packed = Packer(budget=8000).pack_openai(parts)
print(json.dumps(packed[0]["content"]))
print(packed[2]["content"])
try:
    Packer(budget=8000, strategy=Recency(), pin=["system", "first_user"]).pack(talk)
except AttributeError as error:
    print("the README's example:", error)
PY
venv/bin/python pack.py >seen
cat seen
cat >expected <<'TEXT'
recency ['May I have a biscuit?', 'Sure.', 'No, throw them away.', 'Thanks.']
first_fit ['May I have a biscuit?', 'Sure.', 'No, throw them away.', 'Thanks.']
[{"type": "text", "text": "Listen:"}, {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}]
[{'type': 'text', 'text': 'Noted.'}]
the README's example: 'dict' object has no attribute 'role'
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
