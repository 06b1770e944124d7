"""Plays a case on the real write and read paths, with a model that does what the attacker wants."""

import shutil
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from pathlib import Path

from sqlalchemy import select

from tests.adversarial.benign import Benign
from tests.adversarial.puppet import Puppet
from tests.adversarial.script import (
    DM,
    ELSEWHERE,
    GAMES,
    GENERAL,
    MALLORY,
    ROBIN,
    SAM,
    STAFF,
    Case,
    Choose,
    Delete,
    Edit,
    Forget,
    Kith,
    Later,
    Note,
    Say,
    Step,
)
from tests.fakes.clock import ManualClock
from tests.fakes.model_server import FakeModelServer, Handler, support_all
from utils.app import App
from utils.build import build
from utils.common.config import load_settings
from utils.database.core.engine import Connection
from utils.database.schema.memory_tables import metadata, user_memory, user_state
from utils.memory.verification.sentences import normalised
from utils.models.conversation import Turn
from utils.models.guild import GuildSettings
from utils.models.memory import DIRECT_MESSAGES, Audience, Consent, Event, Form, Member, Role
from utils.models.recall import Person

GUILD, OTHER_GUILD = 1, 2
PEOPLE = {ROBIN: 10, MALLORY: 20, SAM: 30}
KITH_ID = 2
CHANNELS = {GENERAL: 100, GAMES: 101, STAFF: 102, ELSEWHERE: 200}
OPEN = frozenset({100, 101})


@dataclass(frozen=True, slots=True)
class Breach:
    """What came of a case although it must not: lie, leak, residue or lost, and what it was."""

    kind: str
    what: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is said; whoever reads it can also read the server's open channels."""

    guild_id: int
    channel_id: int
    opened: frozenset[int] = frozenset()
    is_open: bool = False

    @property
    def audience(self) -> Audience:
        """Return who reads an answer here."""
        sources = self.opened | {self.channel_id}
        return Audience(self.guild_id, self.channel_id, sources, is_open=self.is_open)


# --- the stage ---------------------------------------------------------------------------------


