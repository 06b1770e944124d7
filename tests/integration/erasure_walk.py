"""A seeded walk: people tell Kith secrets and ask about each other, then erase in every way.

The model is a parrot: each answer repeats every secret that its prompt holds, so an erased secret
comes back wherever the program lets one through. Some secrets are told when nothing may be stored:
with consent off, while a member is ignored or the server is frozen, in direct messages and watched
channels. Those must never be stored at all.

A secret is a single made-up word. It is told in another form than its stem, and what is looked for
is the stem: in rows, files, vectors, exports and prompts.
"""

import functools
import gc
import hashlib
import re
import sys
import tempfile
from array import array
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random

from sqlalchemy import select

from cogs.bot.messages import NOTED_LINE, without_lines
from cogs.chat.note_marks import noted_line
from tests.fakes.builders import (
    CHANNEL,
    GUILD,
    KITH_ID,
    FakeExtractor,
    free_slot,
    make_answer,
    make_budget,
    make_conversation,
    make_episode_summarizer,
    make_event,
    make_guild_settings,
    make_infrastructure,
    make_memory_service,
    make_reader,
    make_recorder,
    make_rules,
)
from tests.fakes.clock import ManualClock
from tests.fakes.scribe import Scribe
from tests.integration.residue import attributed, files_of, with_everything_open
from tests.integration.sentiment.test_watching import Post as Watching
from utils.admin.archive.archive import Archive
from utils.database.core.engine import Database
from utils.database.messages import attachments
from utils.database.schema.memory_tables import (
    artifact,
    event_embedding,
    memory_embedding,
    memory_event,
    metadata,
    user_memory,
)
from utils.guilds.account_links import AccountLinkService
from utils.memory.member_data.note_marks import NoteMarks
from utils.memory.member_data.view import MemberData
from utils.memory.privacy.answer_removals import AnswerRemovals
from utils.memory.privacy.consent_gate import DISCORD_EPOCH_MS
from utils.memory.privacy.retention import Retention
from utils.memory.recall.embedding_worker import EmbeddingWorker
from utils.models.attachment import (
    AttachmentKind,
    AttachmentState,
    FileDescription,
    placeholders,
)
from utils.models.conversation import Turn
from utils.models.guild import GuildSettings
from utils.models.llm import Completion, Embedded, Usage
from utils.models.memory import DIRECT_MESSAGES, Audience, Consent, Event, Member, NotedMark
from utils.models.policy import WritePolicy
from utils.models.recall import Person, QuotedMessage
from utils.nlp.stemming import stems
from utils.runtime.signals import MemorySignals

NAMES = {10: "Ada", 20: "Bob", 30: "Carol"}
STRANGER = 40
"""Wants nothing kept, and only talks to others."""
DIRECT_CHANNEL = 5_000
CHANNELS = (CHANNEL, CHANNEL + 1)
RETELLING = CHANNEL + 2
"""Where people ask only what others said elsewhere, which Kith knows from a summary."""
LETTERS = "bcdfghjkmnpqrtvwx"
SECRET = re.compile(rf"zqa[{LETTERS}]{{8}}")
SHA256 = re.compile(r"[0-9a-f]{64}")
SUFFIX = 7
"""Of a file's bytes the end of a secret is searched: a full-text index may share its beginning."""
THINGS = ("boat", "parrot", "cousin", "recipe", "piano", "cellar", "tattoo", "bakery")
TURNS = 10


class Parrot:
    """Answers with every secret in the prompt, the newest last; to each second statement with none.

    Such an answer stays on Discord when the note goes: only the line below it has to go.
    """

    slot = staticmethod(free_slot)

    def __init__(self) -> None:
        self.prompts: list[str] = []

    async def reply(self, messages, *, tools=(), max_tokens=1024, stream=None, prefer=()):
        prompt = "\n".join(message.text for message in messages[1:])
        self.prompts.append(prompt)
        if "I own" in messages[-1].text and len(self.prompts) % 2:
            return Completion("Good to hear.", Usage(9, 9), False)
        secrets = list(dict.fromkeys(SECRET.findall(prompt)))[-60:]
        return Completion(f"I know of: {' '.join(secrets) or 'nothing'}.", Usage(9, 9), False)


class WordVectors:
    """An embedder: a text's vector says which of 32 groups its stems are in."""

    async def identity(self) -> str:
        return "words"

    async def embed(self, texts, *, timeout_s, is_query=False):
        return Embedded(tuple(_vector(text) for text in texts), Usage())

    async def close(self) -> None:
        pass


