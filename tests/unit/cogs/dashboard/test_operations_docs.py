"""Dashboards, alerts and docs name only metrics that exist, and every alert says what to do."""

import re
from pathlib import Path

import yaml

from tests.fakes.clock import ManualClock
from tests.rows import each_row
from utils.admin.job_runs import PRUNE
from utils.runtime.metrics import Metrics

DOCS = Path(__file__).parents[4] / "docs"
FILES = ("operations.md", "alerts.yml", "grafana-dashboard.json")
NAMED = re.compile(r"\b(?:kith|process)_[a-z_]*[a-z]\b")
NO_METRIC = {"kith_token"}  # a file


def read(name):
    return (DOCS / name).read_text(encoding="utf-8")


def existing():
    """Every name that a sample can have."""
    names = set()
    for metric in Metrics(ManualClock()).registry.collect():
        ends = {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum", "")}
        names |= {metric.name + end for end in ends.get(metric.type, ("",))}
    return names


def alerts():
    (group,) = yaml.safe_load(read("alerts.yml"))["groups"]
    return group["rules"]


@each_row("name", FILES)
def test_every_metric_that_is_named_exists(name):
    named = set(NAMED.findall(read(name))) - NO_METRIC
    assert len(named) > 10
    assert named <= existing()


def test_every_metric_is_explained():
    told = set(NAMED.findall(read("operations.md")))
    families = {one.removesuffix("_bucket") for one in existing() if one.startswith("kith_")}
    assert {family for family in families if not family.endswith(("_count", "_sum"))} <= told


def test_every_job_is_told_of_in_the_docs():
    folder = DOCS.parent / "cogs" / "maintenance"
    source = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
    names = {PRUNE, *re.findall(r'"(\w+)": Job\(', source)}
    assert len(names) == 6
    table = read("operations.md").partition("## Jobs")[2]
    assert set(re.findall(r"^\| (\w+) \|", table, re.MULTILINE)) - {"job"} == names