@dataclass(slots=True)
class Scene:
    """A server of its own, with its members, in which one case is played."""

    app: App
    clock: ManualClock
    file: Path
    number: int = 0
    events: dict[str, Event] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    _ids: "count[int]" = field(init=False)
    _last: Event | None = None

    def __post_init__(self) -> None:
        self._ids = count(self.number * 1000 + 1)

    def id_of(self, who: str) -> int:
        """Return a member's id in this scene."""
        return self.number * 100 + PEOPLE[who]

    def member(self, who: str, where: str = GENERAL) -> Member:
        """Return a member in the server, or the space, of a place."""
        return Member(self.place(where, who).guild_id, self.id_of(who))

    def place(self, where: str, who: str = ROBIN) -> Place:
        """Return the place that a case names."""
        base = self.number * 1000
        if where == DM:
            return Place(DIRECT_MESSAGES, base + 900 + PEOPLE[who])
        guild_id = base + (OTHER_GUILD if where == ELSEWHERE else GUILD)
        opened = frozenset() if where == ELSEWHERE else frozenset(base + one for one in OPEN)
        return Place(guild_id, base + CHANNELS[where], opened, is_open=where != STAFF)

    async def play(self, steps: Iterable[Step], consent: Consent = Consent.LASTING) -> None:
        """Carry out steps, then read what waits."""
        steps = tuple(steps)
        said = {(one.who, one.where) for one in steps if isinstance(one, Say)}
        for member in {self.member(who, where) for who, where in said}:
            await self.app.memory.editor.set_consent(member, consent)
        for step in steps:
            await self._carry_out(step)
        await self.app.memory.recorder.settle()

    async def hear(self, event: Event, place: Place) -> Event:
        """Let Kith hear a message."""
        await self.app.memory.recorder.record(event, place.audience)
        self._last = event
        return event

    async def _carry_out(self, step: Step) -> None:
        if isinstance(step, Say):
            await self._say(step)
        elif isinstance(step, Kith):
            await self._answer(step)
        elif isinstance(step, Later):
            await self.app.memory.recorder.settle()
            self.clock.jump(timedelta(minutes=step.minutes))
        elif isinstance(step, Edit):
            await self._edit(step)
        elif isinstance(step, Delete):
            await self.app.memory.recorder.settle()
            ids = [self.events[label].message_id for label in step.labels]
            await self.app.memory.editor.retention.retract(self.place(GENERAL).guild_id, ids)
        elif isinstance(step, Forget):
            await self._forget(step)
        elif isinstance(step, Choose):
            await self.app.memory.editor.set_consent(self.member(step.who), step.consent)
        else:
            await self.app.memory.recorder.settle()

    async def _say(self, step: Say) -> None:
        place = self.place(step.where, step.who)
        self.names[step.who] = step.name or self.names.get(step.who, step.who)
        replied_to = self.events[step.reply_to] if step.reply_to else None
        event = self.event(place, self.id_of(step.who), self.names[step.who], step.text)
        event = replace(event, reply_to_id=replied_to.message_id if replied_to else None)
        self.events[step.label] = await self.hear(event, place)

    async def _answer(self, step: Kith) -> None:
        to = self._last
        assert to is not None, "Kith only answers"
        place = self._place_of(to)
        event = self.event(place, KITH_ID, "Kith", step.text)
        event = replace(event, reply_to_id=to.message_id, about_ids=(to.author_id,))
        self.events[step.label] = await self.hear(event, place)

    async def _edit(self, step: Edit) -> None:
        await self.app.memory.recorder.settle()
        old = self.events[step.label]
        new = replace(old, text=step.text, revision=1)
        await self.app.memory.recorder.revise(new, self._place_of(old).audience)
        self.events[step.label] = self._last = new

    async def _forget(self, step: Forget) -> None:
        await self.app.memory.recorder.settle()
        member = self.member(step.who, step.where)
        if not step.memory:
            await self.app.memory.editor.forget_all(member)
            return
        for row in (await self.app.memory.member_data.show(member)).rows:
            if step.memory in row.text:
                await self.app.memory.editor.forget(member, row.id)

    def event(self, place: Place, author_id: int, name: str, text: str) -> Event:
        """Return a message as it would be heard now."""
        return Event(
            guild_id=place.guild_id,
            channel_id=place.channel_id,
            source_id=place.channel_id,
            message_id=next(self._ids),
            author_id=author_id,
            author_name=name,
            role=Role.KITH if author_id == KITH_ID else Role.MEMBER,
            text=text,
            created_at=self.clock.now(),
        )

    def _place_of(self, event: Event) -> Place:
        places = [self.place(where, who) for where in (*CHANNELS, DM) for who in PEOPLE]
        return next(one for one in places if one.channel_id == event.channel_id)

    # --- looking afterwards --------------------------------------------------------------------

    async def kept(self) -> list[tuple[int, str]]:
        """Return whose every note is and what it says, and every profile.

        A quote claims nothing: it is what its author said.
        """
        ids = [self.id_of(who) for who in PEOPLE]

        def unit(connection: Connection) -> list[tuple[int, str]]:
            rows = select(user_memory.c.UserId, user_memory.c.Memory).where(
                user_memory.c.Form == Form.NOTE
            )
            notes = select(user_state.c.UserId, user_state.c.UserNotes)
            found = [
                *connection.execute(rows.where(user_memory.c.UserId.in_(ids))).all(),
                *connection.execute(notes.where(user_state.c.UserId.in_(ids))).all(),
            ]
            return [(user_id, text) for user_id, text in found if text]

        return await self.app.database.read(unit)

    async def prompts(self, question: str) -> list[tuple[str, str, str]]:
        """Return, for whoever asks anywhere: the place, what is recalled, and the whole prompt."""
        found = []
        asking = [(MALLORY, where) for where in CHANNELS] + [(who, DM) for who in PEOPLE]
        for who, where in asking:
            place = self.place(where, who)
            event = self.event(place, self.id_of(who), who, question)
            names = [who, *(name for name in PEOPLE if name != who)]
            people = tuple(Person(self.id_of(name), name) for name in names)
            settings = GuildSettings(place.guild_id, consent_default=Consent.LASTING)
            turn = Turn(event, place.audience, people, settings)
            prepared = await self.app.conversation.prepare(turn)
            prompt = "\n".join(message.text for message in prepared.messages[:-1])
            name = f"{DM} {who}" if where == DM else where
            found.append((name, prepared.recall.block, prompt + prepared.recall.block))
        return found

    async def remains(self, text: str) -> list[str]:
        """Return where a text is still found once files are compacted: in which tables, files."""
        await self.app.database.finish_scrubbing()

        def unit(connection: Connection) -> list[str]:
            return [
                table.name
                for table in metadata.sorted_tables
                for row in connection.execute(select(table)).all()
                if any(text.casefold() in str(value).casefold() for value in row)
            ]

        tables = await self.app.database.read(unit)
        raw = text.casefold().encode()
        files = [one for one in self.file.parent.iterdir() if raw in one.read_bytes().lower()]
        return [*tables, *(one.name for one in files)]


async def make_template(file: Path) -> None:
    """Make an empty, migrated database to be copied."""
    settings = load_settings(
        env_file=None, database_url=f"sqlite:///{file}", openai_base_url="http://127.0.0.1:1/v1"
    )
    app = build(settings, ManualClock())
    await app.start()
    await app.close()


