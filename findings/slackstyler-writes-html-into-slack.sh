#!/bin/sh
# slackstyler 0.0.3 with mistune 0.8.4 (PyPI, CPython 3.11), Markdown for Slack. A list is numbered anew: "5. December" and "6. December"
# are the 1st and 2nd of December, a list that goes on at 3 begins with 1 again, and a year that begins a line is "1.". Quotes, tables,
# rules and hard line breaks become tags of HTML, which Slack shows as they are, so what was quoted has no mark where it ends but
# "</blockquote>". The blank line between paragraphs goes. Bold, italics, links and headings are right.
# Source: its README: it "converts Markdown text into Slack message formatting"; docs.slack.dev, "Formatting message text": ">" quotes,
# and there are no tags. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "slackstyler==0.0.3" "mistune==0.8.4"
cd "$folder"
venv/bin/python - <<'PY' >seen
from slackstyler import SlackStyler

for text in (
    "**Ada** comes on *Friday*",
    "5. December: dentist\n6. December: party",
    "Then\n\n3. pay\n4. go home",
    "2026. What a year",
    "> I owe Ben 50 euros\n\nWho says so?",
    "Ada  \nBen",
    "| who | owes |\n|---|---|\n| Ben | 50 |",
):
    print(repr(text), "->", repr(SlackStyler().convert(text)))
PY
cat seen
cat >expected <<'TEXT'
'**Ada** comes on *Friday*' -> '*Ada* comes on _Friday_\n'
'5. December: dentist\n6. December: party' -> '1. December: dentist\n2. December: party\n'
'Then\n\n3. pay\n4. go home' -> 'Then\n1. pay\n2. go home\n'
'2026. What a year' -> '1. What a year\n'
'> I owe Ben 50 euros\n\nWho says so?' -> '<blockquote>I owe Ben 50 euros\n</blockquote>\nWho says so?\n'
'Ada  \nBen' -> 'Ada<br>\nBen\n'
'| who | owes |\n|---|---|\n| Ben | 50 |' -> '<table>\n<thead><tr>\n<th>who</th>\n<th>owes</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>Ben</td>\n<td>50</td>\n</tr>\n</tbody>\n</table>\n'
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
