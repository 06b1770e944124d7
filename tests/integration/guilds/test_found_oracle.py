"""Random questions for others, names and facts: told is what an oracle says may be told, no more.

The oracle reads what was put in, not the database: who said what, where, and what they chose since.
"""

import random
from dataclasses import dataclass
from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from tests.fakes.builders import CHANNEL, GUILD, NOON
from utils.database.core.engine import Connection
from utils.database.schema.memory_tables import user_memory, user_state
from utils.guilds.known_members import KnownMembers
from utils.guilds.who_else import MAX_FOUND, WhoElse
from utils.memory.consolidation.wording import search_stems
from utils.models.guild import GuildSettings
from utils.models.memory import SERVER_USER_ID, Audience, Consent, Form, Kind, Member, Status
from utils.models.policy import WritePolicy
from utils.models.recall import Person

QUICK, LONG = 60, 500  # rounds: each asks for a topic and for a name
CHANGES_EVERY = 2
USERS = range(10, 26)
PLACES = range(CHANNEL, CHANNEL + 6)
TOPICS = ["oboe", "judo", "kayak", "chess", "rugby", "opera", "sushi", "yoga"]
NAMES = ["Cap", "Zip", "Dot", "Fox"]
SETTINGS = GuildSettings(GUILD)
FREE = {
    "Consent": None,
    "ConsentAskedAt": NOON,
    "NotFindable": False,
    "Ignored": False,
    "LeftAt": None,
}
HIDING = [
    {"Consent": Consent.OFF},
    {"NotFindable": True},
    {"Ignored": True},
    {"LeftAt": NOON},
    {"ConsentAskedAt": None},
]


@dataclass(frozen=True, slots=True)
class Row:
    """What somebody said, and whether it is a note that may be told at all."""

    id: int
    user_id: int
    place: int
    word: str
    is_name: bool
    is_told: bool


def fill(connection: Connection, dice: random.Random) -> list[Row]:
    """Store random notes, quotes, names and facts; returns what was put in."""
    rows = []
    for user_id in (SERVER_USER_ID, *USERS):
        state = {"GuildId": GUILD, "UserId": user_id, "UserNotes": "", "NotesRowIds": "", **FREE}
        connection.execute(insert(user_state).values(**state, PassiveOptIn=False, MemoryVersion=1))
    for number in range(1, 400):
        is_fact, is_name = dice.random() < 0.15, dice.random() < 0.2
        word = dice.choice(NAMES if is_name else TOPICS)
        text = f"goes by {word}" if is_name else f"{word} evening is on Friday"
        user_id = SERVER_USER_ID if is_fact else dice.choice(USERS)
        kinds = [
            (Form.NOTE, Status.ACTIVE, None, ""),
            (Form.QUOTE, Status.ACTIVE, None, ""),
            (Form.NOTE, Status.PROPOSED, None, ""),
            (Form.NOTE, Status.SHADOW, None, ""),
            (Form.NOTE, Status.ACTIVE, NOON - timedelta(days=1), ""),
            (Form.NOTE, Status.ACTIVE, None, "don't tell anyone about this"),
        ]
        chosen = dice.choices(kinds, [10, 1, 1, 1, 1, 1])[0]
        form, status, ends, source = chosen
        place = dice.choice(PLACES)
        connection.execute(
            insert(user_memory).values(
                Id=number, Uid=f"{number:032x}", GuildId=GUILD, UserId=user_id, ChannelId=place,
                Memory=text, Topics="", Importance=2,
                Kind=Kind.SERVER_FACT if is_fact else Kind.FACT,
                FactKey="name" if is_name else "", Source="chat", Status=status, Confidence=0.9,
                EvidenceCount=1, SearchStems=search_stems(text, source), CreatedAt=NOON,
                LastConfirmedAt=NOON, ExpiresAt=ends, UseCount=0, Form=form,
            )
        )  # fmt: skip
        rows.append(Row(number, user_id, place, word, is_name, chosen == kinds[0]))
    return rows


async def ask(database, clock, reader, questions: int, seed: int) -> int:
    """Ask random questions, and compare each answer with the oracle's; returns how many told."""
    dice, told = random.Random(seed), 0
    rows = await database.write(lambda c: fill(c, dice))
    members = KnownMembers(database, clock)
    for user_id in USERS:
        members.update_names(GUILD, user_id, [f"user{user_id}"])
    who_else = WhoElse(database, clock, members, WritePolicy())
    hidden: set[int] = set()
    for number in range(questions):
        if number % CHANGES_EVERY == 0:
            user_id = dice.choice(USERS)
            values = FREE | (dice.choice(HIDING) if dice.random() < 0.5 else {})
            hidden = hidden - {user_id} | ({user_id} if values != FREE else set())
            change = update(user_state).where(user_state.c.UserId == user_id).values(**values)
            await database.write(lambda c, change=change: c.execute(change))
        places = frozenset(dice.sample(PLACES, dice.randint(1, 4)))
        audience = Audience(GUILD, min(places), places)
        asker, topic, name = dice.choice(USERS), dice.choice(TOPICS), dice.choice(NAMES)
        may_tell = [row for row in rows if row.is_told and row.place in places]
        of_members = [row for row in may_tell if row.user_id not in {SERVER_USER_ID, *hidden}]

        found = await who_else.find(Member(GUILD, asker), audience, topic, SETTINGS)
        newest: dict[int, int] = {}
        for row in reversed(of_members):
            if row.word == topic and row.user_id != asker:
                newest.setdefault(row.user_id, row.id)
        expected = list(newest.items())[:MAX_FOUND]
        assert [(member.row.user_id, member.row.id) for member in found] == expected

        named = await members.resolve(audience, f"where is {name} now?", SETTINGS)
        bearers = {row.user_id for row in of_members if row.word == name}
        assert {person.user_id for person in named.everybody} == bearers
        assert bool(named.unclear) == (len(bearers) > 1)

        if number % 20 == 0:
            people = [Person(asker, f"user{asker}")]
            block = (await reader.recall(audience, people, topic, settings=SETTINGS)).block
            is_said = f'A member said here: "{topic}' in block
            facts = [row for row in may_tell if row.user_id == SERVER_USER_ID]
            assert not is_said or any(row.word == topic for row in facts)  # others may rank higher
            told += is_said
        told += bool(found) + bool(bearers)
    return told


async def test_random_questions_are_answered_as_the_oracle_says(database, clock, reader):
    assert await ask(database, clock, reader, QUICK, 1) > QUICK / 2


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_many_random_questions_are_answered_as_the_oracle_says(database, clock, reader):
    assert await ask(database, clock, reader, LONG, 2) > LONG / 2
