#!/bin/sh
# magodo 1.1.1 (PyPI, CPython 3.11), which reads and writes todo.txt. The one date of a task that is done is the day on which it
# was done; here it is the day it was created, and done it was today, which is written back. A task without a date is created
# today, and one with a date whose first letter is an umlaut or a quotation mark too: the date becomes its first word. Without a
# date such a task is an error, "does not appear to properly adhere to the todo.txt format". The priority O is none, and is lost.
# Source: https://github.com/todotxt/todo.txt, which its own error names (rule 2 of completed tasks, "the date of completion
# appears directly after the x"; priorities are A to Z; the creation date is optional). Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "magodo==1.1.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
import datetime

from magodo import Todo

today = datetime.date.today().isoformat()
for line in (
    "x 2024-11-18 2024-11-01 Call Ada",
    "x 2024-11-18 Call Ada",
    "x Call Ada",
    "Call Ada",
    "(A) 2024-11-01 Call Ada",
    "(O) 2024-11-01 Call Ada",
    "2024-11-01 Buy apples",
    "2024-11-01 Äpfel kaufen",
    '2024-11-01 "Dune" lesen',
    "Äpfel kaufen",
):
    result = Todo.from_line(line)
    try:
        todo = result.unwrap()
    except Exception as error:
        print(f"{line} -> {type(error).__name__}")
        continue
    print(f"{line} -> {todo.to_line()}".replace(today, "TODAY"))
PY
cat seen
cat >expected <<'TEXT'
x 2024-11-18 2024-11-01 Call Ada -> x 2024-11-18 2024-11-01 Call Ada
x 2024-11-18 Call Ada -> x TODAY 2024-11-18 Call Ada
x Call Ada -> x TODAY TODAY Call Ada
Call Ada -> TODAY Call Ada
(A) 2024-11-01 Call Ada -> (A) 2024-11-01 Call Ada
(O) 2024-11-01 Call Ada -> 2024-11-01 Call Ada
2024-11-01 Buy apples -> 2024-11-01 Buy apples
2024-11-01 Äpfel kaufen -> TODAY 2024-11-01 Äpfel kaufen
2024-11-01 "Dune" lesen -> TODAY 2024-11-01 "Dune" lesen
Äpfel kaufen -> ErisError
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
