#!/bin/sh
# abbr2words 0.2.16 and spokenform 0.4.5 (PyPI, CPython 3.11), which make of written text what a voice is to say. The last
# word of a sentence, with its full stop, is taken for an abbreviation: "The cat sat." is "The cat Saturday", "I saw the sun."
# "I saw the Sunday", "He said no. 5 of us left." "He said number five of us left.", and in German "Ich sah so." (I saw it
# thus) "Ich sah Sonntag". What follows is then one sentence with it, since the full stop is gone. A year in the plural is a
# time: "the 1990s" is "the 1990 second" (abbr2words); "open 24/7" is "open twenty-four sevenths", and a heart (<3) "less than
# three" (spokenform).
# Source: their READMEs: "Multilingual, context-aware abbreviation expansion for text normalization and speech", and
# "context-aware abbreviation"; spokenform calls abbr2words first. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "abbr2words==0.2.16" "spokenform==0.4.5"
cd "$folder"
venv/bin/python - <<'PY'
from abbr2words import abbr2words
from spokenform import prepare

EXPECTED = {
    ("en", "The cat sat. Then it ate."): ("The cat Saturday Then it ate.",) * 2,
    ("en", "I saw the sun. It was red."): ("I saw the Sunday It was red.",) * 2,
    ("en", "We were wed. It rained."): ("We were Wednesday It rained.",) * 2,
    ("en", "He said no. 5 of us left."): ("He said number 5 of us left.", "He said number five of us left."),
    ("de", "Ich sah so. Dann ging er."): ("Ich sah Sonntag Dann ging er.",) * 2,
    ("en", "the 1990s"): ("the 1990 second", "the nineteen nineties"),
    ("en", "open 24/7"): ("open 24/7", "open twenty-four sevenths"),
    ("en", "I love you <3"): ("I love you <3", "I love you less than three"),
}
seen = {}
for language, text in EXPECTED:
    seen[language, text] = abbr2words(text, lang=language), prepare(text, language=language).spoken_text
    print(f"{text} -> abbr2words: {seen[language, text][0]} -> spokenform: {seen[language, text][1]}")
if seen != EXPECTED:
    raise SystemExit("the behaviour has changed")
PY
