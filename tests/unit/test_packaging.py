"""What is shipped beside the program fits it and fits together; that is seen without an engine."""

import configparser
import re
import tomllib
from pathlib import Path

import pytest
import yaml

import bot
from tests.rows import each_row
from utils.app import EXTRACTION_TIMEOUT_S
from utils.common.config import Settings, with_password
from utils.database.core.drivers import parse_url
from utils.runtime import stopping

ROOT = Path(__file__).parents[2]
LOCKS = (
    "requirements.txt",
    "requirements-sqlserver.txt",
    "requirements-embeddings.txt",
    "requirements-mcp.txt",
    "requirements-links.txt",
    "requirements-dev.txt",
)


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def locked(name):
    """Every package that a lock installs, with its version and how many hashes."""
    found = {}
    for entry in re.split(r"\n(?=\S)", read(name)):
        if pinned := re.match(r"([\w.-]+)==(\S+)", entry):
            found[pinned[1]] = (pinned[2], entry.count("--hash=sha256:"))
    return found


def chosen():
    project = tomllib.loads(read("pyproject.toml"))
    base, dev = project["project"]["dependencies"], project["dependency-groups"]["dev"]
    extras = project["project"]["optional-dependencies"]
    return dict(zip(LOCKS, (base, *extras.values(), dev), strict=True))


@each_row("name", LOCKS)
def test_the_lock_holds_what_was_chosen_in_the_same_versions(name):
    for requirement in chosen()[name]:
        package, version = requirement.split("==")
        written = re.sub(r"[-_.]+", "-", package).lower()
        assert locked(name)[written][0] == version, f"run .ci/lock: {requirement}"


@each_row("name", LOCKS)
def test_everything_locked_has_hashes_and_no_host_is_named(name):
    assert locked(name)
    assert all(hashes for _version, hashes in locked(name).values())
    assert not re.search(r"://|--index|--find-links|--trusted", read(name))


def test_the_files_are_one_lock():
    base, sqlserver, embeddings, mcp, links, dev = (locked(name) for name in LOCKS)
    assert base.items() <= sqlserver.items() <= dev.items()
    assert base.items() <= embeddings.items() <= dev.items()
    assert base.items() <= mcp.items() <= dev.items()
    assert base.items() <= links.items() <= dev.items()


def test_only_sql_server_needs_its_packages_and_the_image_has_them():
    packages = {"pyodbc", "mssql-python-odbc"}
    assert locked("requirements-sqlserver.txt").keys() - locked("requirements.txt") == packages
    assert "-r requirements-sqlserver.txt" in read("Dockerfile").partition("\nFROM ")[2]


def test_every_place_that_stops_the_bot_gives_it_the_same_60_seconds(compose):
    assert compose["services"]["kith"]["stop_grace_period"] == "60s"
    assert all("--stop-timeout 60 " in read(name) for name in ("docs/deployment.md", "Dockerfile"))
    assert "terminationGracePeriodSeconds: 60 " in read("docs/operations.md")
    assert "TimeoutStopSec=60\n" in read("docs/kith.service")
    assert stopping.ANSWERS_S + EXTRACTION_TIMEOUT_S < stopping.STOP_DEADLINE_S < 60


# --- compose.yaml --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load(read("compose.yaml"))


def test_up_starts_one_bot_and_sql_server_only_as_a_profile(compose):
    services = compose["services"]
    assert [name for name in services if not services[name].get("profiles")] == ["kith"]
    assert services["kith"]["env_file"] == [".env"]
    assert {services[name]["profiles"][0] for name in ("sqlserver", "database-setup")} == {
        "sqlserver"
    }


