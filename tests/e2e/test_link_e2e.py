"""/kith link: two accounts of one person, recalled together while both want it."""

from datetime import timedelta

from sqlalchemy import select

from tests.e2e.den import DAY_S, Den
from tests.e2e.test_audience_e2e import private_channel
from tests.e2e.test_chat_tools_e2e import calling
from tests.e2e.test_commands_e2e import choices, use
from tests.fakes.discord import Channel, Message, User
from tests.fakes.discord import Member as Person
from utils.database.messages import open_loops
from utils.database.schema.memory_tables import account_link
from utils.memory.privacy.pruning import prune
from utils.models.memory import Consent, Member
from utils.models.policy import WritePolicy

FORGETTABLE = ("memory forget", "memory", "dog")


async def name(
    kith: Den, who: Person, other: Person | User, place: Channel | None = None
) -> Message:
    """Name another account as one's own and say so again; returns what the person reads then."""
    options = {"other": other}
    used = await kith.fake.slash(who, place or kith.general, "kith link", options)
    question = await used.reply()
    if not question.components:  # it was refused
        return question
    assert f"Is <@{other.id}> really your own account?" in question.content
    await kith.fake.click(who, question, "It is mine")
    return await used.edited()


async def link_both(kith: Den) -> None:
    await name(kith, kith.alice, kith.bob)
    await name(kith, kith.bob, kith.alice)


async def names(kith: Den) -> list[tuple[int, int]]:
    """Who in this server names whom, as stored."""
    columns = account_link.c
    here = columns.UserId.in_(kith.guild.members)
    rows = await kith.app.database.read(
        lambda s: s.execute(select(columns.UserId, columns.OtherId).where(here)).all()
    )
    return [tuple(row) for row in rows]


async def test_two_accounts_that_name_each_other_are_recalled_together(kith: Den) -> None:
    await kith.teach(kith.alice, "I have a dog named Rex")
    await kith.teach(kith.bob, "I love sailing boats")
    assert (await name(kith, kith.bob, kith.alice)).content.startswith("Noted. Now let <@")
    await kith.talk(kith.bob, "what dog do I have?")
    assert "Rex" not in kith.last_words().partition("\nBob")[0]
    (row,) = (await kith.app.memory.member_data.show(Member(kith.guild.id, kith.alice.id))).rows
    assert "no memory" in (await use(kith, kith.bob, "memory forget", memory=str(row.id))).content
    assert (await name(kith, kith.alice, kith.bob)).content.startswith("Linked.")
    other = kith.guild.add_text_channel("other")
    await kith.talk(kith.bob, "what dog do I have, and what do I love?", other)
    block = kith.last_words()
    assert block.count("[What you know about") == 1
    assert "dog named Rex" in block
    assert "oves sailing boats" in block
    shown = await use(kith, kith.alice, "memory show")
    assert f"Linked with <@{kith.bob.id}>" in shown.content
    assert "oves sailing boats *(fact, <t:" in shown.content
    assert shown.content.count("from your linked account") == 1
    alice = Member(kith.guild.id, kith.alice.id)
    files = await kith.app.memory.member_data.export(alice, kith.clock.now().tzinfo)
    assert f"Your other account: {kith.bob.id}, linked." in files.text

    ended = await use(kith, kith.alice, "kith unlink")
    assert ended.content == "This account is no longer linked."
    assert await names(kith) == []
    await kith.talk(kith.bob, "what dog do I have?", kith.guild.add_text_channel("third"))
    assert "Rex" not in kith.last_words()


