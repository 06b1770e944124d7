#!/bin/sh
# cocktailfyi 0.1.4 (PyPI, CPython 3.11), which reckons what a drink holds, also as an MCP server. A measure whose word it
# does not know is 30 ml, whatever stands before it: one shot is 45 ml and two shots are 30, a litre and a decilitre are 30,
# and so is 1½ oz. Before it reads a number it looks for words such as "top" or "fill" anywhere in the text, and takes 5 ml:
# "4 oz, to fill" and "120 ml topped up" are 5, one dash is 5 and so are six, although its own table gives a dash 1 ml. So a
# shot with tonic water to fill the glass has more than twice as much alcohol as the same with "4 oz" of it. Nothing of this
# is said: each is a number like any other. The README's margarita, "20.80", comes as 23.4.
# Source: the README ("measure parsing"; example of estimate_abv) and UNIT_TO_ML ("dashes": 1.0) in cocktailfyi/engine.py of
# the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-deps "cocktailfyi==0.1.4"
cd "$folder"
cat >pour.py <<'PY'
from cocktailfyi import estimate_abv, parse_measure_ml

for measure in ("1 shot", "2 shots", "1 1/2 oz", "1½ oz", "1 L", "1 dl", "4 oz, to fill", "120 ml topped up", "1 dash", "6 dashes"):
    print(measure, "->", parse_measure_ml(measure), "ml")
shot = {"measure": "1 shot", "abv": 40.0}
for measure in ("4 oz", "4 oz, to fill"):
    print("a shot and tonic,", measure, "->", estimate_abv([shot, {"measure": measure, "abv": 0}]), "%")
margarita = [("2 oz", 40.0), ("1 oz", 40.0), ("1 oz", 0)]
print("the README's margarita ->", estimate_abv([{"measure": measure, "abv": abv} for measure, abv in margarita]), "%")
PY
venv/bin/python pour.py | tee seen
cat >expected <<'TEXT'
1 shot -> 45.0 ml
2 shots -> 30.0 ml
1 1/2 oz -> 45.0 ml
1½ oz -> 30.0 ml
1 L -> 30.0 ml
1 dl -> 30.0 ml
4 oz, to fill -> 5.0 ml
120 ml topped up -> 5.0 ml
1 dash -> 5.0 ml
6 dashes -> 5.0 ml
a shot and tonic, 4 oz -> 8.51 %
a shot and tonic, 4 oz, to fill -> 28.08 %
the README's margarita -> 23.4 %
TEXT
cmp seen expected
