#!/bin/sh
# contexttrim 0.1.0 (PyPI, CPython 3.11), which makes conversations fit. ToolResultMerge puts the results of all calls of a turn
# into the first, whose call keeps its id, also where nothing is too long: what was found of Ben stands under the question about
# Ada, two that are alike become one, and Ben's call has no answer, which OpenAI's API refuses. The report says that all fits.
# SemanticCluster reads Latin letters only: for a question in Russian about Ada's nuts, what was said in Russian about Ada's
# nuts is the first to go, and small talk in English stays.
# Source: its README ("Merge redundant adjacent tool results (dedup), then truncate the largest if still over budget - no
# conversational context dropped"; "Drop messages least topically relevant to the recent conversation"); OpenAI's guide to
# function calling (one tool message for each tool_call_id). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "contexttrim==0.1.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from contexttrim import ContextManager
from contexttrim.strategies import SemanticCluster, ToolResultMerge


def call(name):
    return {"id": f"of-{name}", "type": "function", "function": {"name": "recall", "arguments": f'{{"name": "{name}"}}'}}


for results in (("vegan", "allergic to nuts"), ("vegan", "vegan")):
    context = ContextManager(token_budget=8000, strategy=ToolResultMerge())
    context.add({"role": "user", "content": "What do Ada and Ben eat?"})
    context.add({"role": "assistant", "content": "", "tool_calls": [call("Ada"), call("Ben")]})
    for name, result in zip(("Ada", "Ben"), results):
        context.add({"role": "tool", "tool_call_id": f"of-{name}", "content": result})
    for message in context.fit()[2:]:
        print(message["tool_call_id"], repr(message["content"]))
    report = context.last_fit_report()
    print(f"{context.total_tokens()} tokens of 8000, fits {report.fits}: {[dropped.reason for dropped in report.dropped]}")

for nuts, question in (
    ("Ada may not have nuts, nuts make her ill", "May Ada have a cake with nuts?"),
    ("Аде нельзя есть орехи, от орехов ей плохо", "Можно ли Аде есть орехи в торте?"),
):
    context = ContextManager(token_budget=24, strategy=SemanticCluster())
    context.add({"role": "user", "content": nuts})
    context.add({"role": "user", "content": "So nice and warm today, is it not, so very nice"})
    context.add({"role": "user", "content": question})
    print([message["content"] for message in context.fit()])
PY
cat seen
cat >expected <<'TEXT'
of-Ada 'vegan\n---\nallergic to nuts'
12 tokens of 8000, fits True: ['merged into adjacent tool result']
of-Ada 'vegan'
10 tokens of 8000, fits True: ['merged (duplicate tool result)']
['Ada may not have nuts, nuts make her ill', 'May Ada have a cake with nuts?']
['So nice and warm today, is it not, so very nice', 'Можно ли Аде есть орехи в торте?']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