@asynccontextmanager
async def stage(template: Path, folder: Path, server: FakeModelServer) -> AsyncIterator[Scene]:
    """Open a database in ``folder``, copied from a migrated ``template``, and its first scene."""
    file = folder / "kith.db"
    shutil.copyfile(template, file)
    clock = ManualClock()
    settings = load_settings(
        env_file=None,
        database_url=f"sqlite:///{file}",
        openai_base_url=server.base_url,
        daily_token_budget=1_000_000_000,
    )
    app = build(settings, clock)
    await app.start()
    try:
        yield Scene(app, clock, file)
    finally:
        await app.close()


# --- judging -----------------------------------------------------------------------------------


async def attempt(
    case: Case, scene: Scene, server: FakeModelServer, *, verify: Handler | None = None
) -> list[Breach]:
    """Play a case and return what came of it although it must not.

    ``verify`` answers for the verifier, which is honest by default.
    """
    puppet = Puppet((*case.lies, *case.echoes), case.truths, case.profile_update)
    server.extract_with(puppet.extract)
    server.verify_with(verify or puppet.verify)
    await scene.play(case.steps)
    kept = await scene.kept()
    question = (
        " ".join(note.memory for note in (*case.lies, *case.echoes, *case.truths))
        or "what do you know?"
    )
    prompts = await scene.prompts(question[:500])
    return [
        *_lies(case, scene, kept, [block for _, block, _ in prompts]),
        *_leaks(case, prompts),
        *[
            Breach("residue", f"{text} in {where}")
            for text in case.gone
            for where in await scene.remains(text)
        ],
        *_lost(case, kept),
    ]


def _lies(
    case: Case, scene: Scene, kept: Sequence[tuple[int, str]], blocks: Sequence[str]
) -> list[Breach]:
    """Find what is kept, or told, although it is not true of the victim, or of anybody."""
    forbidden = {*case.never, *(note.memory for note in case.lies)}
    victims = [scene.id_of(who) for who in ([case.victim] if case.victim else PEOPLE)]
    texts = [text for user_id, text in kept if user_id in victims]
    if not case.victim:
        texts += [_without_quotes(block) for block in blocks]
    return [
        Breach("lie", text)
        for text in sorted(forbidden)
        if any(_is_in(text, other) for other in texts)
    ]


def _without_quotes(block: str) -> str:
    """Return what a block says itself, without what it quotes of people, each under their name."""
    return "\n".join(line for line in block.splitlines() if not line.startswith("Said: "))


def _leaks(case: Case, prompts: Sequence[tuple[str, str, str]]) -> list[Breach]:
    return [
        Breach("leak", f"{text} in {where}")
        for text, places in case.private
        for where, _, prompt in prompts
        if where not in places and _is_in(text, prompt)
    ]


def _lost(case: Case, kept: Sequence[tuple[int, str]]) -> list[Breach]:
    """Find truths that were not kept: a case in which nothing can be learnt proves nothing."""
    return [
        Breach("lost", note.memory)
        for note in case.truths
        if not any(_is_in(note.memory, text) for _, text in kept)
        and not any(text.casefold() in note.memory.casefold() for text in case.gone)
    ]


def new_scene(scene: Scene) -> Scene:
    """Return another server on the same stage, in which nothing has happened yet."""
    scene.number += 1
    return Scene(scene.app, scene.clock, scene.file, scene.number)


def _is_in(text: str, other: str) -> bool:
    wanted = normalised(text)
    return wanted in normalised(other) if wanted else text in other


async def refusal(case: Benign, scene: Scene, server: FakeModelServer) -> str | None:
    """Let a member say it and a good model note it; returns why it was refused, if it was."""
    await scene.app.memory.editor.set_consent(scene.member(ROBIN), Consent.LASTING)
    place = scene.place(GENERAL)
    note = Note(case.memory, case.quote or case.said)
    server.extract_with(Puppet(truths=[note]).extract)
    server.verify_with(support_all)
    for index, (name, text) in enumerate(case.around):
        other = scene.id_of(SAM) + 1 + index
        await scene.hear(scene.event(place, other, name, text), place)
    if case.asked:
        greeting = await scene.hear(scene.event(place, scene.id_of(ROBIN), ROBIN, "hi"), place)
        await scene.app.memory.recorder.settle()
        asked = scene.event(place, KITH_ID, "Kith", case.asked)
        await scene.hear(replace(asked, reply_to_id=greeting.message_id), place)
    for text in (*case.earlier, case.said):
        await scene.hear(scene.event(place, scene.id_of(ROBIN), ROBIN, text), place)
    before = scene.app.memory.recorder.extraction.refused.copy()
    await scene.app.memory.recorder.settle()
    if (await scene.app.memory.member_data.show(scene.member(ROBIN))).rows:
        return None
    reasons = scene.app.memory.recorder.extraction.refused - before
    return next(iter(reasons), "nothing noted")
