"""Secrets that stand in files, as containers and systemd hand them over."""

import pytest
from sqlalchemy import make_url

import bot
from tests.leak_watch import DATABASE_PASSWORD
from utils.common import config
from utils.common.config import load_settings
from utils.common.errors import SettingsError

SERVER = "mssql+pyodbc://kith@db,1433/kith?Encrypt=yes"
ODD = "p@ss/wörd:%?"


@pytest.fixture
def secrets(tmp_path, monkeypatch):
    """A folder of secrets; nothing else is set."""
    for name in ("DISCORD_TOKEN", "DATABASE_URL", "DATABASE_PASSWORD", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(config, "CONTAINER_SECRETS", tmp_path)
    return tmp_path


def refused():
    with pytest.raises(SettingsError) as refusal:
        load_settings(None)
    return str(refusal.value)


def test_a_secret_is_read_from_its_file_without_the_line_break(secrets):
    (secrets / "discord_token").write_text("the.bots.token\n")
    token = load_settings(None).discord_token
    assert token is not None
    assert token.get_secret_value() == "the.bots.token"


def test_the_environment_wins_over_a_file_unless_it_is_empty(secrets, monkeypatch):
    (secrets / "openai_api_key").write_text("of the file")
    monkeypatch.setenv("OPENAI_API_KEY", "")
    assert load_settings(None).openai_api_key.get_secret_value() == "of the file"
    monkeypatch.setenv("OPENAI_API_KEY", "of the environment")
    assert load_settings(None).openai_api_key.get_secret_value() == "of the environment"


def test_a_file_that_cannot_be_read_is_named(secrets, monkeypatch):
    file = secrets / "discord_token"
    file.write_text("the.bots.token")

    def forbid(path, *_args, **_options):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(type(file), "read_text", forbid)  # a mode would not stop root
    assert refused() == f"{file} cannot be read (Permission denied); give Kith's user read access."


@pytest.mark.parametrize("url", [SERVER, SERVER.replace("@", ":old@")])
def test_the_databases_password_may_stand_apart_whatever_is_in_it(secrets, monkeypatch, url):
    monkeypatch.setenv("DATABASE_URL", url)
    (secrets / "database_password").write_text(f"{ODD}\n", encoding="utf-8")
    read = make_url(load_settings(None).database_url)
    assert (read.username, read.password, read.host) == ("kith", ODD, "db,1433")
    assert read.query == {"Encrypt": "yes"}


def test_an_address_that_cannot_be_read_is_refused_without_its_password(capsys, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", f"mssql+pyodbc://kith:{DATABASE_PASSWORD}@[db/kith")
    assert bot.main(["doctor"]) == 1
    assert DATABASE_PASSWORD not in capsys.readouterr().err


def test_proxies_are_named_as_addresses_and_networks(secrets, monkeypatch):
    assert load_settings(None).dashboard_proxies == ("127.0.0.1", "::1")
    monkeypatch.setenv("DASHBOARD_PROXIES", "172.16.0.0/12, ::1")
    assert load_settings(None).dashboard_proxies == ("172.16.0.0/12", "::1")
    for wrong in ("*", "caddy", "172.16.0.1/12"):
        monkeypatch.setenv("DASHBOARD_PROXIES", wrong)
        assert "DASHBOARD_PROXIES must be addresses or networks" in refused()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("CHANNEL_QUEUE", "many", "must be a whole number"),
        ("CHANNEL_QUEUE", "9" * 5000, "must be a whole number"),
        ("CHANNEL_QUEUE", "101", "must be at most 100"),
        ("CHAT_TIMEOUT_S", "inf", "must be at most 600"),
        ("STREAM_ANSWERS", "perhaps", "must be true or false"),
        ("ANSWER_LINKS", "x", "must be 'plain', 'none' or 'any'"),
        ("MODEL_CURRENCY", "Dollar", "takes 5 characters or fewer"),
        ("MODEL_PRICES", "a=1, b=2, a=3/4", 'lists "a" twice'),
        ("CHAT_MODEL", "gpt-\udcff", "lists a name with characters that cannot be shown"),
        ("DASHBOARD_TOKEN", " " * 20, "needs 16 characters or more"),
        (
            "DASHBOARD_PUBLIC_URL",
            "https://kith.example.org:99999",
            "must be https:// and a host, such as https://kith.example.org; http:// only for "
            "127.0.0.1 and localhost",
        ),
        ("DATABASE_URL", "kith.db", "must begin with sqlite:/// or mssql+pyodbc://"),
        ("ERASURE_LEDGER", "~nobody.at.all/x", "begins with ~, but that home folder is not known"),
        ("EMBEDDING_MODEL", "~nobody.at.all/x", "begins with ~, but that home folder is not known"),
        ("SHARD_IDS", "0", "needs SHARD_COUNT too: how many shards all processes have together"),
    ],
)
def test_a_wrong_value_is_explained_in_plain_words(secrets, monkeypatch, name, value, said):
    monkeypatch.setenv(name, value)
    assert refused() == f"Please fix these settings in .env: {name} {said}."
