#!/bin/sh
# betterletter 1.2.1 (PyPI, CPython 3.11), which gives German its umlauts and ß back where they were typed as ae or ss. A word
# is changed if the other one is in its dictionary, also if what was typed stands there too: who drinks beer "in Massen, nicht
# in Maßen" (a lot, not in moderation) drinks it in moderation, not in moderation; "Zwei Busse fahren" (buses go) is two
# penances, "die Masse der Kunden" (most customers) are their measurements, and "Russen" (Russians) are "Rußen". A text that
# has umlauts already, and so was typed where there are such keys, is changed like any other.
# Source: its README: "This program is dictionary-based to check if replacements are valid words", and its table of words of
# which another spelling is wrong, with Messe and Abschluss; resources/dicts/de.txt of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "betterletter==1.2.1"
cd "$folder"
cat >text <<'TEXT'
Hoeflich fragen waere angebracht!
Ich trinke Bier in Massen, nicht in Maßen.
Zwei Busse fahren nach Köln.
Für die Masse der Kunden ist das nichts.
Die Russen kommen zur Messe.
Israel, Abenteuer, Poet
TEXT
while read -r line; do
  echo "$line -> $(echo "$line" | venv/bin/betterletter de)"
done <text >seen
dictionary=$(echo venv/lib/python3*/site-packages/betterletter/resources/dicts/de.txt)
echo "of Massen, Busse, Masse, Russen in its dictionary: $(grep -cx -e Massen -e Busse -e Masse -e Russen "$dictionary")" >>seen
cat seen
cat >expected <<'TEXT'
Hoeflich fragen waere angebracht! -> Höflich fragen wäre angebracht!
Ich trinke Bier in Massen, nicht in Maßen. -> Ich trinke Bier in Maßen, nicht in Maßen.
Zwei Busse fahren nach Köln. -> Zwei Buße fahren nach Köln.
Für die Masse der Kunden ist das nichts. -> Für die Maße der Kunden ist das nichts.
Die Russen kommen zur Messe. -> Die Rußen kommen zur Messe.
Israel, Abenteuer, Poet -> Israel, Abenteuer, Poet
of Massen, Busse, Masse, Russen in its dictionary: 4
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
