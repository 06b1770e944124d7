#!/bin/sh
# ingredient-slicer 1.2.21 (PyPI, CPython 3.11), which reads lines of recipes. A half in words is a part of the food, and the
# quantity is one: "half a cup of milk" is 1 cup of "half milk", 221 grams, and "one and a half cups rice" is 1 cup of "half
# rice"; 0,5 l, as half of Europe writes it, is nothing. The "no" of "no nuts" is taken away and nuts are required, as is each
# ingredient that is called optional behind a comma. Of a choice there is neither: "olive oil, or butter" is the food "olive
# oil butter".
# Source: its README ("Parses unstructured recipe ingredient text into standardized quantities, units, and foods"; its words for
# numbers; is_required is false for optional ingredients). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "ingredient-slicer==1.2.21"
cd "$folder"
venv/bin/python - >seen <<'PY'
from ingredient_slicer import IngredientSlicer

for line in (
    "1/2 cup of milk",
    "half a cup of milk",
    "a half cup of milk",
    "1 1/2 cups rice",
    "one and a half cups rice",
    "0,5 l milk",
    "no nuts",
    "walnuts (optional)",
    "walnuts, optional",
    "2 tablespoons olive oil, or butter",
):
    read = IngredientSlicer(line).to_json()
    grams = read["gram_weight"] and f"{float(read['gram_weight']):.0f} g"
    required = "required" if read["is_required"] else "optional"
    print(f"{line}: {read['quantity']} {read['unit']} of {read['food']}, {grams}, {required}")
PY
cat seen
cat >expected <<'TEXT'
1/2 cup of milk: 0.5 cup of milk, 111 g, required
half a cup of milk: 1 cup of half milk, 221 g, required
a half cup of milk: 1 cup of half milk, 221 g, required
1 1/2 cups rice: 1.5 cups of rice, 205 g, required
one and a half cups rice: 1 cups of half rice, 137 g, required
0,5 l milk: 0 l of milk, None, required
no nuts: None nuts of nuts, None, required
walnuts (optional): None None of walnuts, None, optional
walnuts, optional: None None of walnuts optional, None, optional
2 tablespoons olive oil, or butter: 2 tablespoons of olive oil butter, 27 g, required
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
