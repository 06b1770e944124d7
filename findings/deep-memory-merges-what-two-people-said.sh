#!/bin/sh
# deep-memory 0.1.1 (PyPI, CPython 3.11), a memory for agents whose records are "bounded" by a scope, such as a user's id.
# consolidate(), and the command of that name, puts together what is nearly the same, whoever's it is. The words that both
# records have stay, so what differs is lost first: "Please do not tell Kim about the party" by one user and "Please do tell
# Kim ..." by another become "Please do tell Kim about the party". Anna and Bert find nothing afterwards, each in their own
# scope, as both records are archived; the new one is in the scope of the workspace, named after the folder in which the
# program runs, where whoever works there finds it. A name with an apostrophe or a comma goes as well: "Anna's flat" is
# "flat".
# Source: consolidation_candidates, whose query has no scope, consolidate, which adds without one, and _summary_for_group in
# deep_memory/core.py of the wheel; its README ("keep records bounded", "search ... scoped recall"). Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "deep-memory==0.1.1" "pydantic==2.12.5" "typer==0.20.0" "rich==14.2.0"
mkdir "$folder/club"
cd "$folder/club"
../venv/bin/python - >"$folder/seen" <<'PY'
from deep_memory import DeepMemory

PAIRS = (
    ("Please do not tell Kim about the party on Friday", "Please do tell Kim about the party on Friday"),
    ("Anna's flat is on the third floor of the old house", "Bert's flat is on the third floor of the old house"),
)
memory = DeepMemory("memory.db")
for by_anna, by_bert in PAIRS:
    memory.add(by_anna, scope="user", scope_id="anna")
    memory.add(by_bert, scope="user", scope_id="bert")


def found(**scope):
    results = [result for query in ("Kim party", "flat floor") for result in memory.search(query, **scope)]
    return sorted({result.record.content for result in results})


for moment in ("before", "after"):
    for user in ("anna", "bert"):
        print(f"{moment}, {user}: {found(scope='user', scope_id=user)}")
    print(f"{moment}, workspace club: {found(scope='workspace', scope_id='club')}")
    memory.consolidate(dry_run=False)
PY
cat "$folder/seen"
cat >"$folder/expected" <<'TEXT'
before, anna: ["Anna's flat is on the third floor of the old house", 'Please do not tell Kim about the party on Friday']
before, bert: ["Bert's flat is on the third floor of the old house", 'Please do tell Kim about the party on Friday']
before, workspace club: []
after, anna: []
after, bert: []
after, workspace club: ['Consolidated summary (2 memories): Please do tell Kim about the party on Friday', 'Consolidated summary (2 memories): flat is on the third floor of the old house']
TEXT
cmp "$folder/seen" "$folder/expected"
