#!/bin/sh
# tempora-memory 0.1.0 (PyPI, CPython 3.11), which answers "current", "previous", "count" and "history" of a fact that
# changed, by plain Python instead of a model. A timeline keeps each value once, where it first stood: who lived in
# Oslo, Rome and Oslo again lives in Rome, and lived in Oslo before. "Before" is always before the latest value: where
# somebody lived before Rome is Rome, once there is Bern. Without any earlier value the current one is told as the
# previous: before Oslo there was Oslo.
# Source: the README ("current: timeline[-1]", "latest", "cannot hallucinate ordering", and "Where did the user live
# before Mumbai?" as the example); build_timeline and previous in tempora/operators.py of the wheel. The model is a
# function here that gives each fact with its value, as its prompt demands. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-deps "tempora-memory==0.1.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
import json

from tempora import answer


def ask(question, kind, *cities):
    """Print the answer to a question about the cities that a user lived in, oldest first."""
    facts = [(number, f"User lives in {city}.") for number, city in enumerate(cities)]
    candidates = [{"id": number, "value": city} for number, city in enumerate(cities)]

    def model(system, user):
        return json.dumps({"op": kind} if system.startswith("Classify") else {"candidates": candidates})

    print(f"{', '.join(cities)}. {question} {answer(question, facts, model)['answer']}")


ask("Where does the user live?", "current", "Oslo", "Rome", "Oslo")
ask("Where did the user live before?", "previous", "Oslo", "Rome", "Oslo")
ask("Where has the user lived?", "history", "Oslo", "Rome", "Oslo")
ask("Where did the user live before Rome?", "previous", "Oslo", "Rome", "Bern")
ask("Where did the user live before Oslo?", "previous", "Oslo")
PY
cat >expected <<'TEXT'
Oslo, Rome, Oslo. Where does the user live? Rome
Oslo, Rome, Oslo. Where did the user live before? Oslo
Oslo, Rome, Oslo. Where has the user lived? Oslo, Rome
Oslo, Rome, Bern. Where did the user live before Rome? Rome
Oslo. Where did the user live before Oslo? Oslo
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
