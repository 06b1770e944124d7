#!/bin/sh
# contraction-fix 0.2.2 (PyPI, CPython 3.11), which writes out what is short in English. Without settings digits are words: who comes
# at 4 comes "at for", 2 pm is "to pm", 2 litres "to litres". "He's been ill" is "he is been ill" and "I'd gone", "I would gone", so
# what was done is what would be; "ima doctor" is about to do it. "5 o'clock" is of the clock. The other way, "I know who you are" and
# "yes it is" end in "you're" and "it's". Possessives are told apart, as it says.
# Source: README: "Smart detection: Distinguishes between contractions and possessives", and of slang it names "lol" and "brb". The
# digits are in its dictionary of slang, which is on. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "contraction-fix==0.2.2"
cd "$folder"
venv/bin/python - <<'PY' >seen
from contraction_fix import contract, fix

for text in (
    "I can't find Ada's keys",
    "See you at 4",
    "Bring 2 litres at 2 pm",
    "He's been ill",
    "I'd gone before he came",
    "They'd never said no",
    "ima doctor",
    "We meet at 5 o'clock",
):
    print("fix:", text, "->", fix(text))
for text in "I know who you are", "Yes it is":
    print("contract:", text, "->", contract(text))
PY
cat seen
cat >expected <<'TEXT'
fix: I can't find Ada's keys -> I cannot find Ada's keys
fix: See you at 4 -> See you at for
fix: Bring 2 litres at 2 pm -> Bring to litres at to pm
fix: He's been ill -> He is been ill
fix: I'd gone before he came -> I would gone before he came
fix: They'd never said no -> They would never said no
fix: ima doctor -> I am going to doctor
fix: We meet at 5 o'clock -> We meet at 5 of the clock
contract: I know who you are -> I know who you're
contract: Yes it is -> Yes it's
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
