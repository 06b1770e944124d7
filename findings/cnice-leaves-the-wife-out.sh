#!/bin/sh
# cnice 0.1.2 (PyPI, CPython 3.11; once cgreet), which writes the salutation of a letter to a person with a given honorific
# and name. The last word is the name: "Herr von der Leyen" is "Herr Leyen", "Monsieur de la Tour" "Monsieur Tour", "Herr
# Müller jun." "Herr jun.", and "Ms. Kim, PhD" "Dear Ms Kim,,". Of "Herr und Frau Müller" the wife is left out. A title
# without a Mr or Ms, as "Dr." is in English ("Dr. Kim"), makes "Dear Sir or Madam,". The functions that are there to warn of
# what is incomplete warn of none of them.
# Source: its README: "Complete salutation for any covered locale", "Missing honorifics or surnames produce the generic
# greeting", "recipient_salutation_warning: Report incomplete input". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "cnice==0.1.2"
cd "$folder"
venv/bin/python - <<'PY'
from cnice import greet

EXPECTED = {
    ("de", "Herr von der Leyen"): "Sehr geehrter Herr Leyen,",
    ("de", "Herr Müller jun."): "Sehr geehrter Herr jun.,",
    ("de", "Herr und Frau Müller"): "Sehr geehrter Herr Müller,",
    ("de", "Frau Kim, Anna"): "Sehr geehrte Frau Anna,",
    ("fr", "Monsieur de la Tour"): "Monsieur Tour,",
    ("en", "Ms. Kim, PhD"): "Dear Ms Kim,,",
    ("en", "Dr. Kim"): "Dear Sir or Madam,",
}
seen = {}
for locale, name in EXPECTED:
    seen[locale, name] = greet.salutation(locale, name)
    print(f"{locale}, {name}: {seen[locale, name]} - warning: {greet.recipient_salutation_warning(locale, name)}")
if seen != EXPECTED or any(greet.recipient_salutation_warning(*given) for given in EXPECTED):
    raise SystemExit("the behaviour has changed")
PY
