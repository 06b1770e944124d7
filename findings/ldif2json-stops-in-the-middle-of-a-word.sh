#!/bin/sh
# ldif2json 1.0.8 with cards written by ldif 4.3.0 (PyPI, CPython 3.11), address books in LDIF. Lines of more than 76
# characters go on in the next one, behind a blank. ldif2json leaves what goes on out, without a word: of whom is allergic to
# three things "says her mother, but not to walnuts" stays "says her mot". If there is a colon in what goes on, it is a
# property of the person: the end of "last week" is the name of one. Of a text in base64, as all that is not ASCII is, only
# the beginning is decoded. Two colons in a text, as in "Call her see:: below", make a name of what stands before them.
# Source: its README: "A robust Python tool for converting LDAP Data Interchange Format (LDIF) files to JSON"; RFC 2849, note 2:
# "Any non-empty line, including comment lines, in an LDIF file MAY be folded". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "ldif2json==1.0.8" "ldif==4.3.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
import io
import json
import subprocess
import sys
from pathlib import Path

from ldif import LDIFParser, LDIFWriter

ADA = {
    "cn": ["Ada Byron"],
    "description": ["Ada is allergic to peanuts, hazelnuts and almonds, says her mother, but not to walnuts"],
    "info": ["What we bring to the party of the club on Saturday, as was said last week: Bread: yes, wine: no"],
    "l": ["Sie ißt alles außer Nüssen, Eiern und Milch, hat ihre Mutter gesagt, und trinkt keinen Wein"],
    "note": ["Call her see:: below"],
}
written = io.BytesIO()
LDIFWriter(written).unparse("cn=Ada Byron", ADA)
Path("book.ldif").write_bytes(written.getvalue())
assert list(LDIFParser(io.BytesIO(written.getvalue())).parse()) == [("cn=Ada Byron", ADA)]
program = Path(sys.executable).with_name("ldif2json")
output = subprocess.run([program, "book.ldif", "--decode"], capture_output=True, check=True).stdout
(ada,) = json.loads(output)
for name, value in ada.items():
    print(f"{name} = {value}")
PY
cat seen
cat >expected <<'TEXT'
cn = Ada Byron
description = Ada is allergic to peanuts, hazelnuts and almonds, says her mot
dn = cn=Ada Byron
eek = Bread: yes, wine: no
info = What we bring to the party of the club on Saturday, as was said last w
l = Sie ißt alles außer Nüssen, Eiern und Milch, hat ih
note: Call her see = :: below
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
