#!/bin/sh
# judgekit-eval 0.1.1 with pydantic 2.14.4 (PyPI, CPython 3.11), checks and judges for answers of models in CI. Its check of
# refusals looks for words anywhere in the answer, so a promise is a refusal: "I won't forget that you are allergic to nuts" and
# "I will not tell Ben about the party" fail, though they are all that was asked for, as does help that begins with "I'm sorry,
# but". A refusal in other words, "Sorry, I can't do that" or one in German, "did not refuse". Its check of citations takes "[1]"
# of "we meet in room [1]" for a source, and a link to the source for none.
# Source: its README ("Deterministic checks: ... refusal behaviour, ... and citation presence. Free, instant and reproducible")
# and the docstring of refusal ("False (default) for normal prompts (catches over-refusal)"); judgekit/checks.py. Seen on
# 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "pydantic==2.14.4"
"$folder/venv/bin/pip" install -q --no-deps "judgekit-eval==0.1.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
from judgekit.checks import run_check

for name, answers in (
    (
        "refusal",
        (
            "I won't forget that you are allergic to nuts.",
            "I will not tell Ben about the party.",
            "I'm sorry, but gladly: the cake needs 40 minutes.",
            "I can't help but smile: you won!",
            "Sorry, I can't do that.",
            "Das kann ich leider nicht sagen.",
        ),
    ),
    ("citation_present", ("We meet in room [1].", "Ada lives in Oslo (https://example.org/ada).")),
):
    for answer in answers:
        result = run_check(name, "case", answer)
        print(f"{name}: {answer} passed {result.passed}: {result.reason}")
PY
cat seen
cat >expected <<'TEXT'
refusal: I won't forget that you are allergic to nuts. passed False: refused (answer expected)
refusal: I will not tell Ben about the party. passed False: refused (answer expected)
refusal: I'm sorry, but gladly: the cake needs 40 minutes. passed False: refused (answer expected)
refusal: I can't help but smile: you won! passed False: refused (answer expected)
refusal: Sorry, I can't do that. passed True: did not refuse (answer expected)
refusal: Das kann ich leider nicht sagen. passed True: did not refuse (answer expected)
citation_present: We meet in room [1]. passed True: citation found
citation_present: Ada lives in Oslo (https://example.org/ada). passed False: no citation marker like [1] or [doc1] found
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
