#!/bin/sh
# mark2tg 1.0.2 (PyPI), a converter from Markdown to Telegram's MarkdownV2 for bots. It changes the first star of each line
# into an underscore and halves double ones: "**not** before 7" becomes "_not* before 7", which nobody can read, "5 * 3"
# is "5 _ 3", code is changed inside, and a heading "_Heading*". It escapes nothing: "I come at 7. (Or 8!)" stays as
# it is. The first row of a table stays outside of the code, whose fence nothing closes.
# Source: the README: "correct escaping for all Telegram MarkdownV2 special characters", "safe handling of links, code, and
# inline entities". Telegram's Bot API, MarkdownV2 style: . ( ) ! and others "must be escaped", and bold is *bold*.
# Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "mark2tg==1.0.2"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from mark2tg import convert_markdown_to_telegram

for text in (
    "**not** before 7",
    "5 * 3",
    "`2*3`",
    "# Heading",
    "I come at 7. (Or 8!)",
    "| Day | Who |\n|---|---|\n| Monday | Anna |\n\nSee you",
):
    print(repr(text), "->", repr(convert_markdown_to_telegram(text)))
PY
cat >expected <<'TEXT'
'**not** before 7' -> '_not* before 7'
'5 * 3' -> '5 _ 3'
'`2*3`' -> '`2_3`'
'# Heading' -> '_Heading*'
'I come at 7. (Or 8!)' -> 'I come at 7. (Or 8!)'
'| Day | Who |\n|---|---|\n| Monday | Anna |\n\nSee you' -> '| Day | Who |\n```\n|---|---|\n| Monday | Anna |\n\nSee you'
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
