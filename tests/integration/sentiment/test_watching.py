"""Watching without Discord: durable, bounded, honest about outages, and gone when it must be."""

import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import select, update

from tests.fakes.builders import (
    ADA,
    BOB,
    CHANNEL,
    GUILD,
    FakeVerifier,
    audience,
    days,
    make_guild_settings,
    make_infrastructure,
    make_memory_service,
    make_rules,
    make_verifier,
)
from tests.integration.residue import Household
from utils.common.errors import BadInput, DatabaseUnavailable, ModelUnreachable
from utils.database.erasure.inventory import INVENTORY
from utils.database.schema.memory_tables import (
    memory_event,
    message_score,
    user_memory,
    waiting_message,
)
from utils.database.schema.memory_tables import tension as tension_table
from utils.database.sentiment import tension
from utils.memory.ingestion.passive_queue import PassiveNotes
from utils.models.extraction import Candidate, Judgement
from utils.models.memory import Audience, Consent, Event, Form, Member, Role
from utils.models.sentiment import (
    PassiveMemory,
    Prefilter,
    Score,
    TensionSubject,
)
from utils.runtime.signals import MemorySignals
from utils.sentiment import llm_analysis, message_buffer, watcher
from utils.sentiment.batch_processor import BatchProcessor
from utils.sentiment.batch_schedule import ChannelKey
from utils.sentiment.llm_analysis import Analysis
from utils.sentiment.tension_tracker import TensionTracker, decayed
from utils.sentiment.watched_channels import WatchedChannelService
from utils.sentiment.watcher import Watcher

HERE = TensionSubject.channel(GUILD, CHANNEL)
HOT = Score(-0.8, 0.5, 0.9, "zanzibar")
WORD = "zanzibar"
_ids = count(5000)


def note_of(message, text, *, durable):
    """A note as the analysis makes it of a watched message, which is its quote."""
    update = {"note": text, "quote": message.text, "durable": durable, "attribute": ""}
    return llm_analysis._note(update, message)


class FakeAnalyzer:
    """Finds every message as heated; what it is told to note, it notes."""

    def __init__(self) -> None:
        self.failures: list[Exception] = []
        self.score: Score | None = HOT
        self.batches: list[list[Event]] = []
        self.meanwhile = None
        self.notes: tuple[Candidate, ...] = ()

    async def analyse(self, messages, time_zone):
        self.batches.append(list(messages))
        if self.meanwhile is not None:
            await self.meanwhile()
        if self.failures:
            raise self.failures.pop(0)
        notes = tuple(
            note_of(one, one.text, durable=durable)
            for one in messages
            for prefix, durable in (("I have ", True), ("I am moving ", False))
            if one.text.startswith(prefix)
        )
        scores = {one.message_id: self.score for one in messages if self.score}
        return Analysis(scores, self.notes or notes, model="fake")


class Post:
    """One process that watches."""

    def __init__(self, database, clock, *, prefilter=Prefilter.OFF) -> None:
        self.database, self.clock = database, clock
        self.analyzer = FakeAnalyzer()
        self.memories = make_memory_service(database, clock)
        self.verifier = FakeVerifier()
        infrastructure = make_infrastructure(database, clock)
        counts: Counter[str] = Counter()
        self.notes = PassiveNotes(
            infrastructure,
            make_rules(),
            make_verifier(clock, self.verifier),
            MemorySignals(),
            counts,
        )
        self.watched = WatchedChannelService(database, clock)
        self.processor = BatchProcessor(
            infrastructure,
            self.watched,
            make_guild_settings(database, clock),
            TensionTracker(database, clock),
            self.notes,
            self.analyzer.analyse,
            prefilter,
            counts,
        )
        self.watcher = Watcher(infrastructure, self.watched, self.processor, counts)

    def say(self, text, member=ADA, **given) -> Event:
        message = Event(
            **{
                "guild_id": GUILD,
                "source_id": CHANNEL,
                "channel_id": CHANNEL,
                "message_id": next(_ids),
                "author_id": member.user_id,
                "author_name": "Ada" if member is ADA else "Bob",
                "role": Role.MEMBER,
                "text": text,
                "created_at": self.clock.now(),
            }
            | given
        )
        self.watcher.record(message, replace(audience(), is_open=True))
        return message

    async def process(self) -> None:
        """Analyse everything that waits; notes go on waiting for a verdict."""
        channel = ChannelKey(GUILD, CHANNEL)
        while await self.processor.process(channel, Audience(GUILD, CHANNEL, frozenset())):
            pass

    async def level(self, subject=HERE) -> float:
        settings = await self.watched.settings(GUILD)
        levels = await self.database.read(tension.levels_of, subjects={subject})
        return decayed(levels[subject], self.clock.now(), settings.half_life_hours)