def _vector(text: str) -> array:
    vector = array("f", [0.01] * 32)
    for stem in stems(text):
        vector[sum(stem.encode()) % 32] += 1.0
    return vector


@dataclass(frozen=True)
class Post:
    """A message as it stands on Discord."""

    message_id: int
    channel_id: int
    author_id: int
    text: str
    sent_at: datetime


class ErasureWalk:
    """Three people in two channels; what stands on Discord, and what was erased."""

    def __init__(self, database: Database, url: str, clock: ManualClock, seed: int) -> None:
        self.database, self.url, self.clock, self.random = database, url, clock, Random(seed)
        self.model, self.extractor = Parrot(), FakeExtractor(attributed)
        self.scribe = Scribe(with_everything_open)
        self.signals = signals = MemorySignals()
        self.recorder = make_recorder(
            database,
            clock,
            self.extractor,
            policy=WritePolicy(writes_per_session=1_000),
            signals=signals,
        )
        signals.erasures.connect(self.recorder.offline_writer.erase)
        self.service = make_memory_service(
            database, clock, signals=signals, ephemeral_turns=self.recorder.ephemeral_turns
        )
        self.embedding = EmbeddingWorker(
            make_infrastructure(database, clock), WordVectors(), None, signals
        )
        self.reader = make_reader(database, clock, similar=self.embedding.index)
        signals.removals.connect(self.reader.forget_prepared)
        self.budget = make_budget(database, clock, 10**9)
        self.talk = make_conversation(self.recorder, self.reader, self.budget, clock, self.model)
        self.removals = AnswerRemovals(database, clock)
        self.marks = NoteMarks(database, clock)
        self.retention = Retention(database, clock)
        self.member_data = MemberData(database, clock)
        self.summarizer = make_episode_summarizer(database, clock, self.scribe)
        self.links = AccountLinkService(database, clock)
        self.settings = make_guild_settings(database, clock)
        self.archive = Archive(database, clock, make_rules(), None)
        self.watching = Watching(database, clock)
        self.posts: dict[int, Post] = {}
        self.events: dict[int, Event] = {}
        self.told: dict[str, Event] = {}
        self.withheld: set[str] = set()
        self.withheld_by_way: Counter[str] = Counter()
        self.text_of_vector: dict[tuple[str, int], str] = {}
        self.numbers = count()
        self.erased: set[str] = set()
        self.erased_by_way: Counter[str] = Counter()
        self.retold = self.lines = 0

    async def start(self) -> None:
        for user_id in NAMES:
            await self.service.set_consent(Member(GUILD, user_id), Consent.LASTING)
            await self.service.choose(Member(GUILD, user_id), noted=NotedMark.LINE)
        await self.service.set_consent(Member(GUILD, STRANGER), Consent.OFF)
        for channel_id in CHANNELS:
            await self.watching.watched.add(GUILD, channel_id)
        await self.links.link(Member(GUILD, 10), 30)
        await self.links.link(Member(GUILD, 30), 10)
        await self.recorder.start()

    async def close(self) -> None:
        await self.budget.close()
        await self.recorder.close()
        await self.watching.watcher.close()

    # --- talking -------------------------------------------------------------------------------

    async def round(self) -> list[str]:
        """Ten turns, some erasures, a few turns more; returns where an erased secret was found."""
        for _ in range(TURNS):
            await self._turn()
        if self.random.random() < 0.5:
            await self.retell(*self.random.choice(((10, 20), (30, 20), (20, 10), (20, 30))))
        await self.recorder.settle()
        await self.show_notes()
        if self.random.random() < 0.5:
            await self.embedding.catch_up()
            self.text_of_vector |= await self.database.read(_texts_of_vectors)
        if self.random.random() < 0.5:
            self.clock.advance(hours=9)
            await self.summarizer.catch_up()
        seen = self._seen()
        erased = await self._erase()
        await self.remove_answers()
        await self.show_notes()
        for _ in range(self.random.randint(2, 6)):
            await self._turn()
        await self.recorder.settle()
        if self.random.random() < 0.5:
            self.clock.advance(hours=9)
            await self.summarizer.catch_up()
        await self.remove_answers()
        await self.show_notes()
        return await self.residue(erased, seen)

    async def _turn(self) -> None:
        author_id, other_id = self.random.sample(list(NAMES), 2)
        channel_id = self.random.choice(CHANNELS)
        action = self.random.random()
        if action < 0.45:
            await self._say(author_id, channel_id, self._statement())
        elif action < 0.55:
            await self._say(author_id, channel_id, "Look!", attached=self._secret())
        elif action < 0.65:
            await self._withhold(Member(GUILD, author_id), channel_id)
        elif action < 0.75 and self.posts:
            quoted = self.random.choice(list(self.posts.values())[-25:])
            await self._say(author_id, quoted.channel_id, "What of that?", quoted=quoted)
        else:
            asked = f"What does {NAMES[other_id]} own, which {self._thing()}?"
            await self._say(author_id, channel_id, asked, about=other_id)
        self.clock.advance(self.random.choice((20.0, 90.0, 600.0)))

    async def tell(self, author_id: int) -> None:
        """Let somebody say what they own, and have it read."""
        await self._say(author_id, CHANNEL, self._statement())
        await self.recorder.settle()

    async def retell(self, teller_id: int, asker_id: int) -> None:
        """Let somebody ask what another said in a conversation that is over, and go on talking.

        Only its summary has the words: no memory is made of questions.
        """
        thing, channel_id = self._thing(), self.random.choice(CHANNELS)
        self.clock.advance(hours=9)
        for _ in range(2):
            await self._say(teller_id, channel_id, f"Why is a {thing} called {self._secret()}?")
        self.clock.advance(hours=9)
        await self.summarizer.catch_up()
        for text in (f"What of the {thing}?", "Really?", "Well, well?"):
            await self._say(asker_id, RETELLING, text)
            self.retold += bool(SECRET.search(self.posts[max(self.posts)].text))
            self.clock.advance(20.0)

    def told_by_kith(self) -> list[str]:
        """What Kith's answers that stand on Discord say, where they repeat a secret."""
        answers = [post.text for post in self.posts.values() if post.author_id == KITH_ID]
        return [text for text in answers if SECRET.search(text)]

    async def _say(
        self,
        author_id: int,
        channel_id: int,
        text: str,
        *,
        about: int | None = None,
        quoted: Post | None = None,
        attached: str = "",
        guild_id: int = GUILD,
        is_stored: bool = True,
    ) -> None:
        """Let a member write to Kith and have it answered, as cogs/chat does.

        What may not be stored is no longer known when it is quoted later, so that nobody does.
        """
        posts = dict(self.posts)
        files = (_file(attached),) if attached else ()
        event = make_event(
            "\n".join(filter(None, (text, placeholders(files)))),
            author_id=author_id,
            author_name=NAMES[author_id],
            guild_id=guild_id,
            channel_id=channel_id,
            created_at=self.clock.now(),
            message_id=self._message_id(),
            reply_to_id=quoted.message_id if quoted else None,
            attachments=files,
        )
        people = [Person(author_id, NAMES[author_id])]
        if about is not None:
            people.append(Person(about, NAMES[about]))
        turn = Turn(
            event=event,
            audience=_audience(channel_id, guild_id),
            people=tuple(people),
            settings=GuildSettings(guild_id),
            quoted=_quotation(quoted),
        )
        self._post(event)
        secrets = SECRET.findall(text) or ([attached] if attached else [])
        if is_stored:
            self.told |= dict.fromkeys(secrets, event)
        else:
            self.withheld.update(secrets)
        if attached:
            await self.recorder.record(event, turn.audience)
            await self.database.write(_describe, event, attached)
            event = replace(event, attachments=())
            turn = replace(turn, event=replace(event, message_id=event.message_id))
            await self._answer(turn, is_recorded=True)
        else:
            await self._answer(turn)
        if not is_stored:
            self.posts = posts

    async def _answer(self, turn: Turn, *, is_recorded: bool = False) -> None:
        if is_recorded:
            prepared = await self.talk.prepare(turn)
            completion = await self.model.reply(prepared.messages)
            text, made = completion.text, prepared
        else:
            answer = await self.talk.answer(turn)
            assert answer is not None
            text, made = answer.text, answer
        sent = make_answer(
            turn.event, text, message_id=self._message_id(), created_at=self.clock.now()
        )
        self._post(sent)
        sent = replace(sent, about_ids=made.about_ids, provenance=made.provenance)
        await self.recorder.record(sent, turn.audience)

    def _message_id(self) -> int:
        """A new message's id, which says when it was sent."""
        since_epoch_ms = int(self.clock.now().timestamp() * 1000) - DISCORD_EPOCH_MS
        return (since_epoch_ms << 22) + next(self.numbers)

    def _post(self, event: Event) -> None:
        self.events[event.message_id] = event
        self.posts[event.message_id] = Post(
            event.message_id, event.channel_id, event.author_id, event.text, event.created_at
        )

    async def _withhold(self, member: Member, channel_id: int) -> None:
        """Let a member say what may not be stored, and another ask about it at once and later."""
        ways = (self._ignored, self._frozen, self._watched, self._direct_message)
        way = self.random.choice(ways)
        before = len(self.withheld)
        await way(member, channel_id)
        self.withheld_by_way[way.__name__.strip("_")] += len(self.withheld) - before

    async def _ignored(self, member: Member, channel_id: int) -> None:
        await self.settings.ignore(member, ignored=True)
        await self._whisper(member, channel_id)
        await self.settings.ignore(member, ignored=False)
        await self._ask_about_it(member, channel_id)

    async def _frozen(self, member: Member, channel_id: int) -> None:
        await self.settings.set_values(GUILD, frozen=True)
        await self._whisper(member, channel_id)
        await self.settings.set_values(GUILD, frozen=False)
        await self._ask_about_it(member, channel_id)

    async def _watched(self, member: Member, channel_id: int) -> None:
        """Somebody who wants nothing kept talks to others in a watched channel."""
        stranger = Member(GUILD, STRANGER)
        statement = self._statement()
        self.withheld.update(SECRET.findall(statement))
        self.watching.say(statement, stranger, channel_id=channel_id, source_id=channel_id)
        self.watching.say("I have a hat", member, channel_id=channel_id, source_id=channel_id)
        await self.watching.watcher.settle()

    async def _direct_message(self, member: Member, channel_id: int) -> None:
        """The same member wants nothing kept of their direct messages."""
        alone = Member(DIRECT_MESSAGES, member.user_id)
        await self.service.set_consent(alone, Consent.OFF)
        await self._whisper(alone, DIRECT_CHANNEL + member.user_id)

    async def _whisper(self, member: Member, channel_id: int) -> None:
        """Let a member say something that may not be stored, and have it answered twice."""
        place = {"guild_id": member.guild_id, "is_stored": False}
        await self._say(member.user_id, channel_id, self._statement(), **place)
        if member.guild_id == GUILD:
            await self._ask_about_it(member, channel_id)
        await self._say(member.user_id, channel_id, "Which ones?", **place)

    async def _ask_about_it(self, member: Member, channel_id: int) -> None:
        other_id = self.random.choice([user_id for user_id in NAMES if user_id != member.user_id])
        asked = f"What was that, {NAMES[member.user_id]}?"
        await self._say(other_id, channel_id, asked, about=member.user_id, is_stored=False)

    def _statement(self) -> str:
        owned = (f"a {self._thing()} called {self._secret()}ings" for _ in range(2))
        return f"I own {' and '.join(owned)}"

    def _secret(self) -> str:
        """A new word; no letter is doubled, which a stemmer would undo before an ending."""
        return "zqa" + "".join(self.random.sample(LETTERS, 8))

    def _thing(self) -> str:
        return self.random.choice(THINGS)

    # --- erasing -------------------------------------------------------------------------------

    async def _erase(self) -> set[str]:
        """Erase in one of the six ways; returns the secrets that are gone by that."""
        ways = (
            self._forget_all, self._turn_off, self._forget_one,
            self._delete, self._edit, self._erase_by_operator,
        )  # fmt: skip
        way = self.random.choice(ways)
        gone = await way()
        self.erased |= gone
        self.erased_by_way[way.__name__.strip("_")] += len(gone)
        for secret in gone:
            del self.told[secret]
        return gone

    async def _forget_all(self) -> set[str]:
        member = self._member()
        await self.service.forget_all(member)
        return self._of(member)

    async def _turn_off(self) -> set[str]:
        member = self._member()
        gone = self._of(member)
        await self.service.set_consent(member, Consent.OFF)
        before = len(self.withheld)
        await self._whisper(member, CHANNEL)
        await self._say(member.user_id, CHANNEL, "What does Bob own?", about=20, is_stored=False)
        self.withheld_by_way["turn_off"] += len(self.withheld) - before
        await self.service.set_consent(member, Consent.LASTING)
        await self._ask_about_it(member, CHANNEL)
        return gone

    async def _erase_by_operator(self) -> set[str]:
        member = self._member()
        await self.retention.erase_member(member.user_id)
        await self.service.set_consent(member, Consent.LASTING)
        return self._of(member)

    async def _forget_one(self) -> set[str]:
        gone = set()
        for _ in range(3):
            member = self._member()
            rows = (await self.member_data.show(member)).rows
            if rows:
                row = self.random.choice(rows)
                assert await self.service.forget(member, row.id)
                gone |= {secret for secret in SECRET.findall(row.text) if secret in self.told}
        return gone

    async def _delete(self) -> set[str]:
        gone = set()
        for event in self._some():
            self.posts.pop(event.message_id, None)
            await self.recorder.retract(GUILD, [event.message_id])
            gone |= self._told_in(event)
        return gone

    async def _edit(self) -> set[str]:
        gone = set()
        for event in self._some():
            edited = replace(
                event, text="I own nothing at all", revision=len(self.erased) + 7, attachments=()
            )
            await self.recorder.revise(edited, _audience(event.channel_id))
            self._post(edited)
            gone |= self._told_in(event)
        await self.recorder.settle()
        return gone

    def _member(self) -> Member:
        return Member(GUILD, self.random.choice(list(NAMES)))

    def _of(self, member: Member) -> set[str]:
        return {secret for secret, event in self.told.items() if event.member == member}

    def _some(self) -> list[Event]:
        events = {event.message_id: event for event in self.told.values()}
        return self.random.sample(list(events.values()), min(3, len(events)))

    def _told_in(self, event: Event) -> set[str]:
        return {secret for secret, told in self.told.items() if told.message_id == event.message_id}

    async def remove_answers(self) -> None:
        """Delete on Discord what is queued for that, as it is said after an erasure."""
        self.signals.removals.emit()
        for removal in await self.removals.due(lambda _: True, 10_000):
            self.posts.pop(removal.message_id, None)
            await self.removals.finish(removal)

    async def show_notes(self) -> None:
        """Show below the answers on Discord what was noted, and take away what is erased."""
        while due := await self.marks.due(lambda _: True, 100):
            for message in due:
                if message.mark is NotedMark.WAITING and message.texts:
                    await self.marks.move_to_answer(message)
                    continue
                post = self.posts.get(message.message_id)
                if post is not None:
                    line = f"\n{noted_line(message.texts)}" if message.texts else ""
                    text = without_lines(post.text, NOTED_LINE) + line
                    self.posts[post.message_id] = replace(post, text=text)
                    self.lines += bool(SECRET.search(line))
                is_shown = post is not None and bool(message.texts)
                await (self.marks.settle if is_shown else self.marks.remove)(message)

    # --- looking -------------------------------------------------------------------------------

    def _seen(self) -> tuple[int, int, int]:
        """How much the models were shown so far."""
        return len(self.model.prompts), len(self.extractor.readings), len(self.scribe.asked)

    async def residue(self, erased: set[str], seen: tuple[int, int, int]) -> list[str]:
        """Where an erased secret is: tables, files, prompts since ``seen``, Kith's posts."""
        await self.database.finish_scrubbing()
        prompts, readings, asked = seen
        texts = {
            **await self.database.read(_dump),
            **await self._exports(),
            "a prompt": "\n".join(self.model.prompts[prompts:]),
            "an extraction": repr(self.extractor.readings[readings:]),
            "a summary's prompt": repr(self.scribe.asked[asked:]),
            "process memory": repr(self.prepared_texts()),
            "caches": _remembered(),
            "a post": "\n".join(
                post.text for post in self.posts.values() if post.author_id == KITH_ID
            ),
        }
        places = [
            f"{place}: {secret}"
            for place, text in texts.items()
            for secret in sorted(self.erased.intersection(SECRET.findall(text)))
        ]
        places += [
            f"{place}: {secret}, which was withheld"
            for place, text in texts.items()
            if place not in ("a prompt", "a post")
            for secret in sorted(self.withheld.intersection(SECRET.findall(text)))
        ]
        for vector in await self.database.read(_texts_of_vectors):
            made_of = SECRET.findall(self.text_of_vector.get(vector, ""))
            places += [
                f"a vector: {secret}" for secret in sorted(self.erased.intersection(made_of))
            ]
        hashes = {_hash_of(_file_text(secret)): secret for secret in self.erased | self.withheld}
        places += [
            f"{place}: the hash of {hashes[found]}"
            for place, text in texts.items()
            for found in sorted(hashes.keys() & set(SHA256.findall(text)))
        ]
        for file in files_of(self.url):
            content = file.read_bytes().lower()
            places += [
                f"{file.name}: {secret}"
                for secret in erased | self.withheld
                if secret[-SUFFIX:].encode() in content
            ]
        return places

    def prepared_texts(self) -> list[object]:
        """What recall keeps in process memory of members and servers."""
        reader = self.reader
        documents = [
            part
            for prepared in reader._prepared._members.values()
            for part in (prepared.rows, prepared.said)
        ]
        documents += reader._server_context.lore.values()
        texts: list[object] = [[part._made, part._texts] for part in documents]
        texts += [[part._topics, part._fact_keys] for part in documents if hasattr(part, "_topics")]
        texts += [part.stems._joined.decode() + part.stems._compounds for part in documents]
        return [*texts, *reader._server_context.past.values(), *reader._similar.queries]

    async def _exports(self) -> dict[str, str]:
        """What the members get as their data, and the archive of everything."""
        texts = {}
        for guild_id in (GUILD, DIRECT_MESSAGES):
            for user_id in (*NAMES, STRANGER):
                files = await self.member_data.export(Member(guild_id, user_id), UTC)
                texts[f"an export of {user_id}"] = files.json.decode().lower() + files.text.lower()
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "archive"
            await self.archive.export(target)
            texts["an archive"] = "".join(
                file.read_text(encoding="utf-8").lower() for file in sorted(target.iterdir())
            )
        return texts


