#!/bin/sh
# terlik 0.1.0 (PyPI, Python 3.11), which masks profanity in Turkish, English, German and Spanish. "Uncle Ali does not come
# today" is masked in Turkish, where "amca" is an uncle, and so is "sıkıldım", "I am bored". In English digits are read as
# letters: what costs 455 euros costs "***", of "a 55 year old dad" the article goes, and at 4:55 nobody knows when, though
# at 5:44 all do. In German the tail of a cat is masked. Only the mode "strict", not the default, lets the uncle come.
# Source: its README: a "deliberately narrow dictionary", whose goal "is to minimize false positives", and a whitelist that
# "prevents false positives on legitimate words". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "terlik==0.1.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from terlik import Terlik
from terlik.types import TerlikOptions

for language, mode, text in (
    ("tr", "balanced", "Ali amca bugün gelmiyor"),
    ("tr", "strict", "Ali amca bugün gelmiyor"),
    ("tr", "balanced", "sıkıldım"),
    ("en", "balanced", "It costs 455 euros"),
    ("en", "balanced", "Ben has a 55 year old dad"),
    ("en", "balanced", "We meet at 4:55"),
    ("en", "balanced", "We meet at 5:44"),
    ("de", "balanced", "Die Katze hat einen langen Schwanz"),
):
    print(language, mode, text, "->", Terlik(TerlikOptions(language=language, mode=mode)).clean(text))
PY
cat >expected <<'TEXT'
tr balanced Ali amca bugün gelmiyor -> Ali **** bugün gelmiyor
tr strict Ali amca bugün gelmiyor -> Ali amca bugün gelmiyor
tr balanced sıkıldım -> ********
en balanced It costs 455 euros -> It costs *** euros
en balanced Ben has a 55 year old dad -> Ben has * 55 year old dad
en balanced We meet at 4:55 -> We meet at ****
en balanced We meet at 5:44 -> We meet at 5:44
de balanced Die Katze hat einen langen Schwanz -> Die Katze hat einen langen *******
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