@pytest.fixture
async def post(database, clock):
    one = Post(database, clock)
    await one.watched.add(GUILD, CHANNEL)
    yield one
    await one.watcher.close()


async def rows(database, table, *where):
    query = select(table).where(*where).order_by(*table.primary_key)
    return await database.read(lambda connection: connection.execute(query).all())


async def test_what_was_heard_survives_a_crash_and_is_scored_once(database, clock, post):
    said = [post.say(f"message number {number}") for number in range(7)]
    await post.watcher._buffer.flush()  # and then the process dies
    other = Post(database, clock)
    await other.watcher.start(lambda guild_id: True)
    await other.watcher._sweep()
    await other.watcher.settle()
    assert [[one.message_id for one in batch] for batch in other.analyzer.batches] == [
        [one.message_id for one in said]
    ]
    assert len(await rows(database, message_score)) == 7
    assert await rows(database, waiting_message) == []
    assert await other.level() > 0.5
    assert await Post(database, clock).level() == pytest.approx(await other.level())
    await other.watcher.close()


async def test_a_restart_in_the_middle_of_a_batch_loses_nothing_and_doubles_nothing(
    database, clock, post
):
    await post.memories.set_consent(ADA, passive=True)
    post.say("I have a dog named Rex")
    post.analyzer.failures = [RuntimeError("the process died")]
    await post.watcher.settle()
    assert await rows(database, message_score) == []
    clock.advance(31)
    await post.watcher.settle()
    assert len(await rows(database, message_score)) == 1
    assert len(await rows(database, user_memory)) == 1


async def test_a_message_that_two_processes_store_at_once_waits_once(
    database, clock, post, monkeypatch
):
    first, second = post.say("this is a message"), post.say("this is another one")
    await database.write(message_buffer.store, [first])
    looks = iter([lambda *_: {}])  # the other's commit comes between the look and the insert
    known = tension.revisions
    monkeypatch.setattr(tension, "revisions", lambda *given: next(looks, known)(*given))
    assert await database.write(message_buffer.store, [first, second]) == [second]
    assert len(await rows(database, waiting_message)) == 2


@pytest.mark.parametrize("way", ["delete", "forget_all"])
async def test_a_note_goes_with_the_words_it_took_from_a_watched_message_of_another(
    database, post, way
):
    await post.memories.set_consent(ADA, Consent.LASTING, passive=True)
    asked = post.say(f"who owns a {WORD}?", BOB)
    said = post.say("I have two of those")
    note = note_of(said, f"has two {WORD}s", durable=True)
    post.analyzer.notes = (note,)
    await post.watcher.settle()
    (row,) = await rows(database, user_memory)
    assert row.Memory == f"has two {WORD}s"
    if way == "delete":
        await post.memories.retention.retract(GUILD, [asked.message_id])
    else:
        await post.memories.forget_all(BOB)
    (row,) = await rows(database, user_memory)
    assert (row.Memory, row.Form) == (said.text, Form.QUOTE)
    assert WORD not in row.SearchStems


async def test_durable_notes_are_facts_and_passing_ones_last_a_week(database, clock, post):
    await post.memories.set_consent(ADA, Consent.LASTING, passive=True)
    post.say("I have a dog named Rex")
    post.say("I am moving house this week")
    await post.watcher.settle()
    fact, task = await rows(database, user_memory)
    assert (fact.Kind, fact.Source, fact.ExpiresAt) == ("fact", "passive", None)
    assert fact.Status == "active"
    assert (task.Kind, task.ExpiresAt) == ("task", clock.now() + timedelta(days=7))
    assert len(await rows(database, memory_event)) == 2


