"""Vectors are made in the background, again when the model changes, and go with their texts."""

import asyncio
import logging

import pytest
from sqlalchemy import select, update

from tests.fakes.builders import make_budget, make_infrastructure
from utils.runtime import worker

pytest.importorskip("numpy")

from tests.fakes import model_server as fake
from tests.fakes.builders import ADA, BOB, GUILD, NOON, days, make_candidate, make_event
from tests.fakes.clock import ManualClock
from tests.integration.memory.recall.test_reader import learn
from tests.integration.residue import WORD
from tests.integration.ways_of_erasing import (
    THREAD,
    delete_channel,
)
from utils.common.clock import Clock
from utils.common.errors import ModelError
from utils.database.admin import token_usage
from utils.database.messages import events
from utils.database.schema.column_types import is_not_empty
from utils.database.schema.memory_tables import (
    event_embedding,
    memory_embedding,
    memory_event,
    user_memory,
)
from utils.llm.embeddings import EmbeddingEndpoint
from utils.memory.recall import similarity
from utils.memory.recall.embedding_worker import EmbeddingWorker
from utils.models.memory import Consent, Member
from utils.models.recall import NOTHING_SIMILAR
from utils.runtime.leases import DURATION, Leases
from utils.runtime.signals import MemorySignals

pytestmark = pytest.mark.usefixtures("quick_client")


@pytest.fixture
def build(database, server, clock, until_end):
    def make(model="minilm", daily_tokens=1_000_000, using=database):
        endpoint = EmbeddingEndpoint(model, base_url=server.base_url)
        budget = make_budget(using, clock, daily_tokens)
        leases = Leases(using, Clock())
        infrastructure = make_infrastructure(using, clock, leases=leases)
        return until_end(EmbeddingWorker(infrastructure, endpoint, budget, MemorySignals()))

    return make


@pytest.fixture
def maker(build):
    return build()


async def ids(database, texts=user_memory.c.Memory):
    """Which row says what."""
    query = select(texts, texts.table.c.Id).where(is_not_empty(texts))
    return await database.read(lambda s: dict(tuple(row) for row in s.execute(query)))


async def vectors(database, table=memory_embedding):
    """Of what there are vectors, and of which model."""
    query = select(table.c[1], table.c.Model)
    return await database.read(lambda s: dict(tuple(row) for row in s.execute(query)))


def facts(*texts):
    return [make_candidate(text) for text in texts]


async def hear(database, count):
    """Let Ada say many things; nobody reads them for memories."""

    def unit(connection):
        for number in range(count):
            events.insert(connection, make_event(f"I own thing {number}"), NOON + days(30))

    await database.write(unit)


# --- making -------------------------------------------------------------------------------------


async def test_rows_and_messages_get_vectors_and_answers_of_kith_do_not(home, maker, server):
    await home.tell("has a dog named Rex")
    await maker.catch_up()
    rows, said = await ids(home.database), await ids(home.database, memory_event.c.Text)
    assert await vectors(home.database) == {rows["has a dog named Rex"]: "minilm"}
    assert await vectors(home.database, event_embedding) == {said["has a dog named Rex"]: "minilm"}
    assert server.embedded == [["has a dog named Rex"]] * 2


async def test_what_has_a_vector_is_not_sent_again(database, maker, build, server):
    await learn(database, *facts("has a dog named Rex"))
    await maker.catch_up()
    await learn(database, *facts("lives in Oslo"))
    await maker.catch_up()
    assert server.embedded == [["has a dog named Rex"]] * 2 + [["lives in Oslo"]] * 2
    server.requests.clear()
    await build().catch_up()
    sample = [["has a dog named Rex"], ["lives in Oslo"]]
    assert server.embedded == sample * 2  # the oldest and the newest of each, to compare them


