#!/bin/sh
# whatsername 0.1.0 with nameparser 2.6.0 (PyPI, CPython 3.11), which splits names and says how sure it is. Who writes two
# initials without points has no first name, where they are also a degree: JD, MA, BS or RN Hall is "hall", and KC Hall is KC.
# A name with the letters of board, office, group, centre or council in it is an organisation: Anna Boardman and Tom Grouper have
# no first name, and a last name of two words. Pronouns in brackets are a nickname: Ada is called "she/her". Mr. and Mrs are
# first names. All but the last are told with the confidence "high", so nothing is handed to the model that checks the rest.
# Source: its README ("high: ... a simple 1-2 token Latin name", "Confidence is the whole point of routing", "title: recognized
# academic/professional titles"), and "Rejects mixed-case 'Md.' (name token ...)" beside _np_drop_credential_segments, which
# protects only these. Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "whatsername==0.1.0" "nameparser==2.6.0" "unidecode==1.4.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from whatsername import parse_name

for name in (
    *("KC Hall", "JD Hall", "MA Hall", "BS Hall", "RN Hall", "J. D. Hall"),
    *("Anna Boarder", "Anna Boardman", "Tom Grouper", "Ada Hall (she/her)", "Mr. Ben Hall", "Mrs Eva Hall"),
):
    print(f"{name}:", ", ".join(f"{key} {value}" for key, value in parse_name(name).items() if value))
PY
cat seen
cat >expected <<'TEXT'
KC Hall: first kc, last hall, confidence high
JD Hall: last hall, confidence high
MA Hall: last hall, confidence high
BS Hall: last hall, confidence high
RN Hall: last hall, confidence high
J. D. Hall: first j., middle d., last hall, confidence medium
Anna Boarder: last anna boarder, confidence high
Anna Boardman: last anna boardman, confidence high
Tom Grouper: last tom grouper, confidence high
Ada Hall (she/her): first ada, last hall, nickname she/her, confidence high
Mr. Ben Hall: first mr., middle ben, last hall, confidence medium
Mrs Eva Hall: first mrs, middle eva, last hall, confidence medium
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
