"""A release: its notes come from the changelog, and nothing is published that was not tested."""

import importlib.util
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("release_notes", ROOT / ".ci" / "release_notes.py")
release_notes = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(release_notes)

CHANGELOG = """# Changelog

## [Unreleased]

- not yet

## [0.2.0] - 2027-01-31

### Added

- a thing

## [0.1.0] - 2026-11-22

- the first
"""


def workflow():
    return yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))


def test_the_notes_are_the_versions_section_and_no_other():
    assert release_notes.notes("v0.2.0", "0.2.0", CHANGELOG) == "### Added\n\n- a thing"
    assert release_notes.notes("v0.1.0", "0.1.0", CHANGELOG) == "- the first"


def test_only_publishing_may_write_and_only_after_the_tests():
    release = workflow()
    assert release["permissions"] == {"contents": "read"}
    assert release["jobs"]["test"] == {"uses": "./.github/workflows/ci.yml"}
    assert release["jobs"]["publish"]["needs"] == "test"
    ci = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    # PyYAML reads the key "on" as true.
    assert "workflow_call" in ci[True]
    assert [step["run"] for step in ci["jobs"]["test"]["steps"] if "run" in step] == [
        "bash .ci/run"
    ]
