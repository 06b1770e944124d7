"""/memory search and /mod search, as members and moderators use them."""

import re

from tests.e2e.den import Den
from tests.e2e.test_commands_e2e import use
from tests.e2e.test_control_e2e import let_moderators_look
from tests.fakes.discord import perms

WORDS_ONLY = "-# I looked for the words only, not for what means the same in others."
NOTHING = "I find nothing that has all of these words."
VIEWED = "looked at this"


# --- members ------------------------------------------------------------------------------------


async def test_members_find_their_own_memories_and_nobody_elses(kith: Den) -> None:
    await kith.teach(kith.alice, "I have a dog named Rex. I love tea")
    await kith.teach(kith.bob, "I have a dog named Bello")
    found = await use(kith, kith.alice, "memory search", words="DOGS")
    assert found.ephemeral
    assert found.content.startswith("**What I know of you here with “DOGS”**")
    assert found.content.endswith(WORDS_ONLY), "no embeddings are set"
    assert "has a dog named Rex" in found.content
    assert "tea" not in found.content
    assert "Bello" not in found.content
    assert NOTHING in (await use(kith, kith.alice, "memory search", words="bello")).content


async def test_a_question_is_answered_within_a_kind_a_time_and_a_channel(kith: Den) -> None:
    await kith.teach(kith.alice, "I have a dog named Rex. I love long walks")
    question = "Which dog goes on walks with me?"
    found = await use(kith, kith.alice, "memory search", words=question)
    lines = found.content.splitlines()
    assert lines[2] == "-# Related, the best first:"
    assert {"Rex", "long walks"} == {
        words for line in lines[3:5] for words in ("Rex", "long walks") if words in line
    }
    limits = {"kind": "fact", "when": "today", "channel": kith.general}
    found = await use(kith, kith.alice, "memory search", words=question, **limits)
    assert found.content.splitlines()[1] == f"-# Only fact · today · <#{kith.general.id}>"
    assert "long walks" in found.content and "Rex" in found.content
    await let_moderators_look(kith)
    found = await use(kith, kith.moderator, "mod search", words=question, kind="fact")
    assert "long walks" in found.content and "Rex" in found.content
    assert VIEWED in (await use(kith, kith.alice, "memory show")).content
    elsewhere = kith.guild.add_text_channel("elsewhere")
    for command, choices in (
        ("memory search", {"channel": elsewhere}),
        ("memory search", {"kind": "preference"}),
        ("mod search", {"channel": elsewhere}),
        ("memory search", {"when": "last year"}),
    ):
        found = await use(
            kith,
            kith.alice if "memory" in command else kith.moderator,
            command,
            words="dog",
            **choices,
        )
        assert NOTHING in found.content
    wrong = await use(kith, kith.alice, "memory search", words="dog", when="purple")
    assert wrong.content.startswith("I do not understand that time")


# --- moderators ---------------------------------------------------------------------------------


async def test_moderators_find_everybodys_memories_and_members_see_who_looked(kith: Den) -> None:
    await let_moderators_look(kith)
    await kith.teach(kith.alice, "I have a dog named Rex")
    await kith.teach(kith.bob, "I have a dog named Bello")
    eve = kith.guild.add_member("Eve")
    await kith.teach(eve, "I love tea")
    found = await use(kith, kith.moderator, "mod search", words="dogs")
    assert found.ephemeral
    assert not kith.fake.pings(found).users
    lines = found.content.splitlines()
    assert lines[0] == "**What I know of members here with “dogs”**"
    assert lines[2].startswith(f"<@{kith.bob.id}>: `#")
    assert "Bello" in lines[2]
    assert lines[3].startswith(f"<@{kith.alice.id}>: `#")
    assert lines[4:] == ["", WORDS_ONLY]
    for member, is_seen in ((kith.alice, True), (kith.bob, True), (eve, False)):
        page = (await use(kith, member, "memory show")).content
        assert (f"A moderator (<@{kith.moderator.id}>) {VIEWED}" in page) is is_seen


async def test_moderators_find_nothing_said_elsewhere(kith: Den) -> None:
    await let_moderators_look(kith)
    secret = kith.guild.add_text_channel("secret", private=True)
    for one in (kith.alice, kith.guild.bot_role):
        secret.overwrite(one, allow=perms("view_channel", "read_message_history", "send_messages"))
    await kith.teach(kith.alice, "I have a hidden dog", secret)
    await kith.teach(kith.alice, "I have a private dog", kith.dm(kith.alice))
    assert NOTHING in (await use(kith, kith.moderator, "mod search", words="dog")).content
    one = await use(kith, kith.moderator, "mod search", words="dog", member=kith.alice)
    assert NOTHING in one.content
    assert VIEWED not in (await use(kith, kith.alice, "memory show")).content


async def test_a_message_of_which_nothing_was_noted_is_shown_found_and_forgotten(
    kith: Den,
) -> None:
    await kith.talk(kith.alice, "blue cheese is what I adore")
    assert (
        "I also keep your last message here until"
        in (await use(kith, kith.alice, "memory show")).content
    )
    found = await use(kith, kith.alice, "memory search", words="cheeses")
    (number,) = re.findall(r"`(m\d+)` “blue cheese is what I adore”", found.content)
    why = await use(kith, kith.alice, "memory why", memory=number)
    assert "Nothing is noted from it" in why.content
    assert NOTHING in (await use(kith, kith.bob, "memory search", words="cheese")).content
    theirs = await use(kith, kith.bob, "memory forget", memory=number)
    assert theirs.content == f"There is no message {number} of yours here."
    gone = await use(kith, kith.alice, "memory forget", memory=number)
    assert gone.content == f"Forgotten: {number}."
    assert NOTHING in (await use(kith, kith.alice, "memory search", words="cheese")).content
    await kith.talk(kith.bob, f"what does <@{kith.alice.id}> adore, cheese?")
    assert "blue cheese" not in str(kith.prompts()[-1]["messages"])
