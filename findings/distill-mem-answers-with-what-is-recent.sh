#!/bin/sh
# distill-mem 0.1.0 (PyPI, CPython 3.11), which recalls notes of three tiers by recency, importance and words. Words
# count for a fifth: a note of two months ago that has each word of the question is behind those of last week that have
# none of them. inject() with a question leaves the long-term tier out of the search: the fact that answers it comes
# only if it is among the two most important ones, whatever was asked. The README's commands, inject and recall, end
# with TypeError on any folder, as the path is handed on as text.
# Source: the README ("recall for a query", "never letting one crowd out the other", its commands); score and W_S in
# distill_mem/recall.py, inject in boot.py, _inject in cli.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "distill-mem==0.1.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from datetime import datetime, timedelta
from pathlib import Path

from distill_mem import boot, recall

LONG, SHORT = "01-长期记忆", "03-短期记忆"


def note(tier, title, days, importance):
    """Write a note that was last active some days ago."""
    active = datetime.now() - timedelta(days=days)
    folder = Path("notes", tier)
    folder.mkdir(parents=True, exist_ok=True)
    head = f"title: {title}\nsummary: {title}\nlast_active: {active:%Y-%m-%d}\nimportance: {importance}"
    folder.joinpath(f"{title}.md").write_text(f"---\n{head}\n---\n", encoding="utf-8")


note(SHORT, "Kim is allergic to nuts", 60, 0.4)
note(SHORT, "The kettle is broken", 3, 0.4)
note(SHORT, "Ben likes the rain", 2, 0.4)
note(LONG, "Nora cannot eat fish", 60, 0.7)
note(LONG, "The club is called Harbour", 60, 0.8)
note(LONG, "The club meets on Fridays", 60, 0.8)
for hit in recall.recall(Path("notes"), "Kim allergic nuts", k=5, tiers=[SHORT]):
    print("asked for Kim's allergy:", hit["path"].stem, f"({hit['total']:.1f})")
told = boot.inject(Path("notes"), query="Nora cannot eat fish", k=6)
print("told of Nora's fish:", "Nora" in told, "- of the kettle:", "kettle" in told)
PY
for command in "inject --root notes" "recall --root notes nuts"; do
    # shellcheck disable=SC2086
    venv/bin/distill-mem $command 2>&1 | tail -1 | sed "s/^/${command%% *}: /" | tee -a seen
done
cat >expected <<'TEXT'
asked for Kim's allergy: Ben likes the rain (0.5)
asked for Kim's allergy: The kettle is broken (0.5)
asked for Kim's allergy: Kim is allergic to nuts (0.4)
told of Nora's fish: False - of the kettle: True
inject: TypeError: unsupported operand type(s) for /: 'str' and 'str'
recall: TypeError: unsupported operand type(s) for /: 'str' and 'str'
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