async def test_another_model_under_the_same_name_makes_them_again(
    database, maker, build, server, caplog
):
    await learn(database, *facts("has a dog named Rex", "lives in Oslo"))
    await maker.catch_up()
    assert (await maker.index.to("Rex", [ADA])).rows
    server.dimensions = 16
    restarted = build()
    await restarted.catch_up()
    assert "another model answers as minilm" in caplog.text
    for table in (memory_embedding, event_embedding):
        stored = await database.read(lambda s, of=table: s.execute(select(of.c.Vector)).all())
        assert len(stored) == 2
        assert {len(row[0]) for row in stored} == {32}
    assert max((await restarted.index.to("lives in Oslo", [ADA])).rows.values()) > 0.99
    server.requests.clear()
    await restarted.catch_up()
    assert server.embedded == []


async def test_nothing_is_sent_of_what_has_ended_or_was_superseded(home, maker, server):
    await home.tell("home: lives in Oslo")
    await home.tell("home: lives in Bergen")
    await home.keeper.set_consent(BOB, Consent.TEMPORARY)
    await home.tell("plays the oboe", member=BOB)
    home.clock.advance(days=31)
    await maker.catch_up()
    sent = [text for texts in server.embedded for text in texts]
    assert sorted(sent) == ["home: lives in Bergen", "home: lives in Oslo", "lives in Bergen"]


# --- faults -------------------------------------------------------------------------------------


async def test_garbage_is_never_stored(database, maker, server):
    await learn(database, *facts("has a dog named Rex"))
    garbage = fake.raw_body('{"data": [{"index": 0, "embedding": [NaN, 1.0]}]}')
    server.on_embeddings = lambda _: garbage
    with pytest.raises(ModelError):
        await maker.catch_up()
    assert await vectors(database) == {}
    server.on_embeddings = None
    await maker.catch_up()
    assert len(await vectors(database)) == 1


async def test_a_text_that_cannot_be_read_is_left_out_alone(database, maker, server):
    fault = fake.error(400)
    await learn(database, *facts(*(f"owns thing {n}" for n in range(9)), "owns a curse"))
    server.on_embeddings = lambda request: fault if "owns a curse" in request["input"] else None
    await maker.catch_up()
    assert len(await vectors(database)) == 9
    asked = len(server.requests)
    await maker.catch_up()
    assert len(server.requests) == asked


async def test_an_endpoint_that_takes_fewer_at_once_gets_fewer(database, maker, server):
    await hear(database, 60)
    server.on_embeddings = lambda request: (
        fake.error(422, message="batch too big") if len(request["input"]) > 20 else None
    )
    await maker.catch_up()
    assert len(await vectors(database, event_embedding)) == 60
    await hear(database, 60)
    server.requests.clear()
    await maker.catch_up()
    assert [len(texts) for texts in server.embedded] == [15, 15, 15, 15]


async def test_what_changes_while_it_is_read_gets_no_vector(home, maker, server):
    event = await home.tell("likes zanzibar")

    async def retract(_):
        server.on_embeddings = None
        await home.retention.retract(GUILD, [event.message_id])

    server.on_embeddings = retract
    await home.embed(maker)
    assert await home.residue() == []
    assert await vectors(home.database) == await vectors(home.database, event_embedding) == {}


# --- in the background --------------------------------------------------------------------------


async def test_the_pause_grows_while_the_endpoint_is_down_and_no_text_is_logged(
    database, maker, server, clock, caplog
):
    caplog.set_level(logging.DEBUG)
    await learn(database, *facts("has a dog named Rex"))
    server.on_embeddings = lambda _: fake.error(503)
    maker.start()
    for seconds in (5, 10, 20):
        await clock.until_asleep()
        clock.advance(seconds)
    await clock.until_asleep()
    assert len(server.requests) == 4
    server.on_embeddings = None
    clock.advance(40)
    await server.wait_requests(6)
    pauses = [one.getMessage() for one in caplog.records if one.name == worker.__name__]
    assert [words.split()[7] for words in pauses] == ["5", "10", "20", "40"]
    assert "Rex" not in caplog.text