def test_the_bots_container_can_do_little(compose):
    service = compose["services"]["kith"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["tmpfs"] == ["/tmp"]
    assert "privileged" not in service


def test_only_containers_of_the_database_reach_it(compose):
    assert compose["networks"]["database"] == {"internal": True}
    for name in ("sqlserver", "database-setup"):
        assert compose["services"][name]["networks"] == ["database"]
        assert "ports" not in compose["services"][name]


def test_the_bot_waits_for_its_login_and_that_for_a_healthy_server(compose):
    services = compose["services"]
    assert services["kith"]["depends_on"] == {
        "database-setup": {"condition": "service_completed_successfully", "required": False}
    }
    assert services["database-setup"]["depends_on"] == {
        "sqlserver": {"condition": "service_healthy"}
    }
    assert "sqlcmd -C" in " ".join(services["sqlserver"]["healthcheck"]["test"])


def test_what_the_bot_writes_outlives_its_container(compose):
    volumes = dict(volume.split(":") for volume in compose["services"]["kith"]["volumes"])
    assert list(volumes.values()) == ["/kith/data"]
    assert parse_url(Settings.model_fields["database_url"].default).database == "data/kith.db"
    assert "\nWORKDIR /kith\n" in read("Dockerfile")
    assert set(volumes) <= set(compose["volumes"])


def test_every_secret_and_volume_that_is_used_is_declared(compose):
    for service in compose["services"].values():
        assert set(service.get("secrets", ())) <= set(compose["secrets"])
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in compose["volumes"] or (ROOT / source).is_file()
    taken = re.findall(r"\$\{?\w+", re.sub(r"\$\$", "", read("compose.yaml")))
    assert taken == ["${DATABASE_PASSWORD"]  # for the service that makes the login


def test_the_bot_understands_what_it_is_given(compose):
    names = {field.upper() for field in Settings.model_fields}
    assert set(compose["services"]["kith"]["environment"]) <= names
    lines = re.findall(r"^#   (\w+)=(.*)", read("compose.yaml"), re.MULTILINE)
    suggested = dict(lines)
    assert suggested.keys() - {"COMPOSE_PROFILES"} <= names
    assert parse_url(with_password(suggested["DATABASE_URL"], "x")).database == "kith"


# --- Dockerfile and systemd ----------------------------------------------------------------------


def test_every_port_of_the_dashboard_is_the_one_that_kith_chooses_itself(compose):
    port = str(Settings.model_fields["dashboard_port"].default)
    assert f"\nEXPOSE {port}\n" in read("Dockerfile")
    assert compose["services"]["kith"]["environment"]["DASHBOARD_PORT"] == port


def test_the_dashboards_token_is_a_secret_to_be_switched_on():
    assert re.search(r"^\s*#.*dashboard_token", read("docs/kith.service"), re.MULTILINE)


def test_the_dashboards_port_is_published_to_this_host_alone(compose):
    assert compose["services"]["kith"]["ports"] == ["127.0.0.1:8080:8080"]


def test_the_image_is_built_by_hash_and_runs_as_nobody_special():
    _words, build, final = read("Dockerfile").split("\nFROM ")
    assert "--require-hashes --only-binary :all:" in build
    assert "pip uninstall" in final
    assert "\nUSER 10001\n" in final
    assert '"doctor", "--live"' in final


def test_secrets_are_neither_committed_nor_copied_into_an_image_or_a_service():
    assert {"/secrets/", ".env"} <= set(read(".gitignore").split())
    assert read(".dockerignore").split()[0] == "*"
    (copied,) = re.findall(r"cp -r (.+) /opt/kith", read("docs/kith.service"))
    assert copied.split() == ["bot.py", "cogs", "utils", "sql", "requirements.txt"]


@each_row("name", ["docs/deployment.md", "Dockerfile"])
def test_a_container_run_by_hand_is_given_its_time_and_started_again(name):
    command = read(name).partition("docker run -d ")[2][:160]
    assert "--stop-timeout 60" in command
    assert "--restart unless-stopped" in command


def test_a_wrong_setting_does_not_make_the_service_start_again_and_again():
    assert f"\nRestartPreventExitStatus=2 {bot.WRONG_SETTING}\n" in read("docs/kith.service")


def test_the_service_keeps_its_hands_off_the_system():
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str
    unit.read_string(read("docs/kith.service"))
    service = unit["Service"]
    for option in ("DynamicUser", "NoNewPrivileges", "PrivateTmp", "MemoryDenyWriteExecute"):
        assert service[option] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["Restart"] == "on-failure"
    assert service["LoadCredential"].split(":")[0] in Settings.model_fields
    assert service["WorkingDirectory"].endswith(service["StateDirectory"])
