"""What is shipped beside the program fits it and fits together; that is seen without an engine."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.rows import each_row

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


def test_only_sql_server_needs_its_packages_and_the_image_has_them():
    packages = {"pyodbc", "mssql-python-odbc"}
    assert locked("requirements-sqlserver.txt").keys() - locked("requirements.txt") == packages
    assert "-r requirements-sqlserver.txt" in read("Dockerfile").partition("\nFROM ")[2]


# --- compose.yaml --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load(read("compose.yaml"))


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


def test_every_secret_and_volume_that_is_used_is_declared(compose):
    for service in compose["services"].values():
        assert set(service.get("secrets", ())) <= set(compose["secrets"])
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in compose["volumes"] or (ROOT / source).is_file()
    taken = re.findall(r"\$\{?\w+", re.sub(r"\$\$", "", read("compose.yaml")))
    assert taken == ["${DATABASE_PASSWORD"]  # for the service that makes the login


# --- Dockerfile and systemd ----------------------------------------------------------------------


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


def test_a_start_asks_no_installed_package_for_plugins_of_pydantic():
    code = (
        "import importlib.metadata as m; groups = []; read = m.entry_points; "
        "m.entry_points = lambda **given: groups.append(given['group']) or read(**given); "
        "import bot; print(groups)"
    )
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=ROOT, env={}, capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