async def test_two_processes_do_not_do_the_work_twice(database, other, build, server):
    await learn(database, *facts("has a dog named Rex", "lives in Oslo"))
    gate = asyncio.Event()

    async def hold(_):
        await gate.wait()

    server.on_embeddings = hold
    first = asyncio.create_task(build().catch_up())
    await server.wait_requests(1)
    second = build(using=other)
    await second.catch_up()  # finds the first one at it, and leaves it alone
    gate.set()
    await first
    await second.catch_up()
    assert len(server.embedded) == 2


async def test_a_process_that_was_overtaken_stores_nothing(database, build, server, clock):
    await learn(database, *facts("has a dog named Rex"))
    slow, quick = build(), build()
    slow._leases = Leases(database, clock)

    async def overtake(_):
        server.on_embeddings = None
        later = ManualClock(clock.now() + 2 * DURATION)
        quick._leases = Leases(database, later)
        await quick.catch_up()

    server.on_embeddings = overtake
    with pytest.raises(Exception, match="Another process has taken over"):
        await slow.catch_up()
    assert len(await vectors(database)) == 1


# --- budget -------------------------------------------------------------------------------------


async def test_a_spent_budget_pauses_that_server_only(database, build, server, clock):
    await learn(database, *facts("has a dog named Rex"))
    await learn(database, *facts("plays the oboe"), member=Member(2, 7))
    await database.write(
        token_usage.add_use, GUILD, clock.now().date(), 0, "embedding", token_usage.Usage(299)
    )
    maker = build(daily_tokens=1000)
    await maker.catch_up()
    assert server.embedded == [["plays the oboe"]] * 2
    clock.advance(hours=12)
    await maker.catch_up()
    assert server.embedded[2:4] == [["plays the oboe"]] * 2  # compared with what is stored
    assert server.embedded[4:] == [["has a dog named Rex"]] * 2


# --- erasure ------------------------------------------------------------------------------------


async def expire(home, event):
    await home.database.write(
        lambda s: s.execute(update(user_memory).values(ExpiresAt=home.clock.now() + days(1)))
    )
    home.clock.advance(days=400)
    await home.prune()


# test_erasure_walk.py erases in the other ways, and looks for vectors as well
@pytest.mark.parametrize("way", [delete_channel, expire])
async def test_a_vector_goes_with_its_text(home, maker, way):
    event = await home.tell(f"likes {WORD}", channel_id=THREAD)
    await home.tell("likes tea", member=BOB)
    await home.embed(maker)
    assert len(home.text_of_vector) == 2  # the same words, said and remembered: one vector
    assert "a vector" in await home.residue()
    await way(home, event)
    assert await home.residue() == []


async def test_a_superseded_row_loses_its_vector(home, maker):
    await home.tell("home: lives in Zanzibar")
    await home.embed(maker)
    await home.tell("home: lives in Oslo")
    assert await vectors(home.database) == {}


# --- comparing ----------------------------------------------------------------------------------


async def test_what_says_the_same_is_closest(home, maker):
    await home.tell("has a dog named Rex")
    await home.tell("lives in Oslo")
    await home.tell("has a dog too", member=BOB)
    await maker.catch_up()
    found = await maker.index.to("what is the dog named?", [ADA])
    rows, said = await ids(home.database), await ids(home.database, memory_event.c.Text)
    assert set(found.rows) == {rows["has a dog named Rex"], rows["lives in Oslo"]}
    assert max(found.rows, key=found.rows.get) == rows["has a dog named Rex"]
    assert max(found.events, key=found.events.get) == said["has a dog named Rex"]
    both = await maker.index.to("what is the dog named?", [ADA, BOB])
    assert set(both.rows) == set(rows.values())
    asked = sum(maker.index.spent.values())
    for _ in range(2):  # the second adds nothing
        await maker.catch_up()
    spent = await home.database.read(token_usage.spent, ADA, home.clock.now().date())
    assert spent["embedding"][0] == asked > 0