def _remembered() -> str:
    """What cached functions, and dictionaries of Kith's modules, remember in this process."""
    modules = (module for name, module in sys.modules.items() if name.startswith("utils."))
    remembered = [value for module in modules for value in vars(module).values()]
    caches = (it for it in gc.get_objects() if isinstance(it, functools._lru_cache_wrapper))
    remembered = [value for value in remembered if isinstance(value, dict)]
    return repr([remembered, *(gc.get_referents(cached) for cached in caches)])


def _texts_of_vectors(connection) -> dict[tuple[str, int], str]:
    """What each vector was made of."""
    of_rows, of_events = memory_embedding.c, event_embedding.c
    return {
        (vectors.Id.table.name, vector_id): text
        for vectors, key, words in (
            (of_rows, of_rows.MemoryId == user_memory.c.Id, user_memory.c.Memory),
            (of_events, of_events.EventId == memory_event.c.Id, memory_event.c.Text),
        )
        for vector_id, text in connection.execute(select(vectors.Id, words).where(key))
    }


def _hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _file_text(secret: str) -> str:
    return f"a note about {secret}ings"


def _dump(connection) -> dict[str, str]:
    return {
        table.name: repr(connection.execute(select(table)).all()).lower()
        for table in metadata.sorted_tables
    }


