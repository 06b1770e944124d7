"""What a member asks to keep from others is in answers to them, and in nobody else's."""

import pytest

from tests.fakes.builders import (
    ADA,
    BOB,
    GUILD,
    audience,
    make_event,
    make_turn,
)
from tests.integration.conversation.test_conversation import FakeModel
from utils.models.recall import Person

ELSEWHERE = 555
PEOPLE = (Person(BOB.user_id, "Jonas"), Person(ADA.user_id, "Mira"))
SECRETS = [
    "Ich plane eine Überraschungsparty für Jonas am 19. Dezember, sag ihm nichts",
    "I am planning a surprise party for Jonas on 19 December, don't tell him",
]
OPEN = "I am planning a picnic on 19 December"
QUESTIONS = ["was plant Mira am 19. Dezember?", "what is Mira planning on 19 December?"]


async def tell(recorder, *texts, newest_first=False):
    """Let Mira say something in another channel that the readers of the answers can read."""
    for number, text in sorted(enumerate(texts), reverse=newest_first):
        said = make_event(text, author_name="Mira", channel_id=ELSEWHERE, message_id=7000 + number)
        await recorder.record(said, audience(channel_id=ELSEWHERE))
    await recorder.settle()


def asked(text, member):
    name = "Mira" if member == ADA else "Jonas"
    people = PEOPLE if member == BOB else (Person(ADA.user_id, "Mira"),)
    event = make_event(text, author_id=member.user_id, author_name=name, message_id=8000)
    return make_turn(event, event.channel_id, ELSEWHERE, people=people)


pytestmark = pytest.mark.usefixtures("keeper")


@pytest.mark.parametrize(("secret", "question"), list(zip(SECRETS, QUESTIONS, strict=True)))
async def test_a_prompt_holds_a_confidence_only_for_its_author(
    conversation, recorder, secret, question
):
    await tell(recorder, secret, OPEN)
    talk = conversation(FakeModel())
    others = (await talk.prepare(asked(question, BOB))).messages[-1].text.casefold()
    assert ("party" in others, "picnic" in others) == (False, True)
    own = (await talk.prepare(asked(question.replace("Mira", "ich"), ADA))).messages[-1].text
    assert "party" in own.casefold()


@pytest.mark.parametrize(
    ("lines", "question"),
    [
        *zip(([secret] for secret in SECRETS), QUESTIONS, strict=True),
        ([SECRETS[1].partition(",")[0], "please don't tell anyone"], QUESTIONS[1]),
    ],
)
async def test_without_a_model_a_confidence_is_quoted_to_nobody_else(
    conversation, recorder, lines, question
):
    await tell(recorder, *lines, newest_first=True)
    assert "party" not in (await conversation(None).answer(asked(question, BOB))).text.casefold()


async def test_without_a_model_the_last_turns_are_not_quoted_to_others_either(
    conversation, recorder
):
    said = make_event(SECRETS[1], author_name="Mira", message_id=7000)
    await recorder.record(said, audience())
    answer = await conversation(None).answer(asked(QUESTIONS[1], BOB))
    assert "party" not in answer.text.casefold()


async def test_a_late_message_hides_no_other_in_place_of_one_that_was_deleted(
    conversation, recorder
):
    await tell(recorder, OPEN, SECRETS[1].partition(",")[0], "please don't tell anyone")
    await recorder.retract(GUILD, [7001])
    late = make_event("I have a cat", channel_id=ELSEWHERE, message_id=6999)
    await recorder.record(late, audience(channel_id=ELSEWHERE))
    prompt = (await conversation(FakeModel()).prepare(asked(QUESTIONS[1], BOB))).messages[-1].text
    assert ("picnic" in prompt, "party" in prompt) == (True, False)
