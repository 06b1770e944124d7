#!/bin/sh
# pythonvcard4 0.2.0 (PyPI, CPython 3.11), a reader and writer of vCard 4. A file with two cards is read as one person: Ben,
# with the number of Cy beside his own, Cy's birthday and allergy, and nobody hears of a Cy. What is written and read again
# is not the same: the name is kept a second time as a property of one's own and the title as nothing else, so that the next
# card has FN and N twice, and what stands there twice grows each time; "C:\new" is read with a line feed. Birthdays without a
# year or without a day, for which vCard 4 has forms of its own, are a ValueError, and nothing of such a card is read.
# Source: its README: "RFC 6350-compliant vCard 4.0 parser and generator" and "Full round-trip fidelity, folding/unfolding, and
# escaping per spec"; RFC 6350, 3.3 (one entity is one or more cards) and 6.2.5, with "BDAY:--0412". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "pythonvcard4==0.2.0" "pillow==13.0.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from pythonvCard4.vcard import Contact


def card(*lines):
    """Return a card with these lines."""
    return "\r\n".join(["BEGIN:VCARD", "VERSION:4.0", *lines, "END:VCARD", ""])


book = card("FN:Ben", "TEL:+1") + card("FN:Cy", "TEL:+2", "BDAY:1990-05-15", "NOTE:Allergic to nuts")
ben = Contact.from_vcard(book)
print(ben.fn, [tel["value"] for tel in ben.tel], ben.bday, ben.note)
ada = Contact(fn="Ada Byron", n=["Byron", "Ada", "", "", ""], title="Countess", note="C:\\new")
for time in (1, 2):
    ada = Contact.from_vcard(ada.to_vcard())
    print(f"read {time}:", ada.title, repr(ada.note), ada.custom)
print("written:", [line for line in ada.to_vcard().split("\r\n") if line.startswith(("FN", "N:"))])
for birthday in ("--0412", "1990-05", "19900515", "1990-05-15T10:00:00Z"):
    try:
        print(birthday, Contact.from_vcard(card("FN:Ada", f"BDAY:{birthday}")).bday)
    except ValueError as error:
        print(error)
PY
cat seen
cat >expected <<'TEXT'
Ben ['+1', '+2'] 1990-05-15 Allergic to nuts
read 1: None 'C:\\\new' {'FN': ['Ada Byron'], 'N': ['Byron;Ada;;;'], 'TITLE': ['Countess']}
read 2: None 'C:\\\new' {'FN': ['Ada Byron', 'Ada Byron'], 'N': ['Byron;Ada;;;', 'Byron;Ada;;;'], 'TITLE': ['Countess']}
written: ['FN:Ada Byron', 'N:Byron;Ada;;;', 'FN:Ada Byron;Ada Byron', 'N:Byron\\;Ada\\;\\;\\;;Byron\\;Ada\\;\\;\\;']
Invalid isoformat string: '--0412'
Invalid isoformat string: '1990-05'
19900515 1990-05-15
Invalid isoformat string: '1990-05-15T10:00:00Z'
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
