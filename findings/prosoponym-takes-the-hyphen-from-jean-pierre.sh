#!/bin/sh
# prosoponym 1.2.4 (PyPI, CPython 3.11), which writes names of people as their countries do. Hyphens and apostrophes are taken
# out as punctuation: Jean-Pierre is two names, Lloyd-Jones and O'Connor are families of two words, and a full name that is looked
# for with its hyphen, as passports have it, comes back without. The calls of its README, with a Locale, raise that there is no
# order of names; with a country's code there is one for China, and none for Taiwan or Cambodia.
# Source: its README (format_full_name("alfred thanh phuc", "pham", Locale('fra')) and all others; "which order varies depending
# on the culture"); majormode/prosoponym.py. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "prosoponym==1.2.4"
cd "$folder"
venv/bin/python - >seen <<'PY'
from majormode.perseus.model.locale import Locale
from majormode.prosoponym import format_full_name


def show(*names, **how):
    try:
        print(*names, *map(str, how.values()), "->", format_full_name(*names, **how))
    except Exception as error:
        print(*names, *map(str, how.values()), "->", type(error).__name__)


show("Jean-Pierre", "Dupont", country_code="FR")
show("Ann", "Lloyd-Jones", country_code="GB")
show("Sinéad", "O'Connor", country_code="IE")
show("Jean-Pierre", "Dupont", country_code="FR", full_name="Jean-Pierre Marie Dupont")
show("Mei", "Lin", country_code="CN")
show("Mei", "Lin", country_code="TW")
show("Sokha", "Chan", country_code="KH")
show("alfred thanh phuc", "pham", Locale("fra"))
PY
cat seen
cat >expected <<'TEXT'
Jean-Pierre Dupont FR -> Jean Pierre DUPONT
Ann Lloyd-Jones GB -> Ann LLOYD JONES
Sinéad O'Connor IE -> Sinéad O CONNOR
Jean-Pierre Dupont FR Jean-Pierre Marie Dupont -> Jean Pierre Marie DUPONT
Mei Lin CN -> LIN Mei
Mei Lin TW -> UndefinedLexicalNameOrderException
Sokha Chan KH -> UndefinedLexicalNameOrderException
alfred thanh phuc pham fra -> UndefinedLexicalNameOrderException
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
