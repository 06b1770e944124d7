"""What the endpoint reports of our prompts moves the budgets that are kept by estimate."""

import pytest

from tests.fakes.builders import (
    ADA,
    audience,
    make_budget,
    make_conversation,
    make_event,
    make_language_model,
    make_reader,
    make_turn,
)
from tests.fakes.model_server import Answer, text
from utils.common.errors import BudgetSpent
from utils.common.text import estimate_tokens
from utils.memory.episodes.episode_units import HISTORY_TOKENS

OVERHEAD = 60


@pytest.fixture
def model(server, until_end):
    return until_end(
        make_language_model(chat_model="chatty", api_key="key", base_url=server.base_url)
    )


@pytest.fixture
def budget(database, clock):
    return make_budget(database, clock, 50_000_000)


@pytest.fixture
def talk(database, clock, recorder, budget, model):
    return make_conversation(recorder, make_reader(database, clock), budget, clock, model)


def counting(times):
    """An endpoint that counts so many tokens for one that we estimate, and some for the frame."""

    def reply(request):
        texts = [message["content"] for message in request["messages"]]
        counted = sum(map(estimate_tokens, texts)) * times + 4 * len(texts) + OVERHEAD
        return text("Yes.").with_usage(round(counted), 2)

    return reply


async def chat(talk, turns=24):
    """Talk for a while, about more and less, as people do."""
    for turn in range(turns):
        await talk.answer(make_turn(make_event("a word " * (1 + turn * 37 % 180))))


async def test_where_there_are_more_tokens_than_estimated_less_is_sent(
    server, recorder, talk, budget
):
    server.reply_with(counting(1.5))
    await chat(talk)
    assert budget.calibration.factor == pytest.approx(1.5, rel=0.1)
    for n in range(9):
        await recorder.record(make_event(f"turn {n} " + "blah " * 400), audience())
    prompt = (await talk.prepare(make_turn(make_event("And now?")))).messages
    sent = sum(estimate_tokens(message.text) for message in prompt[1:-1])
    assert 0 < sent * 1.4 <= HISTORY_TOKENS


async def test_calls_are_held_at_what_they_really_cost(database, clock, server, talk, budget):
    server.reply_with(counting(1.8))
    await chat(talk)
    tight = make_budget(database, clock, 5_000_000, budget.calibration)
    with pytest.raises(BudgetSpent):
        async with tight.hold(ADA, "chat", 2_000_000, 0):
            raise AssertionError("a call that its member cannot pay")


@pytest.mark.parametrize(
    "usage",
    [
        None,
    ],
)
async def test_an_endpoint_that_counts_nothing_changes_nothing(server, talk, budget, usage):
    server.reply_with(Answer(content="Yes.", finish_reason="stop", usage=usage))
    await chat(talk, turns=6)
    assert budget.calibration.factor == 1