@pytest.mark.parametrize(
    ("passive", "change", "scored"),
    [
        (PassiveMemory.OPT_IN, lambda post, guilds: guilds.get(GUILD), 1),
        (
            PassiveMemory.OPT_OUT,
            lambda post, guilds: post.memories.set_consent(ADA, Consent.OFF),
            0,
        ),
        (PassiveMemory.OPT_OUT, lambda post, guilds: guilds.ignore(ADA, ignored=True), 1),
        (PassiveMemory.OPT_OUT, lambda post, guilds: guilds.set_values(GUILD, frozen=True), 1),
        (
            PassiveMemory.OPT_OUT,
            lambda post, guilds: post.memories.set_consent(ADA, passive=False),
            1,
        ),
    ],
)
async def test_nothing_is_noted_of_who_does_not_allow_it_but_scores_go_on(
    database, clock, post, passive, change, scored
):
    await post.watched.add(GUILD, CHANNEL, passive)
    await change(post, make_guild_settings(database, clock))
    post.say("I have a dog named Rex")
    await post.watcher.settle()
    assert await rows(database, user_memory) == []
    assert await rows(database, memory_event) == []
    assert len(await rows(database, message_score)) == scored


async def test_what_is_deleted_or_consent_withdrawn_while_the_model_reads_is_not_scored(
    database, clock, post
):
    await post.watched.add(GUILD, CHANNEL, PassiveMemory.OPT_OUT)
    deleted = post.say("I have a dog named Rex")
    post.say("I have a cat named Tom", BOB)
    kept = post.say("I have a horse named Joe", Member(GUILD, 30))

    async def meanwhile():
        await post.watcher.delete(GUILD, [deleted.message_id])
        await post.memories.set_consent(BOB, Consent.OFF)

    post.analyzer.meanwhile = meanwhile
    await post.watcher.settle()
    assert [row.MessageId for row in await rows(database, message_score)] == [kept.message_id]
    assert [row.UserId for row in await rows(database, user_memory)] == [30]


async def test_an_outage_lets_messages_wait_and_pauses_longer_each_time(database, clock, post):
    post.analyzer.failures = [ModelUnreachable(), ModelUnreachable()]
    post.say("this is a message")
    await post.watcher.settle()
    assert len(await rows(database, waiting_message)) == 1
    clock.advance(5)
    await post.watcher.settle()
    clock.advance(5)
    await post.watcher.settle()
    assert len(post.analyzer.batches) == 2
    clock.advance(5)
    await post.watcher.settle()
    assert len(await rows(database, message_score)) == 1
    assert post.watcher.counts["outage"] == 2


async def test_a_batch_without_a_score_is_read_again_and_then_given_up_aloud(post, clock, caplog):
    post.analyzer.score = None  # as a model that scores from 0 to 100, each of which is refused
    post.say("this is a message")
    for _ in range(4):
        await post.watcher.settle()
        clock.advance(watcher.REFUSED_PAUSE_S)
    assert len(post.analyzer.batches) == 3
    assert "1 watched messages are discarded: malformed" in caplog.text


async def test_what_waits_is_bounded_the_oldest_go_first_and_are_counted(
    database, clock, post, monkeypatch
):
    monkeypatch.setattr(watcher, "MAX_WAITING", watcher.MAX_WAITING - 1_997)  # of 2,000
    said = [post.say(f"message number {number}") for number in range(5)]
    await post.watcher._buffer.flush()
    await post.watcher._sweep()
    left = [row.MessageId for row in await rows(database, waiting_message)]
    assert left == [one.message_id for one in said[2:]]
    clock.advance(days=1, seconds=1)
    await post.watcher._sweep()
    assert await rows(database, waiting_message) == []
    assert post.watcher.counts["dropped"] == 5


async def test_an_edit_is_read_again_and_counts_as_no_message(post):
    for revision in 0, 7, 7, 6:  # Discord reports an edited message again; a start reads it again
        post.say("hello there, everybody", message_id=1, revision=revision)
        await post.watcher.settle()
    sample = post.watcher._metrics.registry.get_sample_value
    assert sample("kith_messages_total", {"how": "passive"}) == 1
    assert [post.watcher.counts[key] for key in ("heard", "scored")] == [4, 2]


