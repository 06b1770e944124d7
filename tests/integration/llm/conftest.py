"""Fixtures of the tests of the client for language models."""

import pytest


@pytest.fixture
def quick_client(monkeypatch, tmp_path):
    """Let clients be made quickly, and try again at once."""
    monkeypatch.setattr("utils.llm.client.FIRST_RETRY_S", 0.001)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)  # reading it takes 60 ms a client
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
