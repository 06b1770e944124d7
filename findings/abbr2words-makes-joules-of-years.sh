#!/bin/sh
# abbr2words 0.2.16 (PyPI, CPython 3.11), which writes abbreviations out for speech, in English and German. Whatever ends a
# sentence and is written as an abbreviation is one: "I sat. Then I left." is "I Saturday Then I left.", "I wed. Ben was there."
# "I Wednesday Ben was there.", "Ich mag das so. Du auch?" "Ich mag das Sonntag Du auch?", "He said no. 5 people came." "He said
# number 5 people came." The stop goes with it, so that two sentences become one. A letter after a number is a unit: who
# is "34 J. alt" (years old) is 34 joules, a child of 5 months ("5 M.") 5 molar, two pieces of cake ("2 St.") are holy, "2 c.
# flour" (cups) is two degrees, two A grades are two ampere, and Ms. Ada is Miss Ada.
# Source: its README: "Multilingual, context-aware abbreviation expansion for text normalization and speech", English and German
# among the "Reviewed extended registries", and "It preserves numeric values". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "abbr2words==0.2.16"
cd "$folder"
venv/bin/python - >seen <<'PY'
from abbr2words import abbr2words

for language, text in (
    ("en", "I sat. Then I left."),
    ("en", "I wed. Ben was there."),
    ("en", "He said no. 5 people came."),
    ("en", "No. I do not."),
    ("en", "2 c. flour"),
    ("en", "I have 2 A grades"),
    ("en", "Ms. Ada"),
    ("de", "Ich mag das so. Du auch?"),
    ("de", "Ich bin 34 J. alt"),
    ("de", "Das Kind ist 5 M. alt"),
    ("de", "2 St. Kuchen"),
):
    print(f"{text} -> {abbr2words(text, lang=language)}")
PY
cat seen
cat >expected <<'TEXT'
I sat. Then I left. -> I Saturday Then I left.
I wed. Ben was there. -> I Wednesday Ben was there.
He said no. 5 people came. -> He said number 5 people came.
No. I do not. -> No. I do not.
2 c. flour -> 2 degree Celsius flour
I have 2 A grades -> I have 2 ampere grades
Ms. Ada -> Miss Ada
Ich mag das so. Du auch? -> Ich mag das Sonntag Du auch?
Ich bin 34 J. alt -> Ich bin 34 Joule. alt
Das Kind ist 5 M. alt -> Das Kind ist 5 molar. alt
2 St. Kuchen -> 2 Sankt Kuchen
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
