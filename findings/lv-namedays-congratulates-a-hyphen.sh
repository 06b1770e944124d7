#!/bin/sh
# lv-namedays 0.6 (PyPI, CPython 3.11), Latvian name days. On 29 February the list of names holds one, "-": a bot
# that congratulates by get_names_for_date congratulates a hyphen, and in the extended list the same day has none. On 22 May one
# of the names is a sentence, "the day of all names that are unusual and not in the calendars"; who has such a name, and asks
# for it, is told that there is no day: the one list that says so is not asked. A name without its long vowels, as keyboards
# abroad write it, is another: Jānis is on 24 June, Janis on 27 August.
# Source: its README ("Look up the names for ...", "Find the name day date for a given name") and docstring ("Returns a list of
# names for a given nameday date"); data/tradic_vardadienu_saraksts.json. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "lv-namedays==0.6"
cd "$folder"
venv/bin/python - >seen <<'PY'
from lv_namedays import NameDayDB

days = NameDayDB()
for date in ("02-28", "02-29", "05-22"):
    print(f"{date}: {days.get_names_for_date(date)}, extended: {len(days.get_names_for_date(date, extended=True))} names")
for name in ("Uldis", "Wolfgang", "Jānis", "Janis"):
    date = days.get_date_for_name(name) or days.get_date_for_name(name, extended=True)
    print(f"{name}: {date}")
PY
cat seen
cat >expected <<'TEXT'
02-28: ['Skaidrīte', 'Justs', 'Skaidra'], extended: 11 names
02-29: ['-'], extended: 0 names
05-22: ['Emīlija', 'Visu neparasto un kalendāros neierakstīto vārdu diena'], extended: 34 names
Uldis: 07-04
Wolfgang: None
Jānis: 06-24
Janis: 08-27
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
