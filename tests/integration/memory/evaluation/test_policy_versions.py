"""The policies of recall: applied and rolled back at once in every process, with who and why."""

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update

from tests.fakes.builders import (
    ADA,
    CHANNEL,
    GUILD,
    NOON,
    audience,
    make_candidate,
    make_memory_service,
    make_reader,
)
from tests.integration.memory.recall.test_reader import ADA_HERE, learn
from utils.common.errors import BadInput, Conflict
from utils.database.schema.memory_tables import read_policy_version
from utils.memory.evaluation.policy_versions import UNREADABLE, RecallPolicyVersions
from utils.memory.policy.recall_policy import RecallPolicy
from utils.models.guild import GuildSettings
from utils.models.memory import Consent, Kind

SMALL = RecallPolicy(most_items=1, most_recent=0)
WHO = {"actor": "command line", "reason": "a test"}


async def rows_recalled(reader):
    recall = await reader.recall(
        audience(CHANNEL), [ADA_HERE], "tea and coffee?", settings=GuildSettings(GUILD)
    )
    return len(recall.rows)


async def test_a_policy_applied_in_one_process_rules_the_next_recall_of_another(
    database, other, clock, policies
):
    await make_memory_service(database, clock).set_consent(ADA, Consent.LASTING)
    for text in ("loves green tea", "loves strong coffee"):
        await learn(database, make_candidate(text, kind=Kind.PREFERENCE))
    reader = make_reader(other, clock)
    assert await rows_recalled(reader) == 2
    assert (await policies.apply(SMALL, **WHO)).version == 1
    assert await rows_recalled(reader) == 1
    assert (await policies.rollback(**WHO)).version == 2
    assert await rows_recalled(reader) == 2


async def test_every_change_is_a_version_with_who_when_and_why(policies, clock):
    await policies.apply(SMALL, **WHO)
    clock.advance(days=1)
    wide = replace(SMALL, block_tokens=600)
    await policies.apply(wide, actor="dashboard", reason="more\nroom\x00", rolls_back=True)
    held = await policies.active()
    assert (held.version, held.policy, held.since) == (2, wide, NOON + timedelta(days=1))
    assert (held.actor, held.reason, held.rolls_back) == ("dashboard", "more room", True)
    found = await policies.versions()
    assert [(one.version, one.previous) for one in found] == [(2, 1), (1, 0), (0, None)]
    assert await policies.get(1) == SMALL
    assert await policies.get(0) == RecallPolicy()


async def test_rolling_back_goes_a_step_further_each_time_to_the_standard_policy(policies):
    await policies.apply(SMALL, **WHO)
    await policies.apply(replace(SMALL, block_tokens=600), **WHO)
    await policies.start_shadow(replace(SMALL, block_tokens=300), 3, **WHO)
    assert (await policies.rollback(**WHO)).version == 4
    assert (await policies.active()).policy == SMALL
    assert (await policies.active()).reason == "back to version 1: a test"
    await policies.rollback(**WHO)
    assert (await policies.active()).policy == RecallPolicy()
    with pytest.raises(BadInput, match="nothing to roll back"):
        await policies.rollback(**WHO)
    with pytest.raises(BadInput, match="Version 5 is active now"):
        await policies.rollback(**WHO, only=4)


async def test_fields_are_changed_in_what_holds_at_that_moment(policies):
    made = await asyncio.gather(
        policies.apply({"block_tokens": 450}, **WHO), policies.apply({"asking.text": 0.9}, **WHO)
    )
    assert sorted(one.version for one in made) == [1, 2]
    held = (await policies.active()).policy
    assert (held.block_tokens, held.asking.text) == (450, 0.9)
    last = max(made, key=lambda one: one.version)
    assert (await policies.get(1), held) == (last.before, last.policy)
    with pytest.raises(BadInput, match=r"no field 'asking\.luck'"):
        await policies.apply({"asking.luck": 1}, **WHO)


async def test_a_change_on_top_of_what_holds_no_more_is_refused(policies):
    await policies.apply(SMALL, **WHO, only=0)
    for act in (
        policies.apply({"block_tokens": 450}, **WHO, only=0),
        policies.apply(0, **WHO, only=7),
        policies.start_shadow({"block_tokens": 450}, 3, **WHO, only=0),
    ):
        with pytest.raises(Conflict, match="Version 1 is active now"):
            await act
    assert [one.version for one in await policies.versions()] == [1, 0]
    assert (await policies.start_shadow({"block_tokens": 450}, 3, **WHO, only=1)).version == 2
    assert (await policies.shadow()).policy == replace(SMALL, block_tokens=450)


async def test_a_stored_policy_that_makes_no_sense_leaves_the_standard_one(
    database, policies, clock, caplog
):
    await policies.apply(SMALL, **WHO)

    def write(text):
        return lambda connection: connection.execute(
            update(read_policy_version).values(Policy=text)
        )

    unknown = '{"most_items": 1, "of_the_future": 3}'
    for text in (unknown, '{"most_items": 1e999}', "[]", "nonsense", "[" * 200_000):
        await database.write(write(text))
        caplog.clear()
        with caplog.at_level(logging.ERROR):
            active = await RecallPolicyVersions(database, clock).active()
        assert (active.policy, active.reason) == (RecallPolicy(), UNREADABLE)
        assert "is not valid in this version of Kith" in caplog.text