def _describe(connection, event: Event, secret: str) -> None:
    """Store what a file says, as the attachment reader does."""
    text = _file_text(secret)
    row_id = connection.scalar(
        select(artifact.c.Id).where(artifact.c.MessageId == event.message_id)
    )
    assert attachments.claim(connection, row_id)
    assert attachments.finish(
        connection,
        event.member,
        row_id,
        AttachmentState.DONE,
        FileDescription(AttachmentKind.DOCUMENT, text, (text,)),
        [" ".join(stems(text))] * 2,
        _hash_of(text),
    )


def _file(secret: str):
    from utils.files.sniffing import declared_attachment

    return declared_attachment(
        f"{secret}ings.txt", "", len(secret) + 7, "https://cdn.discordapp.com/note"
    )


def _quotation(post: Post | None) -> QuotedMessage | None:
    if post is None:
        return None
    name = NAMES.get(post.author_id, "Kith")
    return QuotedMessage(
        name,
        without_lines(post.text),
        post.message_id,
        post.author_id,
        post.sent_at,
        is_kith=post.author_id == KITH_ID,
    )


def _audience(channel_id: int, guild_id: int = GUILD) -> Audience:
    sources = (*CHANNELS, RETELLING) if guild_id == GUILD else (channel_id,)
    return Audience(guild_id, channel_id, frozenset(sources), is_open=True)
