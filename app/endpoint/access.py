"""Who may ask: the host a request names, the page it comes from, the token it shows."""

from __future__ import annotations

import hashlib
import hmac
import stat
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import Request

from app.errors import ConfigError
from ontology.errors import QueryRefused

SHORTEST_TOKEN = 16
CHALLENGE = 'Bearer realm="florilegium"'


def check_origin(request: Request, hosts: Sequence[str]) -> None:
    """Refuse what a page of another site may send: a foreign Host (DNS rebinding) or Origin.

    Without ``hosts`` any Host is right, and an Origin has to be the Host's own.
    """
    host = request.headers.get("host", "")
    if hosts and _host_name(host) not in hosts:
        raise QueryRefused(
            f"the request is for the host {host!r}; expected one of {', '.join(hosts)}", status=421
        )
    origin = request.headers.get("origin")
    if origin is None:
        return
    place = urlsplit(origin).netloc
    if _host_name(place) not in hosts if hosts else place.lower() != host.lower():
        raise QueryRefused(f"the request comes from {origin!r}; expected this service", status=403)


def check_token(request: Request, tokens: Sequence[str]) -> None:
    """Refuse (401) a request that shows none of ``tokens`` as a bearer token.

    RFC 6750. Takes as long for a token that is nearly right as for one that is not.
    """
    if not tokens:
        return
    scheme, _, shown = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        raise QueryRefused(
            "this service asks for a token; expected the header Authorization: Bearer TOKEN",
            status=401,
        )
    digest = _digest(shown.strip())
    right = [hmac.compare_digest(digest, _digest(each)) for each in tokens]
    if not any(right):
        raise QueryRefused("the token is not one of this service's; expected another", status=401)


def read_tokens(file: Path) -> tuple[str, ...]:
    """Return the tokens in ``file``, one a line; ``#`` starts a comment.

    Raises ConfigError where it cannot be read, others may read it, or a token is short.
    """
    try:
        lines = file.read_text("utf-8").splitlines()
        mode = file.stat().st_mode
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"The token file {str(file)!r} cannot be read ({error}); expected one token a line. "
            f"Make one with: (umask 077; openssl rand -hex 32 > {file})"
        ) from error
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ConfigError(
            f"The token file {str(file)!r} is open to other users (mode {stat.S_IMODE(mode):o}); "
            f"expected 600. Try: chmod 600 {file}"
        )
    tokens = tuple(text for line in lines if (text := line.strip()) and text[0] != "#")
    if not tokens:
        raise ConfigError(f"The token file {str(file)!r} holds no token; expected one a line.")
    for number, token in enumerate(tokens, 1):
        if len(token) < SHORTEST_TOKEN or not token.isascii() or len(token.split()) > 1:
            raise ConfigError(
                f"Token {number} of {str(file)!r} has {len(token)} characters; expected at least "
                f"{SHORTEST_TOKEN}, ASCII, without spaces. Try: openssl rand -hex 32"
            )
    return tokens


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def _host_name(host: str) -> str:
    name, colon, port = host.lower().rpartition(":")
    return name if colon and (port.isdigit() or not port) else host.lower()
