"""The language of the pages: who gets which, and how numbers, dates and texts are written in it."""

import ast
import string
from datetime import date

from jinja2 import nodes
from markupsafe import Markup

from cogs.dashboard.moderator_pages import channels
from cogs.dashboard.moderator_pages import memory as memory_form
from cogs.dashboard.moderator_pages.presets import PRESETS
from cogs.dashboard.pages import (
    editing,
    layout,
    memory,
    overview,
    recall,
    recall_policy,
    review,
    watching,
    write_policy,
)
from cogs.dashboard.pages.layout import HERE, environment
from cogs.dashboard.web import charts, language
from cogs.dashboard.web.language import languages
from tests.spoken_texts import ROOT, is_said
from utils.admin import health
from utils.common.config import SECTIONS, setting_texts
from utils.common.errors import BadInput
from utils.memory.policy.policy_form import BAD_LIFETIME
from utils.models.alert import AlertState
from utils.models.guild import Purpose
from utils.models.memory import Consent, Kind, Method, Source, Status
from utils.models.recall import Omission
from utils.models.sentiment import AlertTrigger
from utils.runtime.metrics import PURPOSES

TABLES = (
    *(dict(layout.PAGES), layout.DONE, review.DECIDED, recall.CUTS, overview.AGES),
    *(memory.READ_BY, memory.VERIFIED_BY, watching.ACTIONS),
    *(write_policy.LABELS, recall_policy.TERMS, recall_policy.BLOCK, recall_policy.RANKING),
    *(
        editing.SETTING_LABELS,
        channels.LISTS,
        memory_form.SWITCHES,
        {preset.name: preset.lead for preset in PRESETS.values()},
    ),
    dict(layout.MODERATOR_PAGES),
)


def test_values_are_escaped_unless_they_are_markup():
    text = language.t("`{a}` & {b}", a="<i>", b=Markup("<b>x</b>"))
    assert text == "<code>&lt;i&gt;</code> &amp; <b>x</b>"
    assert language.t("<script>{b}", b="`x`") == "&lt;script&gt;`x`"


def test_english_pages_write_percentages_and_kinds_as_english_does():
    assert language.written(0.9, ".0%") == "90%"
    assert language.tr(Kind.SERVER_FACT) == "server fact"


def test_german_pages_write_axes_and_kinds_in_errors_as_german_does(monkeypatch):
    monkeypatch.setattr(language, "current", lambda: languages()["de"])
    chart = charts.daily("a", "b", {(day := date(2026, 11, 30), "fact"): 1_800}, last=day, days=1)
    assert "1,5k" in chart.scale and language.day(day) == "30. Nov. 2026"
    assert "Fakt" in language.sentence_of(BadInput(BAD_LIFETIME, kind=Kind.FACT, most=9))


def texts_of(node: nodes.Node):
    """Yield the constant texts that an argument may be."""
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, nodes.CondExpr | nodes.Or):
        for part in node.iter_child_nodes():
            yield from texts_of(part)


def said_by_templates() -> set[str]:
    """Return every text that a template gives to t() or tn(), or to a macro that does."""
    found: set[str] = set()
    for file in sorted((HERE / "templates").glob("*.html")):
        tree = environment().parse(file.read_text(encoding="utf-8"))
        for call in tree.find_all(nodes.Call):
            name = call.node.name if isinstance(call.node, nodes.Name) else ""
            places = {"t": (0,), "tn": (1, 2), "field": (1,), "choice": (1, 4), "link": (1,)}
            places |= {"bar_table": (0, 2, 3), "columns": (1,), "number_field": (1,)}
            for place in places.get(name, ()):
                if place < len(call.args):
                    found.update(texts_of(call.args[place]))
            for option in call.kwargs:
                if option.key in ("hint", "any"):
                    found.update(texts_of(option.value))
    return {text for text in found if is_said(text)}


def said_by_pages() -> set[str]:
    """Return every text that a module of the dashboard gives to tr() or plural()."""
    found: set[str] = set()
    for file in sorted((ROOT / "cogs" / "dashboard").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                places = {"tr": slice(1), "plural": slice(1, 3)}.get(node.func.id, slice(0))
                for arg in node.args[places]:
                    parts = [arg.body, arg.orelse] if isinstance(arg, ast.IfExp) else [arg]
                    found.update(part.value for part in parts if isinstance(part, ast.Constant))
    return {text for text in found if is_said(text)}


def said_by_forms() -> set[str]:
    """The titles, labels, hints and constants of moderators' forms and of entrances."""
    places = {"Section": slice(1, 4), "Field": slice(2, 3), "entrance": slice(1, 3)}
    places["channel_field"] = slice(1, 3)
    found: set[object] = set()
    for file in (*(HERE / "moderator_pages").glob("*.py"), HERE / "member_pages" / "pages.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                args = node.args[places.get(node.func.id, slice(0))]
                args += [word.value for word in node.keywords if word.arg in ("lead", "hint")]
                found.update(arg.value for arg in args if isinstance(arg, ast.Constant))
            elif isinstance(node, ast.Assign) and " " in str(getattr(node.value, "value", "")):
                found.add(node.value.value)
    return {text for text in found if isinstance(text, str) and is_said(text)}


def test_every_text_of_the_pages_is_translated_with_the_same_slots():
    german = languages()["de"].texts
    enums = (Kind, Status, Source, Consent, Method, Omission, Purpose)
    values = {value for enum in (*enums, AlertState, AlertTrigger) for value in enum}
    texts = (
        said_by_templates()
        | said_by_pages()
        | said_by_forms()
        | {*SECTIONS.values(), *PURPOSES}
        | values
    )
    texts |= {text.summary for text in setting_texts().values()}
    texts |= {
        value for name, value in vars(health).items() if name.isupper() and isinstance(value, str)
    }
    texts |= {text for texts_by_key in TABLES for text in texts_by_key.values()}
    assert len(texts) > 300
    assert sorted(text for text in texts if text not in german) == []
    for english, translation in german.items():
        assert slots(english) == slots(translation), english


def slots(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
