#!/bin/sh
# cleave-sbd 0.3.0b1 (PyPI, CPython 3.11), which divides texts into sentences by rules. If two sentences end in numbers that
# follow each other, the numbers are taken for those of a list in one line, and each goes to the front of the next sentence:
# of "Ada is 5. Ben is 6." come "Ada is", "5. Ben is" and "6.": Ben is five and Ada nothing. So it is with debts, hours, house
# numbers and ages, in English, German, French and Spanish, in the spans too. With 5 and 7, or with 6 before 5, it is right.
# The second mark after a question is a sentence of its own: "No way!! ok" behind "Really?!" ends in "! ok".
# Source: its README: "It isolates sentence boundaries across abbreviations, honorifics, numbers, lists" and "exact coordinates
# projected back to the raw source document". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "cleave-sbd==0.3.0b1"
cd "$folder"
venv/bin/python - >seen <<'PY'
import csbd

for language, text in (
    ("en", "Ada is 5. Ben is 6."),
    ("en", "Ada is 5. Ben is 7."),
    ("en", "Ada is 6. Ben is 5."),
    ("en", "Ada owes me 20. Ben owes me 21. Cy owes me 22."),
    ("en", "We meet at 7. The table is for 8."),
    ("de", "Wir sind 7. Ihr seid 8."),
    ("fr", "Ada est 5e. Ben est 6."),
    ("es", "Ada tiene 5. Ben tiene 6."),
    ("en", "Really?! No way!! ok"),
):
    print(language, list(csbd.Segmenter(language=language).segment(text)))
spans = csbd.Segmenter(language="en", char_span=True).segment("Ada is 5. Ben is 6.")
print("spans", [(span.start, span.end, span.sent) for span in spans])
PY
cat seen
cat >expected <<'TEXT'
en ['Ada is', '5. Ben is', '6.']
en ['Ada is 5.', 'Ben is 7.']
en ['Ada is 6.', 'Ben is 5.']
en ['Ada owes me', '20. Ben owes me', '21. Cy owes me', '22.']
en ['We meet at', '7. The table is for 8.']
de ['Wir sind', '7. Ihr seid', '8.']
fr ['Ada est 5e.', 'Ben est 6.']
es ['Ada tiene', '5. Ben tiene', '6.']
en ['Really?!', 'No way!', '! ok']
spans [(0, 7, 'Ada is '), (7, 17, '5. Ben is '), (17, 19, '6.')]
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
