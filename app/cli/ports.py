"""Ports of this machine's loopback address, checked before anything is started on them."""

from __future__ import annotations

import socket

from app.errors import UsageError

ADDRESS = "127.0.0.1"


def must_be_free(*ports: int, address: str = ADDRESS) -> None:
    """Raise UsageError where one of ``ports`` cannot be bound."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    for port in ports:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except socket.gaierror as error:
                raise UsageError(
                    f"--host {address!r} is no address of this machine; expected one such as "
                    f"{ADDRESS} or 0.0.0.0"
                ) from error
            except OSError as error:
                wanted = " and ".join(map(str, ports))
                raise UsageError(
                    f"Port {port} cannot be used ({error.strerror}); perhaps another "
                    f"`florilegium serve` has it. Expected {wanted} free. "
                    f"Choose another with --port, for example --port {ports[0] + 100}"
                ) from error
