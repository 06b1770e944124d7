#!/bin/sh
# corp-names 0.3.3 (PyPI, CPython 3.11), which makes one form of each person's name, stripped of titles and with
# nicknames resolved. At its default level, "only English nicknames", Jan Kowalski is janet kowalski, Max Müller
# maximilian muller, Don Quixote donald quixote and Kim Lee kimberly lee, one with whoever is called so. A name that is
# a title as well is taken for the title: of Judge Reinhold and Earl Grey the surname is left, and Prince and King have
# no name at all, so that both are one person, "". The initial V is taken for the fifth of that name: Anna V is "anna",
# while Anna W keeps hers.
# Source: the README ("common (default): only English nicknames", "strips titles, suffixes, middle initials");
# normalize_name of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "corp-names==0.3.3"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from corp_names import normalize_name

for name in (
    "Jan Kowalski",
    "Max Müller",
    "Don Quixote",
    "Kim Lee",
    "Kimberly Lee",
    "Judge Reinhold",
    "Earl Grey",
    "Prince",
    "King",
    "Anna V",
    "Anna W",
):
    print(f"{name}: {normalize_name(name).normalized!r}")
PY
cat >expected <<'TEXT'
Jan Kowalski: 'janet kowalski'
Max Müller: 'maximilian muller'
Don Quixote: 'donald quixote'
Kim Lee: 'kimberly lee'
Kimberly Lee: 'kimberly lee'
Judge Reinhold: 'reinhold'
Earl Grey: 'grey'
Prince: ''
King: ''
Anna V: 'anna'
Anna W: 'anna w'
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
