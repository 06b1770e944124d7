#!/bin/sh
# llm-conversation-parser 1.0.1 (PyPI, CPython 3.8 or newer), which makes records for retrieval of the talks that ChatGPT, Grok and
# Claude export: each question with the "previous AI response" above it. In talks of ChatGPT the answer to a question is
# what stands above it, as if it had been given before. If one answer was made anew, which ChatGPT keeps as a second
# child, each later question has the answer of another. In talks of Grok it is the first answer of the talk above every later
# question. In Claude's, every second line is a question, so after somebody wrote twice in a row the model's answers are
# the person's questions.
# Source: _parse_gpt (index i, not i - 1, of all the branches' answers), _parse_grok (break at the first) and _parse_claude
# (i % 2) in llm_conversation_parser/parser.py of the wheel; "previous_ai_answer" and "sender" in its README and in the
# exports. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "llm-conversation-parser==1.0.1"
cd "$folder"
venv/bin/python - <<'PY'
import contextlib
import io
import json
from pathlib import Path

from llm_conversation_parser import LLMConversationParser


def pairs(export):
    """Return the questions of an export, each with what stands above it."""
    Path("talk.json").write_text(json.dumps(export))
    with contextlib.redirect_stdout(io.StringIO()):
        records = LLMConversationParser().parse_file("talk.json")
    return [(record["metadata"]["previous_ai_answer"], record["content"]["user_query"]) for record in records]


def gpt(*turns):
    """Return a talk as ChatGPT exports it; answers with a bar between are one that was made anew."""
    mapping = {"client-created-root": {"id": "client-created-root", "message": None, "parent": None, "children": []}}
    parent = "client-created-root"
    for turn in turns:
        role = "user" if turn.startswith("Q") else "assistant"
        for number, text in enumerate(turn.split("|")):
            node = f"{text} {number}"
            message = {"id": node, "author": {"role": role}, "content": {"content_type": "text", "parts": [text]}}
            mapping[node] = {"id": node, "message": message, "parent": parent, "children": []}
            mapping[parent]["children"].append(node)
        parent = node
    return [{"title": "Bread", "create_time": 1795869900, "mapping": mapping, "current_node": parent}]


def grok(*turns):
    """Return a talk as Grok exports it."""
    senders = {"Q": "human", "A": "assistant"}
    responses = [{"response": {"_id": turn, "sender": senders[turn[0]], "message": turn}} for turn in turns]
    return {"conversations": [{"conversation": {"id": "bread"}, "responses": responses}]}


def claude(*turns):
    """Return a talk as Claude exports it."""
    senders = {"Q": "human", "A": "assistant"}
    messages = [{"uuid": turn, "sender": senders[turn[0]], "text": turn} for turn in turns]
    return [{"uuid": "bread", "name": "Bread", "chat_messages": messages}]


talk = ("Q1", "A1", "Q2", "A2", "Q3", "A3")
seen = {
    "ChatGPT": pairs(gpt(*talk)),
    "ChatGPT, the first answer made anew": pairs(gpt("Q1", "A1|A1 anew", "Q2", "A2", "Q3", "A3")),
    "Grok": pairs(grok(*talk)),
    "Claude": pairs(claude(*talk)),
    "Claude, two questions in a row": pairs(claude("Q1", "Q1 more", "A1", "Q2", "A2")),
}
for name, found in seen.items():
    print(f"{name}:", *(f"{above} above {question};" for above, question in found))
if list(seen.values()) != [
    [("A1", "Q1"), ("A2", "Q2"), ("A3", "Q3")],
    [("A1", "Q1"), ("A1 anew", "Q2"), ("A2", "Q3")],
    [(None, "Q1"), ("A1", "Q2"), ("A1", "Q3")],
    [(None, "Q1"), ("A1", "Q2"), ("A2", "Q3")],
    [(None, "Q1"), ("Q1 more", "A1"), ("Q2", "A2")],
]:
    raise SystemExit("the behaviour has changed")
PY
