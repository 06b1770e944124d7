#!/bin/sh
# contextcram 0.2.0 (PyPI, CPython 3.11), which packs a prompt into a budget of tokens by priority. What it joins the pieces with,
# an empty line between any two, is not counted, nor is it in used_tokens: fifty short facts that must fit fill a budget of 50
# tokens to the last one, and the text by the same counter has 75. With a separator as people put between documents the text is
# nine times the budget. Items within one list are counted with what joins them.
# Source: its README ("result.text  # assembled, in-budget context"; "the classic 'prompt fit, but no room left to answer' failure";
# "if they alone exceed the budget, a BudgetExceeded error is raised"); fit in contextcram/packer.py. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "contextcram==0.2.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from contextcram import BudgetExceeded, Packer


def show(title, pieces, **options):
    """Print what the packer counts, and what its own counter says of its text."""
    packer = Packer(budget=50, **options)
    for piece in pieces:
        packer.add(piece, priority="required")
    try:
        result = packer.fit()
    except BudgetExceeded as error:
        print(f"{title}: {error}")
        return
    print(f"{title}: {result.used_tokens} of {result.budget} tokens used, the text has {packer.tokenizer.count(result.text)}")


facts = ["tea?"] * 50
show("one piece", ["tea?" * 50])
show("fifty", facts)
show("fifty with a line between", facts, joiner=f"\n\n{'-' * 30}\n\n")
show("fifty in a list", [facts])
PY
cat seen
cat >expected <<'TEXT'
one piece: 50 of 50 tokens used, the text has 50
fifty: 50 of 50 tokens used, the text has 75
fifty with a line between: 50 of 50 tokens used, the text has 467
fifty in a list: required items need 63 tokens but budget is 50
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
