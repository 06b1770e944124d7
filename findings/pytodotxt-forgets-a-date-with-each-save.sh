#!/bin/sh
# pytodotxt 3.1.0 (PyPI, CPython 3.11), which reads and writes todo.txt. Whoever adds one task, as its README shows, changes the
# others: a task that is done keeps the day on which it was done only if the day of its beginning stands there too. One with
# both days and a priority loses the first day and the priority with the first save, and the other day with the second, as
# it is then taken for the day on which it was done. A task that is ticked off loses the day of its beginning. Clock times are
# attributes: "at 10:30" is a key 10 with the value 30.
# Source: the docstring of Task: "The inverse operation to parsing is to convert the task to a string"; rule 2 for completed tasks
# of the format todo.txt ("The date of completion appears directly after the x"), whose first example has that day alone. Seen
# on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "pytodotxt==3.1.0"
cd "$folder"
cat >todo.txt <<'TEXT'
x 2026-11-02 Call Ada
x (B) 2026-11-02 2026-11-01 Buy milk
x 2026-11-02 2026-11-01 Buy tea pri:B
2026-11-01 Meet Ben at 10:30
TEXT
venv/bin/python - >seen <<'PY'
from pathlib import Path

import pytodotxt

file = Path("todo.txt")
todo = pytodotxt.TodoTxt(file)
todo.parse()
print("done on:", [str(task.completion_date) for task in todo.tasks])
print("attributes:", todo.tasks[3].attributes)
for name in ("Wash up", "Bake bread"):
    todo = pytodotxt.TodoTxt(file)
    todo.parse()
    todo.tasks.append(pytodotxt.Task(name))
    todo.save()
    print(file.read_text())
todo.tasks[3].is_completed = True
print(todo.tasks[3])
PY
cat seen
cat >expected <<'TEXT'
done on: ['2026-11-02', 'None', '2026-11-02', 'None']
attributes: {'10': ['30']}
x Call Ada
x 2026-11-01 Buy milk
x 2026-11-02 2026-11-01 Buy tea pri:B
2026-11-01 Meet Ben at 10:30
Wash up

x Call Ada
x Buy milk
x 2026-11-02 2026-11-01 Buy tea pri:B
2026-11-01 Meet Ben at 10:30
Wash up
Bake bread

x Meet Ben at 10:30
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