async def test_a_listener_that_fails_loses_nothing(database, clock, post):
    told = []

    async def fails(batch):
        raise RuntimeError

    async def listens(batch):
        told.append(batch)

    post.watcher.add_listener(fails)
    post.watcher.add_listener(listens)
    post.say("this is a message")
    await post.watcher.settle()
    assert [len(batch.messages) for batch in told] == [1]
    assert len(await rows(database, message_score)) == 1


async def test_what_was_not_stored_yet_goes_with_the_rest(database, clock, post):
    post.say(f"{WORD} is where it was")
    post.say("this is somebody else's message", BOB)
    await post.watcher.erase(ADA, only_answers=True)
    await post.watcher.erase(ADA)
    await post.watcher._buffer.flush()
    assert [row.UserId for row in await rows(database, waiting_message)] == [BOB.user_id]


async def test_what_was_deleted_while_the_database_was_away_is_not_read(
    database, post, monkeypatch
):
    deleted = post.say(f"{WORD} is where it was")
    await post.watcher._buffer.flush()
    with monkeypatch.context() as away:
        away.setattr(database, "write", AsyncMock(side_effect=DatabaseUnavailable))
        await post.watcher.delete(GUILD, [deleted.message_id])
    await post.watcher.settle()
    assert post.analyzer.batches == []


async def test_what_another_process_still_holds_is_not_stored_after_it_was_forgotten(
    database, database_url, clock, post
):
    home = Household(database, database_url, clock)
    post.say(f"{WORD} is where it was")
    clock.advance(1)
    await home.keeper.forget_all(ADA)  # in a process that does not hold the message
    clock.advance(1)
    later = post.say("this is said afterwards")
    await post.watcher._buffer.flush()
    assert [row.MessageId for row in await rows(database, waiting_message)] == [later.message_id]


async def test_settings_are_stored_and_make_sense(database, clock, post):
    changed = await post.watched.change(GUILD, tension_alert=0.7, prefilter=Prefilter.HEATED)
    other = WatchedChannelService(database, clock)
    assert await other.settings(GUILD) == changed
    for wrong in ({"tension_alert": 0.0}, {"half_life_hours": 0.5}, {"auto_minutes": 11}):
        with pytest.raises(BadInput):
            await post.watched.change(GUILD, **wrong)
    assert await other.settings(GUILD) == changed


async def test_levels_of_one_server_never_touch_anothers(database, clock, post):
    def unit(connection):
        connection.execute(update(tension_table).values(GuildId=GUILD + 5))
        return tension.levels_of(connection, {HERE})

    post.say("this is a message")
    await post.watcher.settle()
    assert await database.write(unit) == {}


# --- notes wait for a verdict ---------------------------------------------------------------------


async def overhear(post, *texts):
    await post.memories.set_consent(ADA, passive=True)
    said = [post.say(text) for text in texts]
    await post.watcher._buffer.flush()
    await post.process()
    return said


async def test_what_waits_for_a_verdict_survives_a_crash_and_is_scored_once(database, clock, post):
    (said,) = await overhear(post, "I have a dog named Rex")  # and then the process dies
    level = await post.level()
    (score,) = await rows(database, message_score)
    elsewhere = Post(database, clock)
    await elsewhere.watcher.start(lambda guild_id: guild_id != GUILD)
    await elsewhere.watcher._sweep()
    assert await rows(database, waiting_message) == []
    other = Post(database, clock)
    await other.watcher.start(lambda guild_id: True)
    await other.watcher._sweep()
    assert [row.MessageId for row in await rows(database, waiting_message)] == [said.message_id]
    assert await rows(database, memory_event) == []
    await other.watcher.settle()
    assert [row.Memory for row in await rows(database, user_memory)] == ["have a dog named Rex"]
    assert await rows(database, message_score) == [score]
    assert await other.level() == pytest.approx(level)
    (event,) = await rows(database, memory_event)
    assert event.ExpiresAt == event.CreatedAt + days(30)
    third = Post(database, clock)
    await third.watcher.start(lambda guild_id: True)
    await third.watcher._sweep()
    assert await rows(database, waiting_message) == []  # a note cites it
    for watching in (elsewhere, other, third):
        await watching.watcher.close()


