"""Fixtures of the tests of the client for language models."""

import pytest


@pytest.fixture
def quick_client(monkeypatch):
    """Let clients try again at once."""
    monkeypatch.setattr("utils.llm.client.FIRST_RETRY_S", 0.001)
