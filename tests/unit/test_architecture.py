"""Imports run downwards only, rooms stay small, and the three doors of memory stay apart."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted([ROOT / "bot.py", *ROOT.glob("cogs/**/*.py"), *ROOT.glob("utils/**/*.py")])
MOST_LINES = 400
MOST_METHODS = 10

# What stands higher may import what stands lower (or beside it).
LAYERS = {
    "bot": 9,
    "cogs": 8,
    "utils.core": 7,
    "utils.assembly": 7,
    "utils.conversation": 6,
    "utils.wording": 6,
    "utils.plain_wishes": 6,
    "utils.acquaintances": 6,
    "utils.names": 5,
    "utils.drama_tracker": 6,
    "utils.upkeep": 6,
    "utils.health": 6,
    "utils.archive": 6,
    "utils.archive_files": 1,
    "utils.arrival": 6,
    "utils.backups": 6,
    "utils.chat_tools": 6,
    "utils.guild_book": 6,
    "utils.browsing": 6,
    "utils.link_book": 6,
    "utils.read_policies": 6,
    "utils.drift": 6,
    "utils.policy_trials": 6,
    "utils.watching": 6,
    "utils.persona_book": 6,
    "utils.manners": 5,
    "utils.output_check": 5,
    "utils.memory": 5,
    "utils.budget": 4,
    "utils.leases": 4,
    "utils.tally": 4,
    "utils.metrics": 4,
    "utils.stalls": 0,
    "utils.inquiry": 0,
    "utils.ledger": 4,
    "utils.ledger_file": 1,
    "utils.llm": 3,
    "utils.files": 2,
    "utils.database": 3,
    "utils.prompts": 1,
    "utils.model": 1,
    "utils.message_split": 1,
    "utils.text": 0,
    "utils.errors": 0,
    "utils.clock": 0,
    "utils.token_calibration": 0,
    "utils.config": 0,
    "utils.shards": 0,
    "utils": 0,
}


def name_of(file):
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer(module):
    parts = module.split(".")
    if parts[0] == "utils" and len(parts) > 1:
        parts = [parts[0], parts[1].partition("_")[0] if parts[1].startswith("llm_") else parts[1]]
        assert ".".join(parts) in LAYERS, f"{module} has no place in the house: give it one"
        return LAYERS[".".join(parts)]
    return LAYERS[parts[0]]


@cache
def parsed(file):
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def imports(file):
    """Every module a file imports at run time, with ``from a import b`` as a.b where b is one."""
    found = set()

    def visit(node):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            for one in node.orelse:
                visit(one)
            return
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                path = ROOT / inner.replace(".", "/")
                is_module = path.with_suffix(".py").exists() or (path / "__init__.py").exists()
                found.add(inner if is_module else node.module)
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(parsed(file))
    return found


def own(modules):
    return {module for module in modules if module.split(".")[0] in {"bot", "cogs", "utils"}}


def is_in(module, *packages):
    return any(module == package or module.startswith(f"{package}.") for package in packages)


EVERY = pytest.mark.parametrize("file", FILES, ids=name_of)


@EVERY
def test_imports_run_downwards_only(file):
    name = name_of(file)
    for module in own(imports(file)):
        assert layer(module) <= layer(name), f"{name} imports {module}, which stands above it"


@EVERY
def test_no_module_has_more_than_400_lines(file):
    assert len(file.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@EVERY
def test_discord_and_sql_stay_in_their_rooms(file):
    name, used = name_of(file), imports(file)
    if is_in(name, "utils"):
        assert not [module for module in used if is_in(module, "discord")]
    if not is_in(name, "utils.database"):
        assert not [module for module in used if is_in(module, "sqlalchemy", "alembic", "pyodbc")]
    if not is_in(name, "utils.llm_endpoint", "utils.llm_wire"):
        assert not [module for module in used if is_in(module, "openai", "httpx2")]


@EVERY
def test_cogs_open_no_session_and_know_no_rules_of_memory(file):
    if not is_in(name_of(file), "cogs"):
        return
    doors = ("reader", "keeper", "recorder", "search")
    allowed = {f"utils.memory.{door}" for door in doors}
    used = imports(file)
    assert not [module for module in used if is_in(module, "utils.database")]
    assert not [
        module for module in used if is_in(module, "utils.memory") and module not in allowed
    ]
    words = ast.dump(parsed(file))
    for method in ("read", "write"):
        assert f"attr='database', ctx=Load()), attr='{method}'" not in words


def public_methods(module, name):
    tree = parsed(ROOT / f"utils/memory/{module}.py")
    (found,) = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name]
    functions = [n for n in found.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return [one.name for one in functions if not one.name.startswith("_")]


@pytest.mark.parametrize(
    ("module", "name"), [("recorder", "Recorder"), ("reader", "Reader"), ("keeper", "Keeper")]
)
def test_a_door_of_memory_has_at_most_ten_public_methods(module, name):
    assert 1 <= len(public_methods(module, name)) <= MOST_METHODS


@pytest.mark.parametrize("module", ["recorder", "reader", "keeper"])
def test_the_doors_of_memory_share_tables_and_never_each_other(module):
    others = {"recorder", "reader", "keeper"} - {module}
    used = imports(ROOT / f"utils/memory/{module}.py")
    assert not used & {f"utils.memory.{other}" for other in others}


def test_the_pure_rooms_use_no_clock_and_no_database():
    rooms = ("decide", "grounding", "safety", "policy", "profile", "ranking", "envelope")
    trials = ("policy_json", "composing", "replay", "tune", "bootstrap", "divergence")
    for module in (*rooms, *trials, "boundaries", "topic_markers"):
        used = imports(ROOT / f"utils/memory/{module}.py")
        impure = ("utils.database", "utils.clock", "asyncio", "logging", "time", "random")
        assert not [one for one in used if is_in(one, *impure)]


def test_only_the_clock_takes_the_time():
    for file in FILES:
        if name_of(file) == "utils.clock":
            continue
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                called = ast.unparse(node.func)
                assert called not in {
                    "datetime.now",
                    "datetime.utcnow",
                    "date.today",
                    "time.time",
                    "time.monotonic",
                    "time.perf_counter",
                }, f"{name_of(file)} calls {called}"
