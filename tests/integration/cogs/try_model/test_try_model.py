"""``try-model`` with models that play well, carelessly and with ill will."""

import pytest
import pytest_asyncio

from cogs.try_model.command import report_lines
from cogs.try_model.conversations import load_conversations
from cogs.try_model.trial import TrialKind, try_model
from tests.fakes.model_server import FakeModelServer
from tests.integration.cogs.try_model.played_models import GoodModel, IllModel, play
from utils.common.config import load_settings
from utils.common.errors import SettingsError
from utils.common.progress import Progress

EVERY = 4  # the slow test below and the end-to-end one play all
ON_ONE_LOOP = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def reports():
    """What came of each fourth conversation with a good and an ill model."""
    return await play_models(load_conversations()[::EVERY], GoodModel(), IllModel())


async def play_models(conversations, *models):
    reports = {}
    async with FakeModelServer() as server:
        settings = load_settings(
            env_file=None,
            openai_base_url=server.base_url,
            model_prices="GoodModel=1/2",
            memory_read_only=True,
        )
        for model in models:
            play(server, model)
            name = type(model).__name__
            reports[name] = await try_model(settings, name, conversations, Progress())
            assert {request["model"] for request in server.chats} == {name}
    return reports


@ON_ONE_LOOP
@pytest.mark.parametrize("name", ["GoodModel", "IllModel"])
async def test_promises_hold_with_any_model(reports, name):
    report = reports[name]
    broken = [outcome for outcome in report.outcomes if outcome.kind is TrialKind.BROKEN]
    assert broken == []
    assert report.count(TrialKind.KEPT) > 10
    assert report.unanswered == 0


@ON_ONE_LOOP
async def test_a_good_model_is_right_about_everything_and_an_ill_one_is_refused(reports):
    assert reports["GoodModel"].right_share == 1.0
    refusals = reports["IllModel"].refusals
    assert min(refusals[reason] for reason in ("role", "form", "quote")) > 2


@pytest.mark.slow
async def test_a_good_model_is_right_in_every_conversation():
    (report,) = (await play_models(load_conversations(), GoodModel())).values()
    assert report.right_share == 1.0


@ON_ONE_LOOP
async def test_the_table_names_each_model_its_calls_and_its_cost(reports):
    report = reports["GoodModel"]
    (cost,) = report.costs
    assert (cost.model, cost.calls > 10, report.seconds > 0) == ("GoodModel", True, True)
    prompt, answer = cost.usage.prompt_tokens, cost.usage.completion_tokens
    assert report.cost == pytest.approx((prompt + 2 * answer) / 1_000_000)
    assert reports["IllModel"].cost is None
    lines = report_lines(list(reports.values()), "$", 80)
    assert lines[0].split() == ["GoodModel", "IllModel"]
    assert "GoodModel: all promises kept, 100% judged rightly." in lines


@ON_ONE_LOOP
async def test_without_a_model_it_says_how_to_set_one():
    with pytest.raises(SettingsError, match=r"bot\.py setup"):
        await try_model(load_settings(env_file=None), None, (), Progress())
