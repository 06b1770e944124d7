"""Fixtures of the tests of the client for language models."""

import pytest

from utils.llm import endpoint


@pytest.fixture
def quick_client(monkeypatch):
    """Let clients try again at once."""
    monkeypatch.setattr(endpoint, "FIRST_PAUSE_S", 0.001)
