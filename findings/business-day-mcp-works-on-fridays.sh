#!/bin/sh
# business-day-mcp 0.1.0 with holidays 0.109 and fastmcp 2.14.7 (PyPI, CPython 3.11), a server over MCP for working days
# "under a country's official calendar". The weekend is Saturday and Sunday in each of its countries. In Israel, Egypt, Saudi
# Arabia, Algeria or Iran a Friday is a working day, and a Sunday, when all are back at work, is none, with "is_weekend":
# true; the next working day after Thursday is the Friday, and the last of a month may be one. Saturdays on which China works,
# to make up for a holiday, are free. Nothing in a result or in a tool's description says so. The library beneath, from which
# it takes the holidays, knows all of it and is not asked.
# Source: _is_weekend in business_day_mcp/server.py of the wheel, which gets no country; the attribute "weekend" and
# is_working_day() of the package holidays. Seen on 2026-11-29.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q "business-day-mcp==0.1.0" "holidays==0.109" "fastmcp==2.14.7" "mcp==1.30.0"
cd "$folder"
venv/bin/python - <<'PY'
import json
import subprocess

from holidays import country_holidays

program = subprocess.Popen(
    ["venv/bin/business-day-mcp"],
    env={"PATH": "/usr/bin:/bin", "HOME": "."},
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
)


def ask(method, params):
    """Send a request; returns its result."""
    print(json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}), file=program.stdin, flush=True)
    for line in program.stdout:
        if (answer := json.loads(line)).get("id") == method:
            return answer["result"]
    raise SystemExit(f"no answer to {method}")


def call(name, **arguments):
    """Call a tool; returns its structured result."""
    return ask("tools/call", {"name": name, "arguments": arguments})["structuredContent"]


FRIDAY, SUNDAY, MADE_UP_SATURDAY = "2026-11-27", "2026-11-29", "2026-10-10"
with program:
    client = {"name": "finding", "version": "1"}
    ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), file=program.stdin, flush=True)
    for country in ("IL", "EG", "SA", "DZ", "IR"):
        free = country_holidays(country, years=2026)
        says = [call("is_business_day", date=day, country=country) for day in (FRIDAY, SUNDAY)]
        works = [free.is_working_day(day) for day in (FRIDAY, SUNDAY)]
        print(f"{country}: Friday and Sunday are working days: {[day['is_business_day'] for day in says]}; in fact {works}")
        assert [day["is_business_day"] for day in says] == [True, False] and says[1]["is_weekend"]
        assert works == [False, True]
    after = call("next_business_day", date="2026-11-26", country="IL")["next_business_day"]
    last = call("last_business_day_of_month", year=2026, month=7, country="EG")
    print("Israel, after Thursday, 26 November:", after)
    print("Egypt, the last working day of July 2026, whose 31st is a Friday:", last)
    china = call("is_business_day", date=MADE_UP_SATURDAY, country="CN")["is_business_day"]
    print("China on 10 October 2026:", china, "in fact", country_holidays("CN", years=2026).is_working_day(MADE_UP_SATURDAY))
    assert after == FRIDAY and "2026-07-31" in str(last)
    assert not china and country_holidays("CN", years=2026).is_working_day(MADE_UP_SATURDAY)
    program.terminate()
print("Friday is a working day everywhere")
PY
