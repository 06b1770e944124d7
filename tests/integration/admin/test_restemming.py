"""Stored stems are made anew once another version of the stemmer is installed."""

from functools import partial

import pytest
from sqlalchemy import update

from tests.fakes.builders import ADA, make_infrastructure, make_rules
from tests.fakes.clock import ManualClock
from tests.integration.memory.member_data.test_search import remember
from tests.integration.memory.member_data.test_stored_messages import say
from tests.integration.stored_rows import in_order
from utils.admin.job_runs import JobRuns
from utils.admin.restemming import restem_if_due
from utils.database.admin import jobs
from utils.database.memories import members
from utils.database.schema.memory_tables import memory_event, user_memory
from utils.models.memory import SERVER_USER_ID, Member
from utils.nlp.confidential import MARK

OLD = "hav dogg rexx"


@pytest.fixture
def of_this_version(database):
    job_runs = JobRuns(make_infrastructure(database, ManualClock()), make_rules())
    return partial(restem_if_due, database, job_runs)


async def store(database, memory_stems, event_stems):
    await remember(database, "has a dog named Rex")
    await say(database, "My dog is named Rex")
    await database.write(
        lambda connection: (
            connection.execute(update(user_memory).values(SearchStems=memory_stems)),
            connection.execute(update(memory_event).values(Stems=event_stems)),
        )
    )


async def test_stems_of_another_version_are_replaced_and_marks_and_other_lines_stay(
    database, of_this_version
):
    await store(database, f"{OLD}\n{MARK} rests\nbefore", f"{OLD} {MARK}:7")
    server = Member(ADA.guild_id, SERVER_USER_ID)
    before = await database.read(members.load_header, server)
    await database.write(jobs.record_success, "restem", ManualClock().now(), "PyStemmer 2.0")
    await of_this_version()
    for column, stems in (
        (user_memory.c.SearchStems, f"dog name rex\n{MARK} rests\nbefore"),
        (memory_event.c.Stems, f"dog name rex {MARK}:7"),
    ):
        assert await database.read(in_order, column) == [stems]
    assert (await database.read(members.load_header, server)).version > before.version
