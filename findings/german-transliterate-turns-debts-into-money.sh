#!/bin/sh
# german-transliterate 0.1.3 with num2words 0.5.14 (PyPI, CPython 3.11), which writes the numbers and times of German
# texts in words. A balance of -20 € becomes 20 euros, and -5 °C five degrees above zero. Each colon makes hours and
# minutes: the score 3:2 is "three hours two minutes", and the time of day 18:30 Uhr a duration, after which "uhr" still
# stands. Two times of day in one sentence are written into each other ("neun stunden17 stunden dreißig minuteninuten").
# A point makes a time of day of what is none: 3.5 km are "three o'clock five kilometres".
# Source: "can clean and transliterate (i.e. normalize) German text including abbreviations, numbers, timestamps" (the
# summary of the package); german_transliterate/core.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "german-transliterate==0.1.3" "num2words==0.5.14"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from german_transliterate.core import GermanTransliterate

for text in (
    "Kontostand -20 €",
    "Es waren -5 °C",
    "Es waren 5 °C",
    "Spielstand 3:2",
    "um 18:30 Uhr",
    "von 9:00 bis 17:30 Uhr",
    "3.5 km",
    "3,5 km",
):
    print(f"{text}: {GermanTransliterate().transliterate(text)}")
PY
cat >expected <<'TEXT'
Kontostand -20 €: kontostand 20 euro
Es waren -5 °C: es waren 5 grad celsius
Es waren 5 °C: es waren fünf grad celsius
Spielstand 3:2: spielstand drei stunden zwei minuten
um 18:30 Uhr: um achtzehn stunden dreißig minuten uhr
von 9:00 bis 17:30 Uhr: von neun stunden17 stunden dreißig minuteninuten bis siebzehn uhr dreißig
3.5 km: drei uhr fünf kilometer
3,5 km: drei komma fünf kilometer
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
