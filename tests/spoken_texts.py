"""Every English text that the cogs say through tr, and every error's sentence, found in the code.

A module that uses tr or respond keeps its texts in constants (a text, or a mapping to texts), or
writes them where they are said. An error's sentence is its first argument, or a constant.
"""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

from utils.common import errors
from utils.common.errors import KithError

ROOT = Path(__file__).resolve().parents[1]
OPERATORS = (
    *(
        "cogs.demo",
        "cogs.cli.doctor",
        "cogs.cli",
        "cogs.bot.login",
        "cogs.bot.localisation",
    ),
    *("cogs.dashboard", "cogs.maintenance.scheduler"),
    *(
        "cogs.cli.history",
        "cogs.cli.databases",
        "utils.memory.history.discord_export",
        "utils.common.config",
    ),
    *(
        "utils.memory.history.import_service",
        "cogs.cli.policy",
        "utils.memory.evaluation.policy_versions",
    ),
    *("utils.memory.evaluation.comparison", "utils.memory.policy.recall_policy_fields"),
    *(
        "cogs.cli.archive",
        "cogs.cli.backup",
        "utils.admin.archive.archive",
        "utils.admin.backups",
        "utils.memory.privacy.erasure_ledger_file",
    ),
    "utils.admin",
    "utils.llm.local_embeddings",
    "utils.database.core.opening",
)
"""What only the operator reads, on the terminal or the dashboard, is English."""
SAYING = {"tr", "_tr", "translate", "respond", "confirm", "ConfirmView"}
NO_TEXTS = ("EVERYTHING", "KINDS")
"""What commands take as it is."""
OPERATORS_ERRORS = (
    "SettingsError",
    "DatabaseUnusable",
    "StaleFence",
    "MessagesLost",
    "LanguageFileError",
)


def modules(folder: str, names: set[str]) -> Iterator[tuple[ModuleType, list[ast.Call]]]:
    """Yield the modules that people on Discord hear from, with their calls of these names."""
    for file in sorted((ROOT / folder).rglob("*.py")):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if not name.startswith(OPERATORS):
            source = file.read_text(encoding="utf-8")
            is_used = any(f"{used}(" in source for used in names)  # parsing takes milliseconds
            calls = _calls_of(source) if is_used else []
            yield importlib.import_module(name), [call for name, call in calls if name in names]


def said_by_cogs() -> dict[str, str]:
    """Return each text said through tr, and where it stands."""
    found: dict[str, str] = {}
    for module, calls in modules("cogs", SAYING):
        own = (
            hasattr(module, "tr")
            or hasattr(module, "respond")
            or module.__name__.endswith(("text", "texts"))
        )
        for name, value in vars(module).items():
            is_text = own and name.isupper() and not name.startswith("_") and name not in NO_TEXTS
            own_name = rf"^(?:[A-Z_]+, )*{name}\b"
            if is_text and re.search(own_name, inspect.getsource(module), re.MULTILINE):
                found |= dict.fromkeys(_texts(value), module.__name__)
        for call in calls:
            said = [getattr(arg, half, arg) for arg in call.args for half in ("body", "orelse")]
            found |= {
                text.value: module.__name__ for text in said if isinstance(text, ast.Constant)
            }
    return {text: where for text, where in found.items() if is_said(text)}


def is_said(text: object) -> bool:
    """Whether it is a text with words; colours have none."""
    return (
        isinstance(text, str)
        and any(map(str.isalpha, text))
        and not re.fullmatch("#[0-9a-f]{6}", text)
    )


def said_by_errors() -> tuple[dict[str, str], list[str]]:
    """Return each error's sentence with where it stands, and where one cannot be translated."""
    kinds = {one.__name__ for one in _subclasses(KithError)} - set(OPERATORS_ERRORS)
    found = {
        value: "utils.common.errors"
        for name, one in vars(errors).items()
        if isinstance(one, type) and issubclass(one, KithError) and name not in OPERATORS_ERRORS
        for attribute, value in vars(one).items()
        if isinstance(value, str) and " " in value and attribute not in ("__doc__", "reason")
    }
    found[errors.UNEXPECTED_ERROR] = "utils.common.errors"
    mixed = []
    for folder in ("cogs", "utils"):
        for module, calls in modules(folder, kinds):
            for call in calls:
                sentence = call.args[0] if call.args else None
                if isinstance(sentence, ast.Constant):
                    found[sentence.value] = module.__name__
                elif isinstance(sentence, ast.Name) and hasattr(module, sentence.id):
                    found[getattr(module, sentence.id)] = module.__name__
                elif sentence is not None:
                    mixed.append(f"{module.__name__}:{call.lineno}")
    return found, mixed


def unfixed_sentences() -> list[str]:
    """Return where an error's sentence is an f-string, which no translation can be found for."""
    kinds = {one.__name__ for one in _subclasses(KithError)} - set(OPERATORS_ERRORS)
    return [
        f"{module.__name__}:{call.lineno}"
        for folder in ("cogs", "utils")
        for module, calls in modules(folder, kinds)
        for call in calls
        if call.args and isinstance(call.args[0], ast.JoinedStr)
    ]


def lines_of(text: str) -> list[str]:
    """Return the lines that a translation may be given for one by one."""
    return [line for line in text.split("\n") if line.strip()]


@cache
def _calls_of(source: str) -> list[tuple[str, ast.Call]]:
    """Return the calls of plain names and of methods, each with its name."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [(getattr(call.func, "id", getattr(call.func, "attr", "")), call) for call in calls]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)


def _subclasses(kind: type) -> Iterator[type]:
    yield kind
    for one in kind.__subclasses__():
        yield from _subclasses(one)
