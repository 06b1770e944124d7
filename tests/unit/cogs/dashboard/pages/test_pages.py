"""What the dashboard's pages reckon: charts, forms, differences, and how values are written."""

from datetime import UTC, date, datetime, timedelta
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.dashboard.pages import recall_policy
from cogs.dashboard.pages.layout import number
from cogs.dashboard.pages.members import difference, history
from cogs.dashboard.pages.memory import _end_of
from cogs.dashboard.pages.settings import grouped
from cogs.dashboard.pages.write_policy import differences, form_values, parse_form
from cogs.dashboard.web import charts
from cogs.dashboard.web.language import ago
from tests.rows import each_row
from tests.unit.memory.policy.test_recall_policy_fields import POLICIES
from utils.common.config import Settings
from utils.common.errors import BadInput
from utils.memory.policy.policy_form import choose
from utils.memory.policy.recall_policy_fields import with_fields
from utils.models.memory import MAX_PROFILE_VERSIONS, Kind, ProfileVersion
from utils.models.policy import WriteMode, WritePolicy

TODAY = date(2026, 11, 21)
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
WORDS = st.text(alphabet="ab \n<>", max_size=40)


def test_a_days_column_is_as_high_as_its_share_of_the_highest_mark():
    counted = {(TODAY, "fact"): 3, (TODAY, "task"): 1, (date(2026, 11, 20), "fact"): 2}
    drawn = charts.daily("Learnt", "memories", counted, last=TODAY, days=7)
    assert drawn.names == ("fact", "task")
    assert (drawn.maximum, len(drawn.days), drawn.days[-1]) == (4, 7, TODAY)
    plot = ElementTree.fromstring(drawn.plot)
    rects = list(plot.iter("rect"))
    blocks = [block for block in rects if block.get("class") != charts.HOVER]
    full = charts.BOTTOM - charts.TOP
    assert [(block.get("class"), float(block.get("height"))) for block in blocks] == [
        ("c1", full / 2),
        ("c1", full * 3 / 4),
        ("c2", full / 4),
    ]
    assert float(blocks[-1].get("y")) == charts.TOP  # reaches the highest mark
    assert [title.text for title in plot.iter("title")][-3:] == [
        "19 Nov: 0",
        "20 Nov: 2\nfact: 2",
        "21 Nov: 4\nfact: 3\ntask: 1",
    ]
    assert plot.get("aria-label") == "Learnt: 6 memories in 7 days, at most 4 a day."
    assert [text.text for text in ElementTree.fromstring(drawn.scale).iter("text")] == list("01234")
    assert [text.text for text in plot.iter("text")] == ["16 Nov", "18 Nov", "20 Nov", "2", "4"]


def test_a_column_among_many_says_its_day_and_value_above_the_chart_while_pointed_at():
    drawn = charts.daily("Learnt", "memories", {(TODAY, "fact"): 1500}, last=TODAY, days=30)
    shapes = list(ElementTree.fromstring(drawn.plot))
    columns = [shape.get("class") == charts.HOVER for shape in shapes]
    read_off = [shapes[place + 1] for place, is_column in enumerate(columns) if is_column]
    assert len(read_off) == 30
    assert {text.get("class") for text in read_off} == {charts.VALUE}
    assert (read_off[-1].text, read_off[-1].get("text-anchor")) == ("21 Nov: 1,500", "end")
    assert (read_off[0].text, read_off[0].get("text-anchor")) == ("23 Oct: 0", "start")


def test_names_in_a_chart_are_text_not_markup():
    counted = {(TODAY, "<b>&'\""): 1, (TODAY, "fact"): 1}
    drawn = charts.daily("<i>", "memories", counted, last=TODAY, days=1)
    plot = ElementTree.fromstring(drawn.plot)
    assert plot.find(".//title").text == "21 Nov: 2\n<b>&'\": 1\nfact: 1"
    assert plot.get("aria-label").startswith("<i>: 2 memories")


def test_parts_beyond_the_colours_share_one_and_no_count_is_lost():
    counted = {(TODAY, f"reason {n}"): n for n in range(1, 13)}
    drawn = charts.daily("Refused", "times", counted, last=TODAY, days=2)
    assert len(drawn.names) == charts.COLOURS
    assert drawn.names[-1] == charts.REST
    assert sum(drawn.values[-1]) == sum(range(1, 13))
    rows = charts.largest_first({f"reason {n}": n for n in range(1, 13)}, limit=3)
    assert [row.label for row in rows] == ["reason 12", "reason 11", "reason 10", charts.REST]
    assert sum(row.value for row in rows) == sum(range(1, 13))


