#!/bin/sh
# expensesplit 1.0.0 (PyPI, CPython 3.11), which divides what a group spends. Shares are rounded before the last one is what
# is left: of 1.15 for the coffee of twenty-five, twenty-four pay five cents and the last is paid five. Of the payments that
# it finds to be the fewest there are four where three do: the largest debt is paid to whom most is owed, also if somebody
# else is owed just that. Percentages that make 90 leave a tenth of the bill to nobody, those that make 110 take more than
# was spent, and amounts of one's own are not added up either. Who owes a cent owes nothing.
# Source: its docstrings: "This gives the fewest possible transactions", "last member absorbs any rounding difference", "value
# is a percentage (must sum to 100)"; README: "the fewest possible settlement transactions". Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --no-compile "expensesplit==1.0.0"
cd "$folder"
venv/bin/python - >seen <<'PY'
from expensesplit import calculate_balances, calculate_settlements, split_amount

club = [f"member {number}" for number in range(1, 26)]
shares = list(split_amount(1.15, club).values())
print("1.15 of 25:", shares[0], "...", shares[-2], shares[-1])
balances = {"Ada": 6.0, "Ben": 5.0, "Cy": -5.0, "Dan": -3.0, "Eve": -3.0}
for payment in calculate_settlements(balances):
    print(f"  {payment['from']} pays {payment['to']} {payment['amount']}")
print("enough: Cy pays Ben 5, Dan and Eve pay Ada 3 each")
for parts in ({"Ada": 60, "Ben": 30}, {"Ada": 60, "Ben": 50}):
    shares = split_amount(200, ["Ada", "Ben"], "percentage", parts)
    print("200 by", parts, "is", sum(shares.values()))
shares = {"Ada": 20.0, "Ben": 20.0}
spent = [{"payer": "Ada", "amount": 50.0, "shares": shares}]
balances = calculate_balances(["Ada", "Ben"], spent)
print("50 by", shares, "is", balances, calculate_settlements(balances))
print("a cent:", calculate_settlements({"Ada": 0.01, "Ben": -0.01}))
PY
cat seen
cat >expected <<'TEXT'
1.15 of 25: 0.05 ... 0.05 -0.05
  Cy pays Ada 5.0
  Eve pays Ada 1.0
  Eve pays Ben 2.0
  Dan pays Ben 3.0
enough: Cy pays Ben 5, Dan and Eve pay Ada 3 each
200 by {'Ada': 60, 'Ben': 30} is 180.0
200 by {'Ada': 60, 'Ben': 50} is 220.0
50 by {'Ada': 20.0, 'Ben': 20.0} is {'Ada': 30.0, 'Ben': -20.0} [{'from': 'Ben', 'to': 'Ada', 'amount': 20.0}]
a cent: []
TEXT
cmp expected seen || { echo "the behaviour has changed"; exit 1; }