async def test_a_model_of_which_is_not_known_what_is_near_is_not_asked_for_it(home, maker, server):
    await home.tell("has a dog named Rex")
    await maker.catch_up()
    asked = len(server.requests)
    assert await maker.index.nearest("has a dog named Rex", "en", ADA) == []
    assert len(server.requests) == asked


async def test_new_vectors_come_beside_those_held_and_erased_ones_leave(home, maker):
    await home.tell("likes zanzibar")
    await maker.catch_up()
    assert len((await maker.index.to("tea", [ADA])).events) == 1
    second = await home.tell("likes tea")
    await maker.catch_up()
    assert len((await maker.index.to("tea", [ADA])).events) == 2
    await home.retention.retract(GUILD, [second.message_id])
    found = await maker.index.to("tea", [ADA])
    assert (len(found.rows), len(found.events)) == (1, 1)


async def test_a_slow_model_is_waited_for_no_longer_than_the_limit(home, maker, server, clock):
    await home.tell("has a dog named Rex")
    await maker.catch_up()

    async def wait_for_nothing(requests):
        server.on_embeddings = lambda _: fake.hang()
        asked = asyncio.create_task(maker.index.to("cat", [ADA]))
        await server.wait_requests(requests)
        assert not asked.done()
        clock.advance(similarity.QUERY_TIMEOUT_S)
        assert await asked == NOTHING_SIMILAR
        server.on_embeddings = None

    await wait_for_nothing(3)
    assert (await maker.index.to("dog", [ADA])).rows  # once is no reason to leave it alone
    for requests in (5, 6, 7):
        await wait_for_nothing(requests)
    assert await maker.index.to("cat", [ADA]) == NOTHING_SIMILAR  # now it is, for a while
    assert len(server.requests) == 7
    clock.advance(similarity.PAUSE_S)
    assert (await maker.index.to("cat", [ADA])).rows


async def test_an_endpoint_that_is_down_is_asked_once_a_minute(home, maker, server, clock, caplog):
    await home.tell("has a dog named Rex")
    await maker.catch_up()
    await server.stop()
    for _ in range(5):
        assert await maker.index.to("the purple otter", [ADA]) == NOTHING_SIMILAR
    assert len([one for one in caplog.records if one.name == similarity.__name__]) == 1
    assert "otter" not in caplog.text
    await server.start()
    clock.advance(similarity.PAUSE_S)
    assert (await maker.index.to("the purple otter", [ADA])).rows


async def test_a_long_text_is_read_as_far_as_the_server_reads_it(home, maker, server, caplog):
    """llama.cpp's server answers 500 for the whole batch."""

    def answer(request):
        if any(len(text) > 150 for text in request["input"]):
            return fake.error(500, message="input is too large to process. increase the batch size")
        return None

    server.on_embeddings = answer
    await home.tell("has a dog named Rex")
    await home.tell("has a cat named Momo, " + "and much to tell " * 12)
    await maker.catch_up()
    assert (await maker.index.to("dog", [ADA])).rows
    assert (await maker.index.to("cat", [ADA])).rows
    assert "reads only the beginning" in caplog.text


async def test_what_is_held_is_bounded(home, maker, monkeypatch):
    for member in (ADA, BOB):
        await home.tell("has a dog named Rex", member=member)
    await maker.catch_up()
    monkeypatch.setattr(similarity, "MAX_BYTES", 600)
    for member in (ADA, BOB, ADA):
        assert (await maker.index.to("dog", [member])).rows
    assert list(maker.index._vectors) == [ADA]


async def test_the_check_says_the_dimensions_and_what_waits(home, maker):
    await home.tell("has a dog named Rex")
    said = await maker.check()
    assert said == (
        "minilm answered with 64 dimensions; 1 memories and 1 messages wait to be read by it"
    )
    await maker.catch_up()
    assert "0 memories and 0 messages" in await maker.check()
