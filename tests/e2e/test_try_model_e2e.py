"""``python bot.py try-model`` as a process: its table, its JSON, its status; nothing is stored."""

import json

import pytest

from tests.e2e.test_demo_e2e import program
from tests.fakes.model_server import FakeModelServer
from tests.integration.cogs.try_model.played_models import IllModel, play


async def try_model(folder, *arguments: str, **environment: str) -> tuple[int, str, str]:
    """Return the command's status and what it printed, with a model of ill will."""
    async with FakeModelServer() as server:
        play(server, IllModel())
        environment = {"OPENAI_BASE_URL": server.base_url} | environment
        async with program(folder, "try-model", *arguments, **environment) as process:
            printed, complained = await process.communicate()
            return process.returncode, printed.decode(), complained.decode()


@pytest.mark.slow  # it plays all conversations; the integration suite a part of them
async def test_it_says_everything_as_json_is_not_content_and_leaves_nothing(tmp_path):
    status, printed, _ = await try_model(tmp_path, "--json")
    (report,) = json.loads(printed)
    assert (status, report["counts"]["broken"]) == (1, 0)
    assert report["counts"]["kept"] > 40
    assert list(tmp_path.iterdir()) == []


async def test_without_an_endpoint_it_says_what_to_do(tmp_path):
    status, printed, complained = await try_model(tmp_path, OPENAI_BASE_URL="")
    assert (status, printed) == (1, "")
    assert "No language model is configured" in complained
