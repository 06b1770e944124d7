"""``try-model`` with models that play well, carelessly and with ill will."""

import json

import pytest
import pytest_asyncio

from cogs.try_model.command import as_data, passes, report_lines
from cogs.try_model.conversations import load_conversations
from cogs.try_model.trial import Kind, try_model
from tests.fakes.model_server import FakeModelServer
from tests.integration.cogs.try_model.played_models import (
    CarelessModel,
    GoodModel,
    IllModel,
    play,
)
from utils.common.config import load_settings
from utils.common.errors import SettingsError
from utils.common.progress import Silent

THOUGHTS = 25  # tokens before each answer of the careless model
ON_ONE_LOOP = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def reports():
    """What came of the conversations with each of the three, whose prices are known."""
    reports = {}
    async with FakeModelServer() as server:
        settings = load_settings(
            env_file=None,
            openai_base_url=server.base_url,
            model_prices="GoodModel=1/2",
            memory_read_only=True,
        )
        for model in (GoodModel(), CarelessModel(), IllModel()):
            play(server, model)
            name = type(model).__name__
            server.thought_tokens = THOUGHTS if name == "CarelessModel" else 0
            reports[name] = await try_model(settings, name, load_conversations(), Silent())
            assert {request["model"] for request in server.chats} == {name}
    return reports


@ON_ONE_LOOP
@pytest.mark.parametrize("name", ["GoodModel", "CarelessModel", "IllModel"])
async def test_promises_hold_with_any_model(reports, name):
    report = reports[name]
    broken = [outcome for outcome in report.outcomes if outcome.kind is Kind.BROKEN]
    assert broken == []
    assert report.count(Kind.KEPT) > 40
    assert report.unanswered == 0


@ON_ONE_LOOP
async def test_a_good_model_is_right_about_everything(reports):
    report = reports["GoodModel"]
    assert report.right_share == 1.0
    assert passes(report, 100)


@ON_ONE_LOOP
async def test_what_ill_will_proposes_is_refused_and_counted(reports):
    refusals = reports["IllModel"].refusals
    assert min(refusals[reason] for reason in ("role", "form", "quote")) > 10


@ON_ONE_LOOP
async def test_calls_tokens_and_cost_are_counted(reports):
    report = reports["GoodModel"]
    (cost,) = report.costs
    assert (cost.model, cost.calls > 60, report.seconds > 0) == ("GoodModel", True, True)
    prompt, answer = cost.usage.prompt_tokens, cost.usage.completion_tokens
    assert report.cost == pytest.approx((prompt + 2 * answer) / 1_000_000)
    assert reports["IllModel"].cost is None


@ON_ONE_LOOP
async def test_the_table_names_each_model_and_what_was_not_right(reports):
    lines = report_lines(list(reports.values()), "$", 80)
    assert lines[0].split() == ["GoodModel", "CarelessModel", "IllModel"]
    assert "GoodModel: all promises kept, 100% judged rightly." in lines
    joke = "- a joke: Felix is the emperor of Antarctica: noted, though it was not meant"
    assert lines.count(joke) == 2
    data = json.loads(json.dumps([as_data(report) for report in reports.values()]))
    assert data[0]["counts"]["broken"] == 0
    assert data[1]["outcomes"][0]["conversation"] == "a name and a home"


@ON_ONE_LOOP
async def test_without_a_model_it_says_how_to_set_one():
    with pytest.raises(SettingsError, match=r"bot\.py setup"):
        await try_model(load_settings(env_file=None), None, (), Silent())