async def test_more_messages_than_a_statement_takes_ids_go_back_into_the_queue(database, post):
    (said,) = await overhear(post, "I have a dog named Rex")
    (event,) = await rows(database, memory_event)
    ids = range(event.Id, event.Id + 2_001)  # SQL Server takes 2,100 parameters
    await database.write(message_buffer.queue_again, guild_id=GUILD, event_ids=ids)
    assert [row.MessageId for row in await rows(database, waiting_message)] == [said.message_id]


@pytest.mark.parametrize(
    "change",
    [
        lambda post, said: post.memories.set_consent(ADA, Consent.OFF),
        lambda post, said: post.watched.remove(GUILD, CHANNEL),
        lambda post, said: post.memories.retention.retract(GUILD, [said.message_id]),
    ],
    ids=["off", "not watched", "deleted"],
)
async def test_what_may_not_wait_any_more_is_not_read_again_after_a_crash(
    database, clock, post, change
):
    (said,) = await overhear(post, "I have a dog named Rex")
    other = Post(database, clock)
    await other.watcher.start(lambda guild_id: False)  # its servers are not available yet
    await change(post, said)
    other.watcher._serves = lambda guild_id: True
    await other.watcher._sweep()
    assert await rows(database, waiting_message) == []
    assert [row for row in await rows(database, memory_event) if row.Text] == []
    await other.watcher.close()


def test_only_watching_reads_the_messages_that_wait():
    """Whatever else lists, searches, embeds, exports or extracts messages never names the table."""
    root = Path(__file__).parents[3]
    sources = [path for folder in ("utils", "cogs") for path in (root / folder).rglob("*.py")]
    naming = {
        path.relative_to(root).as_posix()
        for path in sources
        if re.search(r"\bwaiting_messages?\b|WaitingMessage", path.read_text())
    }
    elsewhere = {path for path in naming if "/sentiment/" not in path}
    assert elsewhere == {
        "utils/admin/backups.py",  # empties it after a restore
        "utils/database/erasure/inventory.py",  # erases and expires it
        "utils/database/schema/memory_tables.py",
        "utils/database/schema/sentiment_tables.py",
        "utils/memory/extraction/passive_notes.py",  # asks whether a message still waits
        "utils/memory/privacy/retention.py",  # compares what waits with Discord, by its ids
    }
    assert [entry.archived for entry in INVENTORY if entry.table is waiting_message] == [None]


async def test_without_a_verdict_nothing_overheard_is_kept(database, clock, post):
    post.verifier.failures.extend(ModelUnreachable() for _ in range(3))
    await overhear(post, "I have a dog named Rex")
    await post.notes.flush()
    assert await rows(database, user_memory) == []
    clock.advance(days=1, minutes=1)
    await post.notes.flush()
    assert await rows(database, user_memory) == []
    assert await rows(database, memory_event) == []


@pytest.mark.parametrize("judgement", [Judgement.UNSUPPORTED, Judgement.OTHER])
async def test_what_the_verifier_refuses_is_not_kept_even_as_a_quote(database, post, judgement):
    post.verifier.judge = lambda claim: judgement
    await overhear(post, "I have a dog named Rex")
    await post.notes.flush()
    assert await rows(database, user_memory) == []
    assert await rows(database, memory_event) == []


async def test_a_deletion_or_an_opt_out_in_between_is_heeded(database, post):
    (deleted, _) = await overhear(post, "I have a dog named Rex", "I have a cat named Tom")
    await post.memories.retention.retract(GUILD, [deleted.message_id])
    await post.notes.flush()
    assert [row.Memory for row in await rows(database, user_memory)] == ["have a cat named Tom"]
    await overhear(post, "I have a bird named Polly")
    await post.memories.set_consent(ADA, passive=False)
    await post.notes.flush()
    assert [row.Memory for row in await rows(database, user_memory)] == ["have a cat named Tom"]
