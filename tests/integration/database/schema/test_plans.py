"""SQLite finds rows by their own ids, and does not go through all that a server has."""

from unittest.mock import Mock

import pytest

from tests.fakes.builders import ADA, GUILD, NOON, make_event
from tests.integration.database.erasure.test_note_context import add_note
from utils.database.admin import archive_export
from utils.database.core.queries import rows_for
from utils.database.erasure import confidences, dependants
from utils.database.erasure.inventory import Part
from utils.database.memories import review_queue
from utils.database.messages import answer_sources, changes, events, pending_answers, summaries
from utils.database.schema.memory_tables import answer_source
from utils.database.sentiment import alerts
from utils.models.provenance import SourceKind


@pytest.mark.parametrize(
    "unit",
    [
        lambda s: alerts._alert(s, Mock(GuildId=GUILD, Id=1)),
        lambda s: archive_export.part_lines(s, ADA, NOON, Part.MEMORIES),
        lambda s: changes.authors_of(s, GUILD, [1, 2]),
        lambda s: dependants.blank(s, GUILD, [1, 2]),
        lambda s: dependants.is_quoted_before(s, make_event("", revision=1)),
        lambda s: dependants.words_of_messages(s, GUILD, [1, 2]),
        lambda s: answer_sources.load(s, GUILD, [(SourceKind.MESSAGE, 1)]),
        lambda s: events.author_of_prompt(s, GUILD, 1),
        lambda s: pending_answers.load_due(s, NOON, 9),
        lambda s: summaries.withhold(s, GUILD, [1, 2]),
        lambda s: review_queue.load_review(s, GUILD, 1, NOON),
        lambda s: rows_for(
            s,
            confidences._RESTING.where(answer_source.c.Kind == SourceKind.MESSAGE),
            [1, 2],
            guild_id=GUILD,
        ),
    ],
)
async def test_what_is_known_by_its_id_is_found_by_it(sqlite_database, unit):
    def plans(connection):
        add_note(connection, ADA, 1)
        driver, texts = connection.connection.dbapi_connection, []
        driver.set_trace_callback(texts.append)
        unit(connection)
        driver.set_trace_callback(None)
        return [
            (plan, plan.endswith("(GuildId=?)") or plan.startswith("SCAN"))
            for text in texts
            for *_, plan in driver.execute(f"EXPLAIN QUERY PLAN {text}")
        ]

    found = await sqlite_database.write(plans)
    assert found == [(plan, False) for plan, _ in found] != []
