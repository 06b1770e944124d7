"""Each promise of docs/privacy.md, security.md and intents.md is held by a test that exists.

tests/promises.toml maps every statement of the documents to the tests that hold it. Who changes a
sentence there looks here whether a test still holds it, or says that it promises nothing.
"""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from tests.rows import each_row

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = {name: f"docs/{name}.md" for name in ("privacy", "security", "intents")}
TABLE = "tests/promises.toml"
_SENTENCE_END = re.compile(r"(?<=[.;])\s+(?=[A-Z`*“])")
_IS_TITLE = re.compile(r"^\*\*[^*]+\*\*$")
_TEST = re.compile(r"^ *(?:async )?def (test_\w+)\(", re.MULTILINE)
_LIST_ITEM = re.compile(r"^(?:- |\d+\. )")


def statements(markdown: str, without: tuple[str, ...] = ()) -> list[str]:
    """Return the statements of a page: the rows of its tables, and the sentences of its text.

    Args:
        markdown: the page.
        without: headings of sections that are left out.
    """
    found: list[str] = []
    paragraph: list[str] = []
    is_code = is_left_out = False

    def end_paragraph() -> None:
        text = " ".join(paragraph)
        found.extend(part for part in _SENTENCE_END.split(text) if part)
        paragraph.clear()

    lines = markdown.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("```"):
            is_code = not is_code
        if is_code or line.startswith("```"):
            continue
        if _IS_TITLE.match(line):
            end_paragraph()
            continue
        if line.startswith("#"):
            end_paragraph()
            is_left_out = line.lstrip("# ") in without
            continue
        if is_left_out:
            continue
        if line.startswith("|"):
            end_paragraph()
            is_head = lines[number + 1 : number + 2] and lines[number + 1].startswith("| ---")
            if not is_head and not line.startswith("| ---"):
                found.append(" | ".join(cell.strip() for cell in line.strip("| ").split(" | ")))
            continue
        if not line.strip() or _LIST_ITEM.match(line):
            end_paragraph()
        if line.strip():
            paragraph.append(_LIST_ITEM.sub("", line.strip()))
    end_paragraph()
    return found


@cache
def table() -> dict[str, Any]:
    """Return the table of promises."""
    return tomllib.loads((ROOT / TABLE).read_text(encoding="utf-8"))


@cache
def names_of_tests(path: str) -> frozenset[str]:
    """Return the names of a file's test functions; none if there is no such file."""
    file = ROOT / "tests" / path
    if not file.is_file():
        return frozenset()
    return frozenset(_TEST.findall(file.read_text(encoding="utf-8")))


@each_row("name", DOCUMENTS)
def test_every_statement_of_the_documents_is_in_the_table(name):
    entry = table()[name]
    page = (ROOT / DOCUMENTS[name]).read_text(encoding="utf-8")
    stated = statements(page, tuple(entry["instructions"]))
    listed = {*entry["promises"], *entry["remarks"]}
    assert len(stated) == len(set(stated)), "a statement stands twice in the document"
    unlisted = [statement for statement in stated if statement not in listed]
    assert not unlisted, f"give each of these a test in {TABLE}, or list it as a remark"
    outdated = listed - set(stated)
    assert not outdated, f"{DOCUMENTS[name]} no longer says this: take it out of {TABLE}"
    assert not set(entry["promises"]) & set(entry["remarks"])


@each_row("name", DOCUMENTS)
def test_every_promise_is_held_by_a_test_that_exists(name):
    for promise, holders in table()[name]["promises"].items():
        assert holders, f"no test holds: {promise}"
        for holder in holders:
            path, _, test = holder.partition("::")
            assert test in names_of_tests(path), f"there is no {holder}, which holds: {promise}"


CONNECTING = frozenset(
    {"aiohttp", "ftplib", "http", "httpx", "httpx2", "imaplib", "openai", "poplib", "requests"}
    | {"smtplib", "socket", "telnetlib", "urllib.request", "urllib3", "websockets"}
)
MAY_CONNECT = {
    "cogs/bot/error_handler.py": "names aiohttp's errors",
    "cogs/bot/login.py": "names aiohttp's errors",
    "cogs/bot/interactions.py": "names aiohttp's errors",
    "cogs/dashboard/server.py": "listens for the dashboard",
    "cogs/mcp_server/agent_server.py": "listens for the operator's agents",
    "utils/admin/job_runs.py": "reads this host's name",
    "utils/files/downloading.py": "fetches attachments from Discord",
    "utils/files/page_fetching.py": "fetches the pages that members link to, from public addresses",
    "utils/llm/endpoint.py": "calls the operator's models",
    "utils/mcp/transports.py": "connects to the MCP servers of the operator's list",
}


def test_only_the_model_client_and_what_fetches_files_and_pages_open_connections():
    found = {}
    names = "|".join(map(re.escape, [*CONNECTING, "urllib"]))
    named = re.compile(rf"^\s*(?:import|from)\b.*\b(?:{names})\b", re.MULTILINE)
    for file in sorted([*ROOT.glob("utils/**/*.py"), *ROOT.glob("cogs/**/*.py"), ROOT / "bot.py"]):
        imported: set[str] = set()
        code = file.read_text(encoding="utf-8")
        if not named.search(code):  # parsing takes fifty times as long
            continue
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                imported |= {node.module, f"{node.module}.{node.names[0].name}"}
        if any(name in CONNECTING or name.split(".")[0] in CONNECTING for name in imported):
            found[file.relative_to(ROOT).as_posix()] = imported & CONNECTING
    assert found.keys() == MAY_CONNECT.keys()
