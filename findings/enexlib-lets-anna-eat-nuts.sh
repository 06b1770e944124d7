#!/bin/sh
# enexlib 0.1.3 (PyPI, CPython 3.11), which turns notes of Evernote into plain text. With text_only, which removes
# "special characters" by its docstring and makes the README's plain_text, each letter u goes, with up to four letters
# behind it: of "Anna must not eat nuts" is left "Anna mot eat n". Also without it, "&lt;" and "&gt;" are read first and
# tags removed then: what somebody wrote between "<" and ">" is gone, a "not" with it, and numbered characters become
# blanks, so that the place Müller is "M ller".
# Source: format_text in enexlib/enexlib.py of the wheel (re "u.{,4}", "remaining unicode"). Evernote's notes are XHTML,
# in which "<" is written as "&lt;" (its DTD for notes, enml2). Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "enexlib==0.1.3" "beautifulsoup4==4.15.0" "lxml==6.1.3"
cd "$folder"
cat >notes.enex <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
<en-export export-date="20261130T080000Z" application="Evernote" version="10.100">
<note><title>Anna</title><created>20261101T100000Z</created><content><![CDATA[<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">
<en-note><div>Anna must not eat nuts.</div><div>Our lunch is on Sunday.</div></en-note>]]></content></note>
<note><title>Guests</title><created>20261102T100000Z</created><content><![CDATA[<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">
<en-note><div>Guests &lt; 20, do not invite those &gt; 60. At M&#252;ller's.</div></en-note>]]></content></note>
</en-export>
XML
venv/bin/python - <<'PY' | tee seen
from enexlib import read_enex

for title, note in read_enex("notes.enex"):
    print(f"{title}: {note}")
for title, note in read_enex("notes.enex", text_only=True):
    print(f"{title}, text_only: {note}")
PY
cat >expected <<'TEXT'
Anna: Anna must not eat nuts. Our lunch is on Sunday.
Guests: Guests 60. At M ller's.
Anna, text_only: Anna mot eat nOnch is on S.
Guests, text_only: G 60. At M ller's.
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
