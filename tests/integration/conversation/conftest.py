"""A conversation with a model, or without one."""

import pytest

from tests.fakes.builders import make_budget, make_conversation, make_guild_settings, make_reader


@pytest.fixture
def guilds(database, clock):
    return make_guild_settings(database, clock)


@pytest.fixture
def conversation(database, clock, recorder):
    """Makes a conversation with a model, or None."""

    def build(model):
        budget = make_budget(database, clock, 500_000)
        return make_conversation(recorder, make_reader(database, clock), budget, clock, model)

    return build
