"""Dashboards, alerts and docs name only metrics that exist, and every alert says what to do."""

import re
from pathlib import Path

import yaml

from cogs.chat.question_queue import QueueFull
from tests.fakes.clock import ManualClock
from tests.rows import each_row
from utils.common import errors
from utils.common.config import Settings
from utils.memory.privacy.pruning import PRUNE_JOB
from utils.runtime.metrics import Metrics

DOCS = Path(__file__).parents[4] / "docs"
FILES = ("operations.md", "alerts.yml", "grafana-dashboard.json")
NAMED = re.compile(r"\b(?:kith|process)_[a-z_]*[a-z]\b")
NO_METRIC = {"kith_token"}  # a file
ERROR = re.compile(r"\b(?:[A-Z][a-z]+){2,}\b")


def read(name):
    return (DOCS / name).read_text(encoding="utf-8")


ENDS = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum", "")}


def existing():
    """Every name that a sample can have."""
    return {
        family.name + end
        for family in Metrics(ManualClock()).registry.collect()
        for end in ENDS.get(family.type, ("",))
    }


@each_row("name", FILES)
def test_every_metric_that_is_named_exists(name):
    named = set(NAMED.findall(read(name))) - NO_METRIC
    assert len(named) > 10
    assert named <= existing()


def test_every_alert_says_what_to_do_about_outcomes_that_exist():
    listed = yaml.safe_load(read("alerts.yml"))["groups"][0]["rules"]
    rules = {rule["alert"]: set(ERROR.findall(rule["expr"])) for rule in listed}
    advice = dict(re.findall(r"^### (Kith\w+)\n(.+?)(?=^##)", read("operations.md"), re.M | re.S))
    assert rules.keys() == advice.keys()
    assert set().union(*rules.values()) <= {*vars(errors), QueueFull.__name__}
    assert rules["KithModelFails"] == set(ERROR.findall(advice["KithModelFails"]))


def test_the_largest_block_that_may_be_set_is_measured():
    largest = {"le": f"{Settings.model_fields['block_tokens'].metadata[1].le:.1f}"}
    value_of = Metrics(ManualClock()).registry.get_sample_value
    assert value_of("kith_recall_tokens_bucket", largest) == 0


def test_every_metric_is_explained():
    told = NAMED.findall(read("operations.md"))
    families = {one.removesuffix("_bucket") for one in existing() if one.startswith("kith_")}
    assert {family for family in families if not family.endswith(("_count", "_sum"))} <= {*told}


def test_every_job_is_told_of_in_the_docs():
    files = (DOCS.parent / "cogs" / "maintenance").glob("*.py")
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    names = {PRUNE_JOB, *re.findall(r'"(\w+)": Job\(', source)}
    table = re.findall(r"^\| (\w+) \|", read("operations.md").partition("## Jobs")[2], re.MULTILINE)
    assert len(names) == 6
    assert set(table) - {"job"} == names
