#!/bin/sh
# emoticon-fix 0.3.0 (PyPI, CPython 3.11), which writes emoticons as words and judges feelings by them. Each time at half past is a smile:
# 18:30 is "18 Smile 0", and "My mother died on Friday at 5:30" is "Very Positive"; at 5:20 it is neutral. Without emoticons the time is
# 18 0. So are a count in a list, "8)", and a ratio; in "Ada:Dear" is a laugh, and a drive D: is horror. A heart, "<3", is none, and a mouth
# that comes first, "(:", is none. Links are left alone.
# Source: its README: it is for "preprocessing where emoticons need to be preserved as meaningful text", with "sentiment analysis" for
# what has emoticons. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "emoticon-fix==0.3.0"
cd "$folder"
venv/bin/python - <<'PY' >seen
from emoticon_fix import classify_sentiment, emoticon_fix, remove_emoticons

for text in (
    "Hello :)",
    "We meet at 18:30",
    "My mother died on Friday at 5:20",
    "My mother died on Friday at 5:30",
    "7) tea 8) cake",
    "Ada:Dear Ben, I am ill",
    "Save it on D: please",
    "I <3 you (:",
):
    print(f"{text} -> {emoticon_fix(text)} | {remove_emoticons(text)} | {classify_sentiment(text)}")
PY
cat seen
cat >expected <<'TEXT'
Hello :) -> Hello Smile | Hello | Very Positive
We meet at 18:30 -> We meet at 18 Smile 0 | We meet at 18 0 | Very Positive
My mother died on Friday at 5:20 -> My mother died on Friday at 5 : 20 | My mother died on Friday at 5 : 20 | Neutral
My mother died on Friday at 5:30 -> My mother died on Friday at 5 Smile 0 | My mother died on Friday at 5 0 | Very Positive
7) tea 8) cake -> 7 ) tea Smile cake | 7 ) tea cake | Very Positive
Ada:Dear Ben, I am ill -> Ada Laugh ear Ben , I am ill | Ada ear Ben , I am ill | Very Positive
Save it on D: please -> Save it on Horror please | Save it on please | Negative
I <3 you (: -> I < 3 you ( : | I < 3 you ( : | Neutral
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
