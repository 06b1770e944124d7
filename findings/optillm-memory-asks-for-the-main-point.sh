#!/bin/sh
# optillm 0.4.0 (PyPI, CPython 3.11), a proxy of OpenAI's kind whose approach "memory" (a model named memory-NAME) reads a long
# prompt in pieces, takes notes and answers from them. What it takes for the question is the last sentence of the prompt. A
# question of one sentence is replaced: the model is asked "What is the main point of this text?", twice, and never "What
# is my cat called?". Of a question with "Thank you!" behind it, "Thank you!" is what is answered. With both, the turns that
# went before are read only in search of that. The label "Query:" before the question is needed, which neither README nor
# an OpenAI client has.
# Source: extract_query() in optillm/plugins/memory_plugin.py of the wheel; README: "Implements a short term memory layer,
# enables you to use unbounded context length with any LLM". The plugin is called as the server calls it, with the turns as
# the server joins them ("User: ..."), so that its 7 GB of dependencies are not needed; the whole server sent the same. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "scikit-learn==1.9.1" "numpy==2.4.6"
"$folder/venv/bin/pip" install -q --no-compile --no-deps "optillm==0.4.0"
cd "$folder"
cat >ask.py <<'PY'
import importlib.util
from pathlib import Path
from types import SimpleNamespace

(file,) = Path("venv").glob("lib/python3*/site-packages/optillm/plugins/memory_plugin.py")
spec = importlib.util.spec_from_file_location("memory_plugin", file)
plugin = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plugin)


class Client:
    """Stands for the model: notes the text that it is shown, and keeps what it was asked."""

    def __init__(self):
        self.asked = []
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self.create))

    def create(self, messages, **_):
        self.asked.append(messages[-1]["content"])
        message = SimpleNamespace(content="YES#Her cat is called Momo.")
        usage = SimpleNamespace(completion_tokens=9)
        return SimpleNamespace(choices=[SimpleNamespace(message=message)], usage=usage)


def asked(words):
    """Return what the model is told to look for, and what it is told to answer."""
    client = Client()
    plugin.run("You are Kith.", words, client, "m")
    look, answer = client.asked
    wanted = look.partition("Copy over all context relevant to the query: ")[2].splitlines()[0]
    return wanted, answer.partition("answer the query.\n")[2].strip()


before = "User: My cat is called Momo.\nAssistant: A fine name!\n"
for words in (
    "User: What is my cat called?",
    "User: I live in Leeds. What is my cat called? Thank you!",
    f"{before}User: What is my cat called? Please be brief.",
    f"{before}User: Query: What is my cat called?",
):
    print(" / ".join(words.splitlines()), "->", *asked(words), sep="\n    ")
PY
venv/bin/python ask.py | tee seen
cat >expected <<'TEXT'
User: What is my cat called?
    ->
    What is the main point of this text?
    What is the main point of this text?
User: I live in Leeds. What is my cat called? Thank you!
    ->
    Thank you!
    Thank you!
User: My cat is called Momo. / Assistant: A fine name! / User: What is my cat called? Please be brief.
    ->
    Please be brief.
    Please be brief.
User: My cat is called Momo. / Assistant: A fine name! / User: Query: What is my cat called?
    ->
    What is my cat called?
    What is my cat called?
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