def test_nothing_counted_draws_nothing():
    drawn = charts.daily("Learnt", "memories", {}, last=TODAY, days=7)
    assert drawn.maximum == 0
    assert 'class="c1"' not in drawn.plot
    assert charts.bars({}) == []
    assert [row.share for row in charts.bars({"day": 0})] == [0]


@given(WORDS, WORDS)
def test_a_difference_holds_all_of_both_texts(before, after):
    pieces = difference(before, after)
    old = " ".join(piece.words for piece in pieces if piece.fate != "new")
    new = " ".join(piece.words for piece in pieces if piece.fate != "gone")
    assert (old.split(), new.split()) == (before.split(), after.split())


def test_a_difference_shows_only_what_differs():
    pieces = difference("lives in Bristol now", "lives in Cardiff now")
    assert [(piece.fate, piece.words.strip()) for piece in pieces] == [
        ("same", "lives in"),
        ("gone", "Bristol"),
        ("new", "Cardiff"),
        ("same", "now"),
    ]
    pieces = difference("Owns a dog. Lives in Rome.", "Owns a dog.")
    assert [(piece.fate, piece.words) for piece in pieces] == [
        ("same", "Owns a dog."),
        ("gone", "Lives in Rome."),
    ]


def test_the_first_edition_of_a_profile_is_all_new_unless_there_may_be_earlier_ones():
    told = [
        ProfileVersion(NOON - timedelta(days=n), f"Owns {20 - n} hats.")
        for n in range(MAX_PROFILE_VERSIONS)
    ]
    assert [one.since for one in history(told)] == [one.since for one in told[:-1]]
    assert [piece.fate for piece in history(told)[-1].pieces] == ["same", "gone", "new", "same"]
    assert [piece.fate for piece in history(told[1:])[-1].pieces] == ["new"]


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


def test_a_policys_differences_are_named_in_words():
    lines = differences(form_values(WritePolicy()), form_values(CHOSEN))
    assert [(line.label, line.before, line.after) for line in lines] == [
        (
            "New memories are",
            "used at once (auto)",
            "used once a moderator approved them (manual)",
        ),
        ("In use from", "0.8", "0.9"),
        ("Kinds that wait for approval", "none", "fact, task"),
        ("Kinds that are never learned", "none", "episode, lore"),
        ("Recall", "on", "off"),
        ("Maximum lifetime in days: task", "none", "7"),
    ]
    assert (
        differences({"cap": "500"} | form_values(CHOSEN), form_values(CHOSEN) | {"cap": "500.0"})
        == []
    )


@given(POLICIES)
def test_recalls_policy_stays_as_it_is_through_its_form(policy):
    assert with_fields(recall_policy.parse_form(recall_policy.form_values(policy))) == policy


@each_row("typed", ["1e3", "٣", "--1", "1 2", "x", "9" * 21, str(2**63)])
def test_what_is_no_id_is_refused_in_a_sentence(typed):
    with pytest.raises(BadInput, match="A member must be a number"):
        number(typed, "A member")


@each_row(("typed", "read"), [("", None), (" ", None), (" 12 ", 12), ("-1", -1)])
def test_a_number_is_read_as_typed(typed, read):
    assert number(typed, "A member") == read


def test_a_memory_lives_through_the_day_that_was_chosen():
    assert _end_of("2026-12-24") == datetime(2026, 12, 24, 23, 59, 59, 999999, tzinfo=UTC)
    assert _end_of("") is None
    for typed in ("24.12.2026", "2026-02-30", "9999-99-99", "soon"):
        with pytest.raises(BadInput, match="That is not a date"):
            _end_of(typed)


@each_row(
    ("seconds", "told"),
    [
        (0, "just now"),
        (59, "just now"),
        (-30, "in a moment"),
        (60, "1 minute ago"),
        (7200, "2 hours ago"),
        (-86_400, "in 1 day"),
    ],
)
def test_times_are_told_from_now(seconds, told):
    assert ago(NOON - timedelta(seconds=seconds), NOON) == told


def test_no_secret_is_in_the_settings_that_are_shown():
    settings = Settings(
        _env_file=None,
        discord_token="dt-secret",
        openai_api_key="ak-secret",
        openai_base_url="https://user:pw-secret@models.example/v1?key=secret",
        database_url="mssql+pyodbc://sa:pw-secret@db.example/kith?PWD=secret",
        dashboard_token="dash-secret-of-length",
    )
    shown = {name: value for _, values in grouped(settings) for name, value in values}
    assert "secret" not in str(shown)
    assert shown["discord_token"] == shown["dashboard_token"] == "set (not shown)"
    assert shown["openai_base_url"] == "https://models.example/v1"
    assert shown["database_url"] == "mssql+pyodbc://db.example/kith"
    assert shown["embedding_api_key"] == "not set"
    assert set(shown) == set(Settings.model_fields)
