#!/bin/sh
# degender-pronoun 0.1.4 (PyPI, CPython 3.11), which puts neutral pronouns, or those that somebody wants, in place of "she" and
# "he". "her" is taken for whose something is unless a preposition or one of some conjunctions is the whole next word: "I told
# her today", "I saw her yesterday", "I know her well." and "I asked her why" tell, see, know and ask their; with Xe for
# pronouns it is "I told xir today". "His is red." is "Their is red." What begins a line, and the second of "he he he", stays
# as it was: in a message of three lines she comes if they can.
# Source: its README: "This package further distinguishes between the objective case and possessive adjective of "her,"
# improves in more contexts"; that verbs are not changed is said there. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "degender-pronoun==0.1.4"
cd "$folder"
venv/bin/python - >seen <<'PY'
from degender_pronoun import degenderizer

change = degenderizer()
for text in (
    "I love her, too",
    "I told her today",
    "I saw her yesterday",
    "I know her well.",
    "I asked her why she left",
    "His is red.",
    "he, he and he",
    "he he he",
    "Ada wrote:\nshe comes,\nif she can",
):
    print(f"{text!r} -> {change.degender(text)!r}")
change.setDictionary(["Xe", "Xem", "Xir", "Xirs", "Xemself"])
print(change.degender("I told her today"))
PY
cat seen
cat >expected <<'TEXT'
'I love her, too' -> 'I love them, too'
'I told her today' -> 'I told their today'
'I saw her yesterday' -> 'I saw their yesterday'
'I know her well.' -> 'I know their well.'
'I asked her why she left' -> 'I asked their why they left'
'His is red.' -> 'Their is red.'
'he, he and he' -> 'they, they and they'
'he he he' -> 'they he they'
'Ada wrote:\nshe comes,\nif she can' -> 'Ada wrote:\nshe comes,\nif they can'
I told xir today
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
