#!/bin/sh
# simplecontext-ai 4.3.0 (PyPI, CPython 3.11), a memory of three tiers: "working" for what is said, "episodic" for
# summaries, "semantic" for long-term facts. context(user).working.clear() clears all three: the facts go with the
# chat. compress(keep_last=2) keeps the two oldest messages and summarises those after them, newest first, so that the
# "first question" of the summary is the last one; get_for_llm(limit=2) hands the model the two oldest. A fact begins
# at any letter i: "Do Naomi and Levi like tea?" makes the asker like tea, and "my name is Kim and I live in Oslo" is a
# name.
# Source: the README ("working (active), episodic (sessions), semantic (long-term facts)",
# "mem.compress(keep_last=10)", "mem.get_for_llm(limit=10)  # ready for LLM", "rule-based fact extraction");
# TierView.clear and Memory.compress in simplecontext/memory.py, get_nodes and delete_nodes in storage/sqlite.py,
# FACT_RULES in context/processor.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "simplecontext-ai==4.3.0"
cd "$folder"
printf 'storage:\n  backend: sqlite\n  path: memory.db\n' >config.yaml
venv/bin/python - 2>program.log <<'PY' | tee seen
from simplecontext import SimpleContext
from simplecontext.enums import NodeKind

program = SimpleContext("config.yaml")
anna = program.context("anna")
anna.working.add("Hello", NodeKind.MESSAGE)
anna.semantic.add("user is allergic to nuts", NodeKind.FACT, importance=0.9)
anna.working.clear()
print("facts of Anna when her chat was cleared:", anna.stats()["semantic"])

kim = program.memory("kim")
for city in ("Oslo", "Rome", "Bern", "York", "Leeds"):
    kim.add_user(f"I moved to {city}")
print("the last two for the model:", [message["content"] for message in kim.get_for_llm(limit=2)])
summary = kim.compress(keep_last=2)
print("kept of five:", [message["content"] for message in kim.get()])
print("the first question in the summary:", summary.splitlines()[2].split('"')[1])

for said in ("Do Naomi and Levi like tea?", "my name is Kim and I live in Oslo"):
    turn = program.chat("ben", said)
    turn.save("Fine")
for node in program.context("ben").semantic.get():
    print("a fact about Ben:", node.content)
PY
cat >expected <<'TEXT'
facts of Anna when her chat was cleared: 0
the last two for the model: ['I moved to Oslo', 'I moved to Rome']
kept of five: ['I moved to Oslo', 'I moved to Rome']
the first question in the summary: I moved to Leeds
a fact about Ben: user likes tea
a fact about Ben: user name kim and i live in oslo
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
