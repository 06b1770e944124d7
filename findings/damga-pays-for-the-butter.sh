#!/bin/sh
# damga 1.0.5 (PyPI, CPython 3.11), which writes what a speech recognizer hears as people write it. In English each weight
# in pounds is money: "two pounds of butter" is "£2 of butter", who lost ten pounds lost £10, and a dog weighs £30.
# Five yen, kilos and feet are what they are. "At five thirty people came", which says how many, is "at 5:30 people
# came". Of "between five and ten" and "five to ten people" one number is a word and the other a digit.
# Source: its README: it turns what is heard "into what people write", is "safe on sensitive entities", and has weights
# among its categories ("measure"). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "damga==1.0.5"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from damga import InverseNormalizer

write = InverseNormalizer(lang="en").normalize
for heard in (
    "buy two pounds of butter",
    "anna has lost ten pounds",
    "the dog weighs thirty pounds",
    "the dog weighs thirty kilos",
    "at five thirty people came",
    "between five and ten",
    "five to ten people",
):
    print(heard, "->", write(heard))
PY
cat >expected <<'TEXT'
buy two pounds of butter -> buy £2 of butter
anna has lost ten pounds -> anna has lost £10
the dog weighs thirty pounds -> the dog weighs £30
the dog weighs thirty kilos -> the dog weighs 30 kilos
at five thirty people came -> at 5:30 people came
between five and ten -> between five and 10
five to ten people -> five to 10 people
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
