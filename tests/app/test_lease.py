"""Whose lease it is, and whether its holder has died."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from app import lease


def test_a_living_process_has_not_died():
    assert not lease.has_died(lease.owner())


def test_a_process_of_this_host_that_has_ended_has_died():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    place, _, random = lease.owner().split(":")
    assert lease.has_died(f"{place}:{ended.pid}:{random}")


@pytest.mark.parametrize("name", ["", "somebody else", "other-host/4026531836:1:ab", "a:b:c"])
def test_nothing_is_known_of_another_host(name):
    assert not lease.has_died(name)


def test_two_names_of_one_process_differ_and_hold_its_number():
    assert lease.owner() != lease.owner()
    assert f":{os.getpid()}:" in lease.owner()