async def test_a_link_shows_an_account_only_what_it_can_read_and_others_nothing_of_it(
    kith: Den,
) -> None:
    staff = private_channel(kith.guild, "staff", kith.alice)
    await kith.teach(kith.alice, "I have a dog named Rex", staff)
    await kith.teach(kith.alice, "I own a kite")
    await kith.teach(kith.bob, "I love sailing boats")
    await link_both(kith)
    shown = await use(kith, kith.bob, "memory show")
    assert "owns a kite" in shown.content.lower()
    assert "Rex" not in shown.content
    assert "Rex" not in (await use(kith, kith.bob, "memory search", words="dog")).content
    assert not any("Rex" in choice for choice in await choices(kith, kith.bob, *FORGETTABLE))
    await kith.talk(kith.bob, "what dog do I have?")
    assert "Rex" not in kith.last_words()
    carol = kith.guild.add_member("Carol")
    other = kith.guild.add_text_channel("other")
    for person in (kith.alice, kith.bob):
        await kith.talk(
            carol, f"what does <@{person.id}> own, a kite, and what do they love?", other
        )
        block = kith.last_words().rpartition("</background>")[0]
        assert ("owns a kite" in block.lower()) == (person is kith.alice)
        assert ("sailing" in block) == (person is kith.bob)


async def test_what_was_said_to_one_account_is_found_and_forgotten_from_the_other(
    kith: Den,
) -> None:
    await kith.teach(kith.alice, "I have a dog named Rex")
    await kith.teach(kith.alice, "I have a cat named Tofu")
    await link_both(kith)
    found = (await use(kith, kith.bob, "memory search", words="dog")).content
    assert "from your linked account" in found
    kith.model.reply_with(calling("list_memories", {}))
    assert "Rex" in (await kith.talk(kith.bob, "what do you know about me?")).content
    used = await kith.fake.slash(kith.bob, kith.general, "memory forget", {"memory": "everything"})
    question = await used.reply()
    assert f"That includes your linked account <@{kith.alice.id}>." in question.content
    await kith.fake.click(kith.bob, question, "Keep it")
    assert await choices(kith, kith.bob, *FORGETTABLE) == ["has a dog named Rex (just now)"]
    (number,) = [
        row.id
        for row in (
            await kith.app.memory.member_data.show(Member(kith.guild.id, kith.alice.id))
        ).rows
        if "Rex" in row.text
    ]
    gone = await use(kith, kith.bob, "memory forget", memory=str(number))
    assert gone.content == f"Forgotten: #{number}."
    kith.model.reply_with(calling("forget", {"what": "cat named Tofu"}))
    assert "Forgotten" in (await kith.talk(kith.bob, "forget my cat named Tofu")).content
    await kith.calm()
    assert await kith.known_of(kith.alice) == []
    kith.model.reply_with("Nothing comes to mind.")
    for person in (kith.alice, kith.bob):
        await kith.talk(person, "what pet is mine?", kith.guild.add_text_channel("later"))
        assert "Rex" not in str(kith.prompts()[-1]["messages"])


async def test_only_the_account_that_said_it_corrects_it(kith: Den) -> None:
    await kith.teach(kith.alice, "I live in Porto")
    await link_both(kith)
    kith.model.reply_with(
        calling("correct", {"what": "lives in Porto", "memory": "lives in Lisbon"})
    )
    answer = await kith.talk(kith.bob, "actually I live in Lisbon, not in Porto")
    assert "cannot be corrected here" in answer.content
    assert "linked" not in answer.content, "others read the answer"
    assert await kith.known_of(kith.alice) == ["lives in Porto"]


async def test_what_one_account_wants_to_be_asked_is_cancelled_from_the_other(kith: Den) -> None:
    kith.model.reply_with(calling("ask_later", {"what": "how my exam went", "day": "tomorrow"}))
    await kith.talk(kith.alice, "ask me tomorrow how my exam went")
    await link_both(kith)
    kith.model.reply_with(calling("forget", {"what": "how my exam went"}))
    asked = await kith.talk(kith.bob, "forget that you wanted to ask me how my exam went")
    assert "how my exam went" in asked.content  # the other account's words are in the prompt
    assert "Forgotten" in (await kith.talk(kith.bob, "yes")).content
    alice, now = Member(kith.guild.id, kith.alice.id), kith.clock.now()
    assert await kith.app.database.read(open_loops.load_all, alice, now) == []


