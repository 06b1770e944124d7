"""Reports of jobs and lines of doctor are German on German pages, whoever wrote them in English."""

from collections import Counter
from dataclasses import fields

import pytest

from cogs.bot import login
from cogs.cli import doctor
from cogs.dashboard.web import language
from cogs.dashboard.web.language import languages
from cogs.dashboard.web.reports import finding, report
from tests.english_finder import english_in
from tests.rows import each_row
from utils.admin.job_runs import append_shards
from utils.common import env_file
from utils.database.schema import fts_index
from utils.files.web_pages import NO_PAGES
from utils.memory.evaluation.drift import DriftReport
from utils.memory.privacy.prune_report import PruneReport

EVERYTHING = PruneReport(**{field.name: Counter({1: 3}) for field in fields(PruneReport)})
DRIFT = DriftReport(7, 0.31, rolled_back_to=8)
DOCTOR = (
    *doctor.LINKS.values(),
    *(doctor.READ_ONLY, doctor.WITHOUT_V1, doctor.MODEL_AWAY, doctor.NO_FILES, NO_PAGES),
    *(doctor.EMBEDDING_AWAY, doctor.EMBEDDING_MALFORMED, fts_index.THERE, fts_index.NOT_THERE),
    *(env_file.UNREADABLE, env_file.NO_VALUE, env_file.MISTYPED, env_file.REPEATED),
    env_file.UNKNOWN,
    *(login.NOT_CONFIGURED, login.LOGIN_REFUSED, login.AWAY),
)
UNKNOWN_LINE = env_file.UNKNOWN.format(file=".env", line=3, name="FOO")


@pytest.fixture
def german():
    language.use(languages()["de"])
    yield
    language.use(language.ENGLISH)


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        (str(EVERYTHING), "3 abgelaufene und 3 überzählige Erinnerungen entfernt, 3 alte"),
        (
            str(DRIFT),
            "Version 7: 0,31 (Abweichung unter 0,80); zurückgesetzt (jetzt 8)",
        ),
        (
            "counted 1,057 memories of 13 members in 1 server",
            "1.057 Erinnerungen von 13 Mitgliedern auf",
        ),
        (append_shards("connected, latency 45 ms", (0, 2), 4), "verbunden, Latenz 45 ms, Shards 0"),
        (str(DriftReport(7)), "nichts zu vergleichen"),
        (append_shards("connected, latency 45 ms", (0, 1), 4), "verbunden, Latenz 45 ms, Shards"),
        ("not connected", "nicht verbunden"),
        ("model is 5", "model is 5"),
        ("12", "12"),
    ],
)
def test_reports_of_jobs_are_translated_in_their_parts(german, text, translation):
    shown = report(text).striptags()
    assert shown.startswith(translation)
    assert text == translation or english_in(shown) == []


@pytest.mark.parametrize(
    ("line", "translation"),
    [
        ("✓ settings: valid", "✓ Einstellungen: gültig"),
        (f"✗ settings: {UNKNOWN_LINE}", "✗ Einstellungen: .env, Zeile 3: FOO ist keine"),
        ("✓ model: gpt-4.1-mini at 127.0.0.1 answered.", "✓ Modell: gpt-4.1-mini auf 127"),
        (
            "✓ discord: the token is Kith#1's; the Message Content intent is on. Invite it with x",
            "✓ Discord: das Token gehört Kith#1; der Message Content Intent ist an. Einladungslink",
        ),
        ("– recall: Done: model: settings", "– Abruf: Done: model: settings"),
    ],
)
def test_lines_of_doctor_are_translated_but_not_the_names_in_them(german, line, translation):
    assert finding(line).striptags().startswith(translation)


def test_what_stays_english_says_so_and_everything_is_escaped(german):
    assert report("<b>no such text</b>") == ('<bdi lang="en">&lt;b&gt;no such text&lt;/b&gt;</bdi>')
    assert report("{count} old messages erased") == ("<bdi>{count} alte Nachrichten gelöscht</bdi>")


def test_an_english_page_shows_them_as_they_are():
    assert report(str(EVERYTHING)) == f"<bdi>{EVERYTHING}</bdi>"
    assert finding("✓ settings: valid") == "✓ settings: <bdi>valid</bdi>"


@each_row("sentence", DOCTOR)
def test_every_sentence_of_doctor_is_translated(sentence):
    assert sentence in languages()["de"].reports
