#!/bin/sh
# amt-phonetic 1.0.0 (PyPI, CPython 3.11), which tells whether two names sound alike. It hears eight classes of sounds, so that one
# nasal is any other, one stop any other and one vowel almost any other: Anna is Emma and Mia, Tom is Dan and Ben is
# Tina, each wholly alike, and Tom Miller is Dan Müller. Of the pairs that can be made of twenty common first names, one
# in seven matches. A sound at the start that is not spoken counts for much, so that Anna is not Hannah.
# Source: its README ("Test whether two names match", "matches(a, b): Fast boolean match test", "similarity: Graded
# similarity score in [0, 1]", "name matching" beside Soundex and Metaphone, which keep Anna and Emma apart as A500, E500);
# sonority.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "amt-phonetic==1.0.0"
cd "$folder"
cat >names.py <<'PY'
from itertools import combinations

import amt

for one, other in (
    ("Khaled", "Khalid"),
    ("Anna", "Emma"),
    ("Anna", "Mia"),
    ("Anna", "Hannah"),
    ("Tom", "Dan"),
    ("Ben", "Tina"),
    ("Nora", "Amir"),
    ("Tom Miller", "Dan Müller"),
):
    print(f"{one}, {other}: {amt.matches(one, other)}, {amt.similarity(one, other):.2f}")
names = "Anna Emma Mia Lea Leo Noah Tom Tim Dan Ben Tina Nina Ida Otto Ada Ole Ali Nora Omar Karl".split()
pairs = list(combinations(names, 2))
print(f"of {len(pairs)} pairs match:", sum(amt.matches(*pair) for pair in pairs))
PY
venv/bin/python names.py | tee seen
cat >expected <<'TEXT'
Khaled, Khalid: True, 1.00
Anna, Emma: True, 1.00
Anna, Mia: True, 1.00
Anna, Hannah: False, 0.41
Tom, Dan: True, 1.00
Ben, Tina: True, 1.00
Nora, Amir: True, 1.00
Tom Miller, Dan Müller: True, 1.00
of 190 pairs match: 26
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
