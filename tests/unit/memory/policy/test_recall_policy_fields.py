"""A policy of recall as JSON: what people write is checked, what is stored is read again."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import each_row
from utils.common.errors import BadInput
from utils.memory.policy.recall_policy import RecallPolicy
from utils.memory.policy.recall_policy_fields import (
    cautions,
    checked,
    field_schemas,
    fields_from_json,
    flat,
    policy_diff,
    to_json,
    with_fields,
)


def read(text, base=None):
    """The policy that a person's JSON makes of another."""
    return with_fields(fields_from_json(text), base)


A_FIELD = st.sampled_from(sorted(field_schemas()))


def values(name):
    schema = field_schemas()[name]
    minimum, maximum = schema["minimum"], schema["maximum"]
    if schema["type"] == "integer":
        return st.integers(minimum, maximum)
    return st.floats(minimum, maximum)


POLICIES = st.fixed_dictionaries({name: values(name) for name in field_schemas()}).map(with_fields)


@settings(max_examples=settings.default.max_examples // 3)
@given(POLICIES)
def test_a_policy_written_and_read_is_the_same(policy):
    assert read(to_json(policy)) == policy
    assert checked(policy) is policy


@settings(max_examples=settings.default.max_examples // 3)
@given(POLICIES, POLICIES)
def test_the_difference_is_what_leads_from_one_to_the_other(before, after):
    changes = {one.field: one.after for one in policy_diff(before, after)}
    assert with_fields(changes, before) == after
    assert not policy_diff(after, after)


@given(A_FIELD, st.data())
def test_one_field_changes_nothing_else(name, data):
    value = data.draw(values(name))
    assert flat(read(json.dumps({name: value}))) == flat(RecallPolicy()) | {name: value}


@given(A_FIELD, st.sampled_from([math.nan, math.inf, -math.inf, 1e308, -1e308, 10**400]))
def test_no_field_takes_what_is_no_sensible_number(name, value):
    with pytest.raises(BadInput, match="must lie between"):
        read(json.dumps({name: value}))


@given(A_FIELD, st.sampled_from(['"3"', "true", "null", "[1]", "{}"]))
def test_no_field_takes_another_type(name, value):
    with pytest.raises(BadInput):
        read(f'{{"{name}": {value}}}')


@each_row(
    ("text", "said"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[" * 20_001, "at most 20,000 characters"),
        ("[" * 19_000, "no JSON"),
        ('{"block_tokens": ' + "9" * 9_000 + "}", "no JSON"),
        ("[]", "is a JSON object"),
        ("NaN", "is a JSON object"),
        ("{}", "No field"),
        ('{"block_tokens": 1e999}', "must lie between 100 and 2000"),
        ('{"block_tokens": 400.5}', "whole number"),
        ('{"colour": 1}', "no field 'colour'"),
        ('{"asking": 1}', "no field 'asking'"),
        ('{"asking": {"text": {"deep": 1}}}', "must be a number"),
        ('{"{0.__class__}": 1}', "no field '{0.__class__}'"),
        ('{"said_share": 0.1, "said_share": 0.9}', "given twice"),
        ('{"asking.text": 1, "asking": {"text": 2}}', "given twice"),
    ],
)
def test_what_is_no_policy_is_refused_in_one_sentence(text, said):
    with pytest.raises(BadInput) as caught:
        read(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=200))
def test_any_text_is_a_policy_or_refused(text):
    try:
        checked(read(text))
    except BadInput as error:
        assert str(error)


def test_what_is_allowed_and_seldom_meant_is_said():
    assert not cautions(RecallPolicy())
    assert "useful range" in cautions(RecallPolicy(block_tokens=1200))[0]
