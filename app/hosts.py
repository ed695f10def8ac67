"""Addresses and names that only this machine answers to."""

from __future__ import annotations

import ipaddress

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""What a request to this machine calls it."""


def is_loopback(host: str) -> bool:
    """Tell whether only this machine can reach the address or name ``host``."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
