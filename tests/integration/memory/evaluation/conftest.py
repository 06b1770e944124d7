"""The versions of recall's policy."""

import pytest

from utils.memory.evaluation.policy_versions import RecallPolicyVersions


@pytest.fixture
def policies(database, clock):
    return RecallPolicyVersions(database, clock)
