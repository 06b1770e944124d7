#!/bin/sh
# eml2markdown 2.1.0, eml2html 2.7.0 and eml-to-md 0.1.0 (PyPI, CPython 3.11), and letterparser 0.1.8 (npm, Node 20), which
# make text of e-mails. Of a letter with a picture between its words, as Apple Mail writes it, the first three have what
# stands above the picture; of a letter that carries another one they have none of the inner one's words. No line says
# that something is missing. letterparser has all words, but puts the inner letter's below the outer one's without their
# sender, so that what Bob wrote reads as what Ann says.
# Source: RFC 2046, 5.1.3 (the parts of multipart/mixed follow each other) and 5.2.1 (message/rfc822). eml-to-md keeps the
# first text of the whole letter (_extract_body in eml_to_md/converter.py), the two others the one that Python's
# EmailMessage.get_body returns, the best candidate for a body. mail-parser 4.8.0 (PyPI) keeps the words
# after the picture. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in eml2markdown==2.1.0 eml2html==2.7.0 eml-to-md==0.1.0; do
    python3 -m venv "${package%%==*}"
    "${package%%==*}/bin/pip" install -q "$package"
done
npm install --silent --no-fund --no-audit "letterparser@0.1.8"
cat >letters.py <<'PY'
from email.message import EmailMessage
from pathlib import Path


def letter(sender, subject):
    email = EmailMessage()
    email["From"], email["To"] = f"{sender} <{sender}@example.org>", "club@example.org"
    email["Date"], email["Subject"] = "Fri, 27 Nov 2026 18:00:00 +0100", subject
    return email


def part(content, **how):
    """Return a part that is shown where it stands."""
    result = EmailMessage()
    result.set_content(content, disposition="inline", **how)
    return result


picture = letter("ann", "Plan")
picture.make_mixed()
picture.attach(part("The plan is below.\n"))
picture.attach(part(b"\x89PNG\r\n\x1a\n", maintype="image", subtype="png", filename="plan.png"))
picture.attach(part("We meet on Friday.\n"))
Path("picture.eml").write_bytes(picture.as_bytes())
inner = letter("bob", "Key")
inner.set_content("I have the key.\n")
outer = letter("ann", "Fwd: Key")
outer.set_content("See below.\n")
outer.add_attachment(inner)
Path("outer.eml").write_bytes(outer.as_bytes())
PY
python3 letters.py
cat >letterparser.mjs <<'JS'
import {readFileSync} from "fs";
import {extract} from "letterparser";
console.log(extract(readFileSync(process.argv[2], "latin1")).text);
JS
for letter in picture outer; do
    eml2markdown/bin/eml2markdown "$letter.eml" -o "$letter.1" 2>log || { cat log; exit 1; }
    eml2html/bin/eml2html "$letter.eml" -o "$letter.2" 2>log || { cat log; exit 1; }
    eml-to-md/bin/eml2md --stdout "$letter.eml" >"$letter.3"
    node letterparser.mjs "$letter.eml" >"$letter.4"
    for words in "The plan is below" "We meet on Friday" "See below" "I have the key" bob; do
        for file in "$letter.eml" "$letter.1" "$letter.2" "$letter.3" "$letter.4"; do
            if grep -q "$words" "$file"; then echo "$file: $words"; fi
        done
    done
done >seen
cat seen
cat >expected <<'TEXT'
picture.eml: The plan is below
picture.1: The plan is below
picture.2: The plan is below
picture.3: The plan is below
picture.4: The plan is below
picture.eml: We meet on Friday
picture.4: We meet on Friday
outer.eml: See below
outer.1: See below
outer.2: See below
outer.3: See below
outer.4: See below
outer.eml: I have the key
outer.4: I have the key
outer.eml: bob
TEXT
cmp seen expected
