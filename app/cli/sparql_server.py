"""``florilegium sparql-server``: the endpoint alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from app.cli.options import global_options, settings
from app.cli.output import note
from app.cli.ports import must_be_free
from app.errors import UsageError
from app.hosts import LOOPBACK, is_loopback

if TYPE_CHECKING:
    from app.settings import Settings

Function = TypeVar("Function", bound=Callable[..., Any])


def endpoint_options(function: Function) -> Function:
    """Add what says who may ask the endpoint, and where requests are written down."""
    file = click.Path(path_type=Path)
    for flags, keywords in (
        (("--access-log",), {"type": file, "help": "Write a JSON line a request to this file."}),
        (("--token-file",), {"type": file, "help": "Ask for a token of this file, one a line."}),
        (
            ("--host",),
            {"metavar": "ADDRESS", "help": "Address of the endpoint.  [default: 127.0.0.1]"},
        ),
    ):
        function = click.option(*flags, **keywords)(function)
    return function


def chosen(
    here: Settings, host: str | None, token_file: Path | None, access_log: Path | None
) -> Settings:
    """Return the settings with these flags in force; raise UsageError for an open endpoint."""
    flags = {
        "sparql_host": host,
        "sparql_token_file": token_file,
        "sparql_access_log": access_log,
    }
    here = here.model_copy(update={key: value for key, value in flags.items() if value is not None})
    if not is_loopback(here.sparql_host) and here.sparql_token_file is None:
        raise UsageError(
            f"--host {here.sparql_host!r} lets other machines ask; expected a token file with it. "
            "Try: (umask 077; openssl rand -hex 32 > token.txt) and --token-file token.txt"
        )
    return here


@click.command("sparql-server")
@click.option("--port", type=click.IntRange(1, 65_535), help="Port.  [default: 8502]")
@click.option("--with-text", is_flag=True, help="Show quotes of private collections too.")
@endpoint_options
@global_options
def sparql_server(
    port: int | None,
    with_text: bool,
    host: str | None,
    token_file: Path | None,
    access_log: Path | None,
) -> None:
    """Serve the SPARQL 1.1 Protocol, read-only, until told to stop.

    On 127.0.0.1 anybody with an account on this machine may ask. With another --host a token
    file is needed, and every client shows a token: Authorization: Bearer TOKEN.
    """
    from app.endpoint import EndpointSettings, serve
    from app.endpoint.access import read_tokens
    from ontology.sparql import Limits

    here = chosen(settings(), host, token_file, access_log)
    port = port or here.port + 1
    must_be_free(port, address=here.sparql_host)
    file = here.sparql_token_file
    service = EndpointSettings(
        hosts=LOOPBACK if is_loopback(here.sparql_host) else (),
        limits=Limits(timeout=here.sparql_timeout),
        with_text=with_text,
        workers=here.sparql_workers,
        tokens=read_tokens(file) if file is not None else (),
        access_log=here.sparql_access_log,
    )
    shown = f"[{here.sparql_host}]" if ":" in here.sparql_host else here.sparql_host
    note(f"SPARQL endpoint: http://{shown}:{port}/sparql  (in a browser: http://{shown}:{port}/)")
    serve(here.graph_dir, host=here.sparql_host, port=port, settings=service)
