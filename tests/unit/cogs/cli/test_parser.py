"""Numbers on the command line are digits and nothing else."""

import argparse

import pytest

from cogs.cli.parser import PORT, number, whole
from tests.rows import each_row


@each_row("typed", ["٣", "1_0", "+5", " 5", "-1", "65536", "1.5", "", "port", "9" * 5000])
def test_what_is_no_port_is_refused(typed):
    with pytest.raises(argparse.ArgumentTypeError, match="is not a port: give 0 to 65535"):
        PORT(typed)


def test_limits_belong_to_the_numbers():
    assert (PORT("0"), PORT("65535")) == (0, 65_535)
    minutes = number(float, "a number of minutes", 0.1, 1440)
    assert (minutes("0.1"), minutes("1440")) == (0.1, 1440.0)
    with pytest.raises(argparse.ArgumentTypeError):
        minutes("nan")
    assert whole("007") == 7
