#!/bin/sh
# settleup-calculator 1.0.1 (PyPI, CPython 3.11), which splits what a group spends. Its two halves have opposite signs: a balance
# is positive for who owes and negative for who is owed, and the settlements take who is below nought for the debtors. Ada,
# who paid 90 for three, is told to give Ben and Cy 30 each on top of it, and whoever paid nothing gets money. With the README's
# own example the one who paid more pays the other once more. Of 100 split by three one cent is nobody's, where the README
# shows 33.34 for the third, and a debt of a single cent that is left over is never settled.
# Source: its README ("# Result: ... Decimal("33.34")", "Generate minimum settlement transactions"); "positive = owes, negative =
# is owed" in calculate_balances, and debtors, creditors in calculate_settlements of settleup_calculator/split_calculator.py.
# Seen on 2026-12-01.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "settleup-calculator==1.0.1"
cd "$folder"
venv/bin/python - >seen <<'PY'
from decimal import Decimal

from settleup_calculator import ExpenseCalculator, SplitCalculator


def settle(*expenses):
    """Print who is told to pay whom."""
    expenses = [{"paid_by": who, "amount": amount, "participants": shared} for who, amount, shared in expenses]
    balances = SplitCalculator.calculate_balances(expenses)
    print("balances:", ", ".join(f"{who} {amount}" for who, amount in balances.items()))
    for payment in SplitCalculator.calculate_settlements(balances):
        print(f"  {payment['from']} pays {payment['to']} {payment['amount']:.2f}")


settle(("Ada", 90, ["Ada", "Ben", "Cy"]))
settle(("user1", 100, ["user1", "user2"]), ("user2", 50, ["user1", "user2"]))
shares = ExpenseCalculator.calculate_split(Decimal("100.00"), ["user1", "user2", "user3"])
print("100.00 by three:", *shares.values(), "- together", sum(shares.values()))
PY
cat seen
cat >expected <<'TEXT'
balances: Ada -60.00, Ben 30.00, Cy 30.00
  Ada pays Ben 30.00
  Ada pays Cy 30.00
balances: user1 -25.00, user2 25.00
  user1 pays user2 25.00
100.00 by three: 33.33 33.33 33.33 - together 99.99
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
