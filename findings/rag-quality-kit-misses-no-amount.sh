#!/bin/sh
# rag-quality-kit 0.1.0 (PyPI, CPython 3.11), marks for answers from what was retrieved, and what of an answer is in none of
# it. What is missing are words of five letters and more: of "Ada pays 5000 since 1999", where the context says 500 and 2019,
# nothing is missing, nor of an answer that puts a "not" into the context's sentence. That denial has a better mark than the
# true answer "In Bern.", which does not repeat the question. Words are letters from a to z alone: of a talk in Russian every
# answer, also one that the context contradicts, has 1.0 in all marks and nothing missing.
# Source: its README, "list of answer terms not in any context", "answer terms that appear in any context", which name no
# lengths and no languages; missing_evidence and _terms in rag_quality_kit/score.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "rag-quality-kit==0.1.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from rag_quality_kit import missing_evidence, score

for question, context, answers in (
    (
        "Where does Ada live and work?",
        "Ada said: I live and work in Bern since 2019, and I pay 500 francs.",
        ("In Bern.", "Ada does not live and work in Bern.", "Ada pays 5000 since 1999.", "In Geneva."),
    ),
    ("Где живёт Ада?", "Ада живёт в Берне.", ("В Берне.", "Ада не живёт в Берне.")),
):
    for answer in answers:
        marks = score(question, [context], answer)
        missing = missing_evidence(answer, [context])
        print(f"{answer} {marks.overall}, grounded {marks.groundedness}, missing {missing}")
PY
cat seen
cat >expected <<'TEXT'
In Bern. 0.625, grounded 1.0, missing []
Ada does not live and work in Bern. 0.7708, grounded 0.75, missing []
Ada pays 5000 since 1999. 0.5167, grounded 0.4, missing []
In Geneva. 0.5, grounded 0.5, missing ['geneva']
В Берне. 1.0, grounded 1.0, missing []
Ада не живёт в Берне. 1.0, grounded 1.0, missing []
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
