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


def test_systemds_folder_of_credentials_counts_too(secrets, tmp_path_factory, monkeypatch):
    given = tmp_path_factory.mktemp("credentials")
    (given / "openai_api_key").write_text("key")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(given))
    assert load_settings(None).has_model


def test_what_has_no_file_is_not_set(secrets):
    assert load_settings(None).discord_token is None


def test_without_a_folder_of_secrets_nothing_is_missing(secrets, monkeypatch, recwarn):
    monkeypatch.setattr(config, "CONTAINER_SECRETS", secrets / "none")
    assert load_settings(None).discord_token is None
    assert not recwarn


def test_the_environment_wins_over_a_file_unless_it_is_empty(secrets, monkeypatch):
    (secrets / "openai_api_key").write_text("of the file")
    monkeypatch.setenv("OPENAI_API_KEY", "")
    assert load_settings(None).openai_api_key.get_secret_value() == "of the file"
    monkeypatch.setenv("OPENAI_API_KEY", "of the environment")
    assert load_settings(None).openai_api_key.get_secret_value() == "of the environment"


def test_an_empty_file_is_named(secrets):
    (secrets / "discord_token").write_text("\n")
    assert refused() == "Please fix these settings in .env: DISCORD_TOKEN is an empty file."


def test_a_file_that_cannot_be_read_is_named(secrets, monkeypatch):
    file = secrets / "discord_token"
    file.write_text("the.bots.token")

    def forbid(path, *_args, **_options):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(type(file), "read_text", forbid)  # a mode would not stop root
    assert refused() == f"{file} cannot be read (Permission denied); give Kith's user read access."


def test_a_file_that_is_no_text_is_said(secrets):
    (secrets / "discord_token").write_bytes(b"\xff\xfe")
    assert refused().startswith("The file .env, or that of a secret, is not UTF-8 text;")


@pytest.mark.parametrize("url", [SERVER, SERVER.replace("@", ":old@")])
def test_the_databases_password_may_stand_apart_whatever_is_in_it(secrets, monkeypatch, url):
    monkeypatch.setenv("DATABASE_URL", url)
    (secrets / "database_password").write_text(f"{ODD}\n", encoding="utf-8")
    read = make_url(load_settings(None).database_url)
    assert (read.username, read.password, read.host) == ("kith", ODD, "db,1433")
    assert read.query == {"Encrypt": "yes"}


def test_a_password_for_nobody_is_refused_without_being_quoted(secrets, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "mssql+pyodbc://db/kith")
    (secrets / "database_password").write_text(ODD, encoding="utf-8")
    said = refused()
    assert said.startswith("Please fix these settings in .env: DATABASE_PASSWORD needs a user: ")
    assert ODD not in said


def test_sqlite_needs_no_password(secrets):
    (secrets / "database_password").write_text(ODD, encoding="utf-8")
    assert load_settings(None).database_url == config.DEFAULT_DATABASE_URL


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
        ("CHANNEL_QUEUE", "1.5", "must be a whole number"),
        ("CHANNEL_QUEUE", "9" * 5000, "must be a whole number"),
        ("CHANNEL_QUEUE", "0", "must be at least 1"),
        ("CHANNEL_QUEUE", "101", "must be at most 100"),
        ("CHAT_TIMEOUT_S", "0", "must be more than 0"),
        ("CHAT_TIMEOUT_S", "inf", "must be at most 600"),
        ("CHAT_TIMEOUT_S", "soon", "must be a number"),
        ("STREAM_ANSWERS", "perhaps", "must be true or false"),
        ("WATCH_PREFILTER", "cold", "must be 'off' or 'heated'"),
        ("ANSWER_LINKS", "x", "must be 'plain', 'none' or 'any'"),
        ("LOG_LEVEL", "LOUD", "must be one of DEBUG, INFO, WARNING, ERROR"),
        ("DATABASE_URL", "kith.db", "must begin with sqlite:/// or mssql+pyodbc://"),
        ("OPENAI_BASE_URL", "localhost:11434", "must begin with http:// or https://"),
        ("SHARD_IDS", "0", "needs SHARD_COUNT too: how many shards all processes have together"),
    ],
)
def test_a_wrong_value_is_explained_in_plain_words(secrets, monkeypatch, name, value, said):
    monkeypatch.setenv(name, value)
    assert refused() == f"Please fix these settings in .env: {name} {said}."
