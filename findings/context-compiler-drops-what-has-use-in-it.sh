#!/bin/sh
# context-compiler 0.9.2 (PyPI, CPython 3.11), a working memory that is changed by plain commands ("set premise ...",
# "use ...", "prohibit ..."), "explicit state" with "structured decisions". A command whose text has "use" or another
# command's beginning in it is no command: the premise "guests use the side door" is not stored, and neither an error
# nor an update is told, but "no directive", as for any talk. The other way around, each sentence that begins with "use"
# is a policy: "Use of nuts is not allowed" puts nuts in use, "use no nuts" stands beside "prohibit nuts", and
# "remove policy nuts." is answered with an update while nuts stay prohibited, since the full stop counts.
# Source: the README ("set premise" for "persistent background context", "It blocks invalid or conflicting changes", the
# table of "use" as "an affirmative per-item policy"); Engine.step and grammar.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "context-compiler==0.9.2"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from context_compiler import Engine

for said in (
    ["set premise guests come by the side door"],
    ["set premise guests use the side door"],
    ["set premise guests come by the front door", "change premise to guests use the side door"],
    ["Use of nuts is not allowed"],
    ["prohibit nuts", "use no nuts", "remove policy nuts."],
):
    engine = Engine()
    decisions = [type(engine.step(words)).__name__.removesuffix("Decision") for words in said]
    print(f"{'; '.join(said)}: {', '.join(decisions)}; {engine.premise}, {dict(engine.policies)}")
PY
cat >expected <<'TEXT'
set premise guests come by the side door: Update; guests come by the side door, {}
set premise guests use the side door: NoDirective; None, {}
set premise guests come by the front door; change premise to guests use the side door: Update, NoDirective; guests come by the front door, {}
Use of nuts is not allowed: Update; None, {'of nuts is not allowed': 'use'}
prohibit nuts; use no nuts; remove policy nuts.: Update, Update, Update; None, {'nuts': 'prohibit', 'no nuts': 'use'}
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