async def test_each_account_keeps_its_own_choices_and_audience(kith: Den) -> None:
    await kith.teach(kith.alice, "I have a dog named Rex")
    await link_both(kith)
    await kith.app.memory.editor.set_consent(Member(kith.guild.id, kith.bob.id), Consent.LASTING)
    await kith.app.guilds.settings.ignore(Member(kith.guild.id, kith.alice.id), ignored=True)
    await kith.app.memory.editor.set_consent(Member(kith.guild.id, kith.alice.id), Consent.OFF)
    await kith.talk(kith.bob, "what dog do I have?")
    assert "Rex" not in kith.last_words().rpartition("[What you know")[2]


async def test_naming_somebody_reveals_nothing_of_them(kith: Den) -> None:
    stranger = kith.guild.add_member("Stranger")
    off = kith.guild.add_member("Off")
    linked = kith.guild.add_member("Linked")
    await kith.app.memory.editor.set_consent(Member(kith.guild.id, off.id), Consent.OFF)
    await name(kith, linked, kith.bob)
    await name(kith, kith.bob, linked)
    said = {
        (await name(kith, kith.alice, other)).content.replace(str(other.id), "")
        for other in (stranger, off, linked)
    }
    assert len(said) == 1
    assert (kith.alice.id, linked.id) in await names(kith)
    assert len([one for one in await names(kith) if one[0] == kith.alice.id]) == 1
    await kith.teach(linked, "I have a dog named Rex")
    await kith.talk(kith.alice, "what dog do I have?", kith.guild.add_text_channel("other"))
    assert "Rex" not in kith.last_words()


async def test_a_name_that_nobody_answers_is_gone_after_a_day(own_kith: Den) -> None:
    await name(own_kith, own_kith.alice, own_kith.bob)
    own_kith.clock.shift(timedelta(seconds=DAY_S + 60))
    assert (await name(own_kith, own_kith.bob, own_kith.alice)).content.startswith("Noted.")
    assert await names(own_kith) == [(own_kith.bob.id, own_kith.alice.id)]
    await name(own_kith, own_kith.alice, own_kith.bob)
    own_kith.clock.shift(timedelta(seconds=2 * DAY_S))
    await prune(own_kith.app.database, own_kith.clock, WritePolicy())
    assert len(await names(own_kith)) == 2  # a link that holds is no request
    await use(own_kith, own_kith.bob, "kith unlink")
    await name(own_kith, own_kith.alice, own_kith.bob)
    own_kith.clock.shift(timedelta(seconds=2 * DAY_S))
    await prune(own_kith.app.database, own_kith.clock, WritePolicy())
    assert await names(own_kith) == []


async def test_nothing_is_linked_before_one_says_that_it_is_ones_own(kith: Den) -> None:
    used = await kith.fake.slash(kith.bob, kith.general, "kith link", {"other": kith.alice})
    question = await used.reply()
    assert question.ephemeral
    assert "can see what I know of the other, and have it forgotten" in question.content
    await kith.fake.click(kith.bob, question, "It is not mine")
    assert (await used.edited()).content == "Nothing was linked."
    assert await names(kith) == []


async def test_not_in_direct_messages_and_not_where_nothing_is_stored(kith: Den) -> None:
    refused = await use(kith, kith.alice, "kith link", kith.dm(kith.alice), other=kith.bob)
    assert refused.content.startswith("Accounts can only be linked in a server")
    await kith.app.memory.editor.set_consent(Member(kith.guild.id, kith.alice.id), Consent.OFF)
    refused = await name(kith, kith.alice, kith.bob)
    assert refused.content.startswith("I store nothing of this account here")


async def test_erasing_an_account_ends_its_links_and_those_who_named_it(kith: Den) -> None:
    await link_both(kith)
    await kith.app.admin.job_runs.retention.erase_member(kith.alice.id)
    assert await names(kith) == []
    await name(kith, kith.bob, kith.alice)
    await kith.app.admin.job_runs.retention.erase_member(kith.alice.id)
    assert await names(kith) == []
