"""Writes the table of SQL Server's errors into docs/internals/sqlserver-for-developers.md.

Run ``python -m docs.server_errors_page`` after a change of utils/database/core/server_errors.py; a
test compares.
"""

from pathlib import Path

from utils.database.core.server_errors import SOURCES, TABLE

PAGE = Path(__file__).parent / "internals" / "sqlserver-for-developers.md"
TABLE_BEGIN, TABLE_END = "<!-- server_errors: begin -->", "<!-- server_errors: end -->"


def render() -> str:
    """Return the table for docs/internals/sqlserver-for-developers.md."""
    lines = ["| error | means | what Kith does | source |", "| --- | --- | --- | --- |"]
    lines += [f"| {e.number} | {e.meaning} | {e.kind.value} | {e.source} |" for e in TABLE]
    sources = [f"- **{key}**: {source}" for key, source in SOURCES.items()]
    return "\n".join([*lines, "", "Sources:", "", *sources])


def page_with_table(page: str) -> str:
    """Return the page with the table between its two markers written again."""
    before, _, from_table = page.partition(TABLE_BEGIN)
    after = from_table.partition(TABLE_END)[2]
    return f"{before}{TABLE_BEGIN}\n{render()}\n{TABLE_END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page_with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
