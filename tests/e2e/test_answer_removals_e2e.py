"""Answers made from erased words are deleted on Discord too, and nothing quotes what is erased."""

from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import select

from tests.e2e.den import Den, Held
from tests.fakes.discord.things import PUBLIC_THREAD
from utils.database.erasure import answer_removals
from utils.database.schema.memory_tables import memory_event
from utils.memory.privacy import erasure, retraction
from utils.memory.privacy.answer_removals import PAUSES
from utils.models.memory import Consent, Member

MESSAGE = "/channels/*/messages/*"


def removals(den: Den):
    return den.client.get_cog("AnswerRemovalWorker")


async def learn_of_zanzibar(den: Den) -> None:
    await den.teach(den.alice, "I have a dog named Zanzibar")


@pytest.mark.parametrize(
    ("is_archived", "is_unstored"), [(False, False), (True, False), (False, True)]
)
async def test_the_answer_to_a_deleted_message_is_deleted_and_no_other(
    kith: Den, is_archived: bool, is_unstored: bool
) -> None:
    thread = kith.fake.world.make_thread(kith.general, "dogs", kith.alice.id, PUBLIC_THREAD, set())
    if is_unstored:  # the answer has a word of somebody of whom nothing is stored
        await kith.app.memory.editor.set_consent(
            Member(kith.guild.id, kith.moderator.id), Consent.OFF
        )
        await kith.talk(kith.moderator, "hello", thread)
    asked = await kith.say(kith.alice, "I have a dog named Zanzibar", thread)
    answer = await kith.answer_to(asked)
    other = await kith.talk(kith.bob, "How are you?", thread)
    await kith.calm()
    await kith.fake.archive_thread(thread, archived=is_archived)
    await kith.fake.delete(asked)
    await kith.fake.wait_deleted(answer)
    await kith.calm()
    assert not other.deleted


async def test_an_answer_about_somebody_goes_when_they_forget_it(kith: Den) -> None:
    await learn_of_zanzibar(kith)
    kith.model.reply_with("Alice's dog is called Zanzibar.")
    told = await kith.talk(kith.bob, "What dog does Alice have?")
    kith.model.reply_with("Fine, thanks!")
    aside = await kith.talk(kith.bob, "And how are you?")
    alice = Member(kith.guild.id, kith.alice.id)
    await kith.app.memory.editor.forget_all(alice)
    await kith.fake.wait_deleted(told)
    kith.model.reply_with("I don't know.")
    await kith.talk(kith.bob, "What was the dog called?")
    assert "Zanzibar" not in kith.last_words()
    assert not aside.deleted


async def test_an_answer_to_whom_nothing_is_stored_of_goes_too(kith: Den) -> None:
    await learn_of_zanzibar(kith)
    alice, bob = (Member(kith.guild.id, person.id) for person in (kith.alice, kith.bob))
    await kith.app.memory.editor.set_consent(bob, Consent.OFF)
    kith.model.reply_with("Alice's dog is called Zanzibar.")
    told = await kith.talk(kith.bob, f"What dog does <@{kith.alice.id}> have?")
    kith.model.reply_with("Fine, thanks!")
    aside = await kith.talk(kith.bob, "And how are you?")
    shown = ("Text", "Stems", "AuthorName", "ReplyToId", "AboutIds")
    answers = await kith.app.database.read(
        lambda connection: connection.execute(
            select(*(memory_event.c[name] for name in shown)).where(
                memory_event.c.MessageId.in_([told.id, aside.id])
            )
        ).all()
    )
    assert answers == [("", "", "", None, f" {kith.alice.id} ")]
    await kith.app.memory.editor.forget_all(alice)
    await kith.fake.wait_deleted(told)
    await kith.calm()
    assert not aside.deleted


async def test_an_answer_that_was_under_way_while_they_forgot_is_deleted(kith: Den) -> None:
    await learn_of_zanzibar(kith)
    held = Held("Alice's dog is called Zanzibar.")
    kith.model.reply_with(held)
    before = len(kith.prompts())
    asked = await kith.say(kith.bob, "What dog does Alice have?")
    await kith.wait_prompts(before + 1)
    await kith.app.memory.editor.forget_all(Member(kith.guild.id, kith.alice.id))
    held.release()
    await kith.fake.wait_deleted(await kith.answer_to(asked))
    kith.model.reply_with("I don't know.")
    await kith.talk(kith.bob, "What was the dog called?")
    assert "Zanzibar" not in kith.last_words()


async def test_a_deletion_that_discord_refuses_is_tried_again_after_a_restart(den: Den) -> None:
    async with den.awake():
        asked = await den.say(den.alice, "I have a dog named Zanzibar")
        answer = await den.answer_to(asked)
        den.fake.fail("DELETE", MESSAGE, status=403)
        await den.fake.delete(asked)
        await den.fake.wait_request("DELETE", "/channels/{channel_id}/messages/{message_id}")
        await den.calm()
        assert not answer.deleted
    den.clock.pass_time(PAUSES[0].total_seconds())
    async with den.awake():
        await den.fake.wait_deleted(answer)


async def test_a_reply_to_a_forgotten_message_does_not_quote_it(kith: Den) -> None:
    said = await kith.teach(kith.alice, "I have a dog named Zanzibar")
    await kith.app.memory.editor.forget_all(Member(kith.guild.id, kith.alice.id))
    reply = await kith.fake.say(kith.bob, kith.general, "<@bot> What is this?", reply_to=said)
    await kith.answer_to(reply)
    assert "Zanzibar" not in kith.last_words()


async def test_an_answer_that_quotes_what_was_said_to_others_goes_with_an_edit_of_it(
    kith: Den,
) -> None:
    said = await kith.fake.say(kith.alice, kith.general, "I have a dog named Zanzibar")
    asked = await kith.fake.say(kith.bob, kith.general, "<@bot> What is this?", reply_to=said)
    answer = await kith.answer_to(asked)
    await kith.fake.edit(said, "I have a dog")
    await kith.fake.wait_deleted(answer)


@pytest.mark.parametrize("way", ["erased", "edited"])
async def test_an_answer_goes_if_another_process_erases_or_edits_its_question_meanwhile(
    kith: Den, way: str
) -> None:
    held, alice = Held("What a zeppelin."), Member(kith.guild.id, kith.alice.id)
    kith.model.reply_with(held)
    asked = await kith.say(kith.alice, "I own a zeppelin")
    await held.asked.wait()
    elsewhere = (
        partial(erasure.forget_all, member=alice, now=kith.clock.now())
        if way == "erased"
        else partial(
            retraction.retract_messages,
            guild_id=kith.guild.id,
            message_ids=[asked.id],
            now=kith.clock.now(),
            until=7,
            new_text="I own a boat",
        )
    )
    await kith.app.database.write(elsewhere)  # it can't cancel what this process does
    held.release()
    await kith.answer_to(asked)
    await kith.fake.wait_until(lambda: not kith.answers(), "the answer is deleted")


async def test_an_answer_stays_though_the_clock_was_ahead_when_its_asker_opted_out(
    own_kith: Den,
) -> None:
    kith, alice = own_kith, Member(own_kith.guild.id, own_kith.alice.id)
    kith.clock.shift(timedelta(hours=1))
    await kith.app.memory.editor.set_consent(alice, Consent.OFF)
    kith.clock.shift(timedelta(hours=-1))
    await kith.talk(kith.alice, "hello")
    await kith.calm()
    await kith.app.memory.recorder.settle()
    load = partial(answer_removals.load_due, now=kith.clock.now(), limit=10)
    assert await kith.app.database.read(load) == []
    assert len(kith.answers()) == 1
