#!/bin/sh
# trex-expense-splitter 0.2.2 (PyPI, CPython 3.11), which says who owes whom after a trip. Of an expense whose shares were
# given one by one, a new amount does not reach the shares: the taxi of 100, shared 60, 20 and 20, is put right to 130, the
# program says that the shares were recalculated, and they are 60, 20 and 20 as before. From then on the balances do not add
# up: whoever paid is to get 70, and the two others owe 20 each. The list of payments ends when their 40 are paid, without a
# word about the 30 that nobody owes. After a new amount of 30 each of the three owes money, and nobody is to get any.
# Source: the README: shares that are not equal are not rebuilt, and who wants others deletes the expense and adds it again;
# but it also says that "exp update --amount" recalculates the shares, as the program does each time, and that a "guardrail
# catches any mismatch" of sum and amount; update_expense in tourexpenses/db.py of the wheel. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "trex-expense-splitter==0.2.2"
cd "$folder"
export HOME="$folder" COLUMNS=100
venv/bin/trex trip start Trip --people "Anna,Ben,Cem" --currency EUR >/dev/null
printf '60\n20\n20\n' | venv/bin/trex exp add 100 --desc taxi --cat Transport --paid Anna --split custom >/dev/null
venv/bin/trex exp update 1 --amount 130 | grep -o "shares recalculated" | tee seen
cat >state.py <<'PY'
from tourexpenses import db

state = db.compute_settlement(1)
print("spent", state["total"], "shares", [row["share_amount"] for row in db.get_expense_shares(1)])
print("balances", {row["name"]: row["balance"] for row in state["balances"]})
print("payments", [(row["from"], row["to"], row["amount"]) for row in state["settlements"]])
PY
venv/bin/python state.py | tee -a seen
venv/bin/trex exp update 1 --amount 30 >/dev/null
venv/bin/python state.py | tee -a seen
cat >expected <<'TEXT'
shares recalculated
spent 130.0 shares [60.0, 20.0, 20.0]
balances {'Anna': 70.0, 'Ben': -20.0, 'Cem': -20.0}
payments [('Ben', 'Anna', 20.0), ('Cem', 'Anna', 20.0)]
spent 30.0 shares [60.0, 20.0, 20.0]
balances {'Anna': -30.0, 'Ben': -20.0, 'Cem': -20.0}
payments []
TEXT
cmp seen expected
