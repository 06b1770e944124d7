#!/bin/sh
# near-dupes 0.1.0 with numpy 2.3.5 and pandas 2.3.3 (PyPI, CPython 3.11), which finds near-duplicate texts and rows and
# keeps the best copy. With a threshold of 1.0, "exact duplicates only", rows are compared without any sign: who has a
# balance of -20 is taken out of the table as an exact copy of who has 20, and C, C++ and C# are one language. Texts
# keep their signs, but "room 10²" is room 102 in them. At the default, a "not" or who owes whom is no difference in a
# sentence of some length, and of an allergy and its denial the denial is kept, as the longer one.
# Source: the README ("threshold", "Records": "normalized for case, whitespace and punctuation"); normalize_text in
# near_dupes/_text.py and _records.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "near-dupes==0.1.0" "numpy==2.3.5" "pandas==2.3.3"
cd "$folder"
printf 'name,balance\nAnna,20\nAnna,-20\nBen,5\n' >club.csv
venv/bin/near-dupes club.csv --threshold 1.0 --output left.csv >program.log
sed 's/^/left of the table: /' left.csv | tee seen
venv/bin/python - <<'PY' | tee -a seen
import near_dupes

CAKE = "allergic to nuts, so please leave all nuts out of the cake"
for items, threshold in (
    ([{"language": "C"}, {"language": "C++"}, {"language": "C#"}], 1.0),
    (["room 10²", "room 102", "room 103"], 1.0),
    ([f"Anna is {CAKE}", f"Anna is not {CAKE}"], 0.85),
    (["Anna owes Ben 5 euros and Ben owes Cy 5 euros", "Anna owes Cy 5 euros and Cy owes Ben 5 euros"], 0.85),
):
    print(near_dupes.dedupe(items, threshold=threshold))
PY
cat >expected <<'TEXT'
left of the table: name,balance
left of the table: Anna,20
left of the table: Ben,5
[{'language': 'C'}]
['room 10²', 'room 103']
['Anna is not allergic to nuts, so please leave all nuts out of the cake']
['Anna owes Ben 5 euros and Ben owes Cy 5 euros']
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
