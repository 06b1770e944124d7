"""What the dashboard's pages reckon: charts, forms, differences, and how values are written."""

from datetime import UTC, date, datetime
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.dashboard.pages import recall_policy
from cogs.dashboard.pages.members import difference
from cogs.dashboard.pages.memory import _end_of
from cogs.dashboard.pages.settings import by_section
from cogs.dashboard.pages.write_policy import form_values, parse_form
from cogs.dashboard.web import charts
from tests.rows import each_row
from tests.unit.memory.policy.test_recall_policy_fields import POLICIES
from utils.common.config import Settings
from utils.common.errors import BadInput
from utils.memory.policy.policy_form import choose
from utils.memory.policy.recall_policy_fields import with_fields
from utils.models.memory import Kind
from utils.models.policy import WriteMode, WritePolicy

TODAY = date(2026, 11, 21)
WORDS = st.text(alphabet="ab \n<>", max_size=40)


def test_names_in_a_chart_are_text_not_markup():
    counted = {(TODAY, "<b>&'\""): 1, (TODAY, "fact"): 1}
    drawn = charts.daily("<i>", "memories", counted, last=TODAY, days=1)
    plot = ElementTree.fromstring(drawn.plot)
    assert plot.find(".//title").text == "21 Nov: 2\n<b>&'\": 1\nfact: 1"
    assert plot.get("aria-label").startswith("<i>: 2 memories")


@given(WORDS, WORDS)
def test_a_difference_holds_all_of_both_texts(before, after):
    pieces = difference(before, after)
    old = " ".join(words for fate, words in pieces if fate != "new")
    new = " ".join(words for fate, words in pieces if fate != "gone")
    assert (old.split(), new.split()) == (before.split(), after.split())


CHOSEN = WritePolicy(
    mode=WriteMode.MANUAL,
    active_from=0.9,
    approve_kinds=frozenset({Kind.FACT, Kind.TASK}),
    refused_kinds=frozenset({Kind.LORE, Kind.EPISODE}),
    longest_days={Kind.TASK: 7},
    recall=False,
)


@each_row("policy", [WritePolicy(), CHOSEN])
def test_a_policy_stays_as_it_is_through_its_form(policy):
    for before in (WritePolicy(), CHOSEN):
        assert choose(before, parse_form(form_values(policy)), max_cap=500) == policy


@given(POLICIES)
def test_recalls_policy_stays_as_it_is_through_its_form(policy):
    assert with_fields(recall_policy.parse_form(recall_policy.form_values(policy))) == policy


def test_a_memory_lives_through_the_day_that_was_chosen():
    assert _end_of("2026-12-24") == datetime(2026, 12, 24, 23, 59, 59, 999999, tzinfo=UTC)
    assert _end_of("") is None
    for typed in ("24.12.2026", "2026-02-30", "9999-99-99", "soon"):
        with pytest.raises(BadInput, match="That is not a date"):
            _end_of(typed)


def test_no_secret_is_in_the_settings_that_are_shown():
    settings = Settings(
        _env_file=None,
        discord_token="dt-secret",
        openai_api_key="ak-secret",
        openai_base_url="https://user:pw-secret@models.example/v1?key=secret",
        database_url="mssql+pyodbc://sa:pw-secret@db.example/kith?PWD=secret",
        dashboard_token="dash-secret-of-length",
    )
    shown = {name: value for values in by_section(settings).values() for name, value in values}
    assert "secret" not in str(shown)
    assert shown["discord_token"] == shown["dashboard_token"] == "set (not shown)"
    assert shown["openai_base_url"] == "https://models.example/v1"
    assert shown["database_url"] == "mssql+pyodbc://db.example/kith"
    assert shown["embedding_api_key"] == "not set"
    assert set(shown) == set(Settings.model_fields)
