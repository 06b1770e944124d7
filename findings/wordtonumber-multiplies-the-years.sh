#!/bin/sh
# WordToNumber 1.1.0 (PyPI, Python 3.11), a converter of number words. A year as people say it is multiplied: "nineteen
# ninety eight" is 1718, which is 19 times 90 and 8, and "twenty twenty six" is 406. The time "seven thirty" is 37, and
# of digits that are said one by one, "five five five", it makes 30. "two and a half" is 2 and "minus five" is 5, with
# a line about ignored words on the standard output, where the result of a program is.
# Source: its README: it is for converting number words into numbers, "with added robustness", and refuses invalid words
# and syntax. Only the words for hundred and more multiply what stands before them, by its own table of place values.
# Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "WordToNumber==1.1.0"
cd "$folder"
venv/bin/python - <<'PY' | tee seen
from WordToNumber import word_to_num

for words in (
    "two thousand twenty six",
    "nineteen ninety eight",
    "twenty twenty six",
    "seven thirty",
    "five five five",
    "two and a half",
    "minus five",
):
    print(words, "->", word_to_num(words))
PY
cat >expected <<'TEXT'
two thousand twenty six -> 2026
nineteen ninety eight -> 1718
twenty twenty six -> 406
seven thirty -> 37
five five five -> 30
Warning: Ignoring invalid words: a, half
two and a half -> 2
Warning: Ignoring invalid words: minus
minus five -> 5
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
