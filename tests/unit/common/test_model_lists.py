"""Lists of models in the settings: how they are written, and what is said about wrong entries."""

import pytest

from utils.common.config import load_settings
from utils.common.errors import SettingsError

ENDPOINTS = "groq=https://api.groq.com/openai/v1, local=http://127.0.0.1:11434/v1"
SECRET = "gsk-secret"


@pytest.fixture
def load(monkeypatch):
    def loaded(**variables):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return load_settings(None)

    return loaded


def test_a_list_names_models_and_their_endpoints(load):
    settings = load(
        MODEL_ENDPOINTS=ENDPOINTS,
        MODEL_ENDPOINT_KEYS=f"groq={SECRET}=",
        CHAT_MODEL="gpt-4.1-mini, llama-3.3-70b@groq,qwen3:8b @ local,",
    )
    assert [str(entry) for entry in settings.models_of(settings.chat_model)] == [
        "gpt-4.1-mini",
        "llama-3.3-70b@groq",
        "qwen3:8b@local",
    ]
    assert settings.endpoint_keys == {"groq": f"{SECRET}="}
    assert settings.has_model
    assert settings.models_by_purpose["chat"] == "gpt-4.1-mini"


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("CHAT_MODEL", "a, b@locl", 'CHAT_MODEL lists "b@locl", but "locl" is no name in MODEL_'),
        ("TRIAGE_MODEL", "a@http://x/v1", 'TRIAGE_MODEL lists "a@http://x/v1", but'),
        ("VERIFY_MODEL", "a@groq, b, a@groq", 'VERIFY_MODEL lists "a@groq" twice'),
        ("VISION_MODEL", ",", "VISION_MODEL lists no model"),
        ("MODEL_ENDPOINTS", "Local=http://x", 'MODEL_ENDPOINTS has the entry "Local=http://x"'),
        ("MODEL_ENDPOINTS", "a=http://x, b=http://[::1", 'the entry "b=http://[::1"'),
        ("MODEL_ENDPOINTS", "a=http://x, a=http://y", 'MODEL_ENDPOINTS lists "a" twice'),
        ("MODEL_ENDPOINT_KEYS", f"groq=x,{SECRET}", "MODEL_ENDPOINT_KEYS has an unusable entry 2"),
        ("MODEL_ENDPOINT_KEYS", f"other={SECRET}", "entry 1 whose name is not in MODEL_ENDPOINTS"),
    ],
)
def test_a_wrong_entry_is_named_in_one_sentence(load, name, value, sentence):
    with pytest.raises(SettingsError) as caught:
        load(**{"MODEL_ENDPOINTS": ENDPOINTS, name: value})
    assert sentence in str(caught.value)
    assert SECRET not in str(caught.value)
