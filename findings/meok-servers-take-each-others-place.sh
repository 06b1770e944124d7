#!/bin/sh
# calendar-ai-mcp 1.0.12, hydration-reminder-ai-mcp 1.0.10 (two of some two hundred servers over MCP of one maker) and
# nira-temporal 1.0.1 (another's) with mcp 1.30.0 (PyPI, CPython 3.11). Each wheel has one module, "server.py" at the top of
# site-packages, and a program that starts it. pip says nothing when the next one overwrites it, so all programs start
# the server that was installed last: with the first two, "calendar_ai_mcp" offers to log glasses of water. nira-temporal's
# module has no main(), so it never starts, and once it is there, neither do the others. Alone, each tool of
# calendar-ai-mcp ends with "name 'timezone' is not defined". With version 2 of the mcp package, which all three
# allow, none starts.
# Source: entry_points.txt ("server:main") and RECORD of the wheels; _rl in calendar-ai-mcp's server.py, which imports datetime
# and timedelta only, and is called by every tool. Seen on 2026-11-30.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
cd "$folder"
mkdir home
cat >ask.py <<'PY'
import asyncio
import sys
from pathlib import Path

from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client

ARGUMENTS = {"start": "2026-12-01T10:00:00", "end": "2026-12-01T11:00:00"}


async def ask(program):
    """Return the tools of a program, and what its first call says."""
    server = StdioServerParameters(command=f"venv/bin/{program}", env={"HOME": str(Path("home").resolve())})
    with Path("log").open("a") as log:
        async with stdio_client(server, errlog=log) as streams, ClientSession(*streams) as session:
            await session.initialize()
            names = [tool.name for tool in (await session.list_tools()).tools]
            if "calculate_duration" not in names:
                return names
            result = await session.call_tool("calculate_duration", ARGUMENTS)
            return names, result.content[0].text


for program in sys.argv[1:]:
    try:
        print(f"  {program}:", asyncio.run(ask(program)))
    except* McpError:
        print(f"  {program}: ends before it answers")
PY
{
    for package in calendar-ai-mcp==1.0.12 hydration-reminder-ai-mcp==1.0.10 nira-temporal==1.0.1; do
        venv/bin/pip install -q "$package" "mcp==1.30.0"
        echo "after $package:"
        # shellcheck disable=SC2046 # each program is a word
        venv/bin/python ask.py $(cd venv/bin && ls -d calendar_ai_mcp hydration_reminder_ai_mcp nira-temporal 2>/dev/null)
    done
} >seen
cat seen
cat >expected <<'TEXT'
after calendar-ai-mcp==1.0.12:
  calendar_ai_mcp: (['create_event', 'find_free_slot', 'calculate_duration', 'timezone_convert'], "Error executing tool calculate_duration: name 'timezone' is not defined")
after hydration-reminder-ai-mcp==1.0.10:
  calendar_ai_mcp: ['log_water_intake', 'get_daily_hydration', 'calculate_target', 'get_hydration_tips']
  hydration_reminder_ai_mcp: ['log_water_intake', 'get_daily_hydration', 'calculate_target', 'get_hydration_tips']
after nira-temporal==1.0.1:
  calendar_ai_mcp: ends before it answers
  hydration_reminder_ai_mcp: ends before it answers
  nira-temporal: ends before it answers
TEXT
cmp seen expected
