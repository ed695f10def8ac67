"""Who may ask the endpoint, and what is written down of it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.endpoint import EndpointSettings, server
from app.endpoint.access import read_tokens
from app.errors import ConfigError
from tests.app.conftest import call
from tests.app.endpoint_client import Reply, ask, running, send
from tests.app.graph_folder import graph_folder

TOKEN = "0123456789abcdef0123456789abcdef"
OTHER = "fedcba9876543210fedcba9876543210"
OPEN = (
    "<http://x/c> <http://purl.org/dc/terms/accessRights> {!r} <http://x/g> .\n"
    "<http://x/a> <http://x/p> <http://x/b> <http://x/g> .\n"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of one open collection."""
    return graph_folder(tmp_path_factory.mktemp("graph"), quads("open"), both=True)


def quads(text: str) -> str:
    return OPEN.format(f"text: {text}").replace("'", '"')


@pytest.fixture(scope="module")
def locked(folder: Path) -> Iterator[int]:
    """A service that asks for a token."""
    with running(folder, EndpointSettings(tokens=(TOKEN, OTHER))) as port:
        yield port


def shown(port: int, authorization: str | None) -> Reply:
    headers = {"Authorization": authorization} if authorization is not None else {}
    return send(port, "GET", [("query", "ASK {}")], headers=headers)


@pytest.mark.parametrize("given", [f"Bearer {TOKEN}", f"bearer  {OTHER} "])
def test_a_token_of_the_file_opens_the_service(locked: int, given: str) -> None:
    assert shown(locked, given).status == 200


@pytest.mark.parametrize(
    "given",
    [None, "", "Bearer", "Bearer ", TOKEN, f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}0",
     f"Basic {TOKEN}", f"Bearer {TOKEN} {OTHER}", "Bearer \xff\xfe"],
)  # fmt: skip
def test_nothing_else_does_and_the_answer_says_what_is_missing(
    locked: int, given: str | None
) -> None:
    reply = shown(locked, given)
    assert reply.status == 401
    assert reply.headers["www-authenticate"] == 'Bearer realm="florilegium"'
    assert TOKEN.encode() not in reply.body


def test_without_a_token_not_even_the_description_is_told_or_a_body_read(locked: int) -> None:
    assert send(locked, "GET").status == 401
    headers = {"Content-Type": "application/sparql-query"}
    assert send(locked, "POST", body=b"#" * 400_000, headers=headers).status == 401


def test_the_page_is_shown_without_a_token_and_holds_no_data(locked: int) -> None:
    reply = send(locked, "GET", path="/")
    assert (reply.status, reply.media_type) == (200, "text/html")
    assert send(locked, "GET", path="/page.json").status == 200


def test_a_token_in_the_address_is_no_token(locked: int) -> None:
    reply = send(locked, "GET", [("query", "ASK {}"), ("access_token", TOKEN)])
    assert reply.status == 401


@pytest.mark.parametrize(
    ("content", "mode", "why"),
    [
        ("", 0o600, "holds no token"),
        ("# only this\n\n", 0o600, "holds no token"),
        ("short\n", 0o600, "at least 16"),
        ("two words that are long\n", 0o600, "without spaces"),
        ("pässwörd-pässwörd-pässwörd\n", 0o600, "ASCII"),
        (f"{TOKEN}\n", 0o644, "open to other users"),
        (f"{TOKEN}\n", 0o660, "open to other users"),
        (None, 0, "cannot be read"),
    ],
)
def test_a_token_file_that_protects_nothing_is_refused(
    tmp_path: Path, content: str | None, mode: int, why: str
) -> None:
    file = tmp_path / "tokens"
    if content is not None:
        file.write_text(content, "utf-8")
        file.chmod(mode)
    with pytest.raises(ConfigError, match=why):
        read_tokens(file)


def test_a_token_file_has_one_token_a_line(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(f"# of the dashboard\n{TOKEN}\n\n  {OTHER}  \n", "utf-8")
    file.chmod(0o600)
    assert read_tokens(file) == (TOKEN, OTHER)


@pytest.mark.parametrize("command", ["sparql-server", "serve"])
@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "::", "example.org"])
def test_beyond_loopback_no_service_starts_without_a_token_file(
    home: Path, host: str, command: str
) -> None:
    answer = call("--home", home, command, "--host", host)
    assert answer.code == 2
    assert "token file" in answer.err


def test_the_server_itself_refuses_too(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="lets other machines ask"):
        server(tmp_path, host="0.0.0.0", port=0)


def test_a_service_for_other_machines_takes_any_host_but_only_its_own_pages(folder: Path) -> None:
    with running(folder, EndpointSettings(hosts=(), tokens=(TOKEN,))) as port:
        headers = {"Host": "graph.example.org", "Authorization": f"Bearer {TOKEN}"}
        own = {"Origin": "http://graph.example.org"}
        other = {"Origin": "http://other.example.org"}
        replies = [
            send(port, "GET", [("query", "ASK {}")], headers={**headers, **more})
            for more in ({}, own, other)
        ]
    assert [reply.status for reply in replies] == [200, 200, 403]


def lines(log: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def test_every_request_is_one_line(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    with running(folder, EndpointSettings(access_log=log)) as port:
        ask(port, "SELECT * { ?s ?p ?o }", "application/sparql-results+xml")
        ask(port, "SELECT * { ?s ?p ?o }", "text/csv")
        ask(port, "SELECT * { ?s ?p ?o }")
        ask(port, "SELECT * { ?s ?p ?o FILTER(false) }")
        ask(port, "CONSTRUCT WHERE { ?s ?p ?o }")
        ask(port, "ASK {")
        send(port, "GET")
        send(port, "PUT")
        send(port, "GET", path="/", headers={"Accept": "text/html"})
    found = lines(log)
    assert [(each["kind"], each["status"], each.get("rows")) for each in found] == [
        ("select", 200, 2),
        ("select", 200, 2),
        ("select", 200, 2),
        ("select", 200, 0),
        ("construct", 200, 2),
        ("ask", 400, None),
        ("description", 200, None),
        ("none", 405, None),
        ("page", 200, None),
    ]
    for each in found:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", str(each["time"]))
        assert isinstance(each["ms"], float)
        assert int(str(each["bytes"])) > 0
        assert each["client"] == "loopback"
    assert found[0]["query"] == "SELECT * { ?s ?p ?o }"


def test_no_query_is_written_down_where_a_collection_is_private(tmp_path: Path) -> None:
    folder = graph_folder(tmp_path / "graph", quads("private"), both=True)
    log = tmp_path / "access.log"
    with running(folder, EndpointSettings(access_log=log)) as port:
        ask(port, 'ASK { ?s ?p "Jane Doe, born 1950" }')
    (line,) = lines(log)
    assert line["kind"] == "ask"
    assert "query" not in line
    assert "Jane" not in log.read_text("utf-8")


def test_the_log_follows_the_graph_from_open_to_private(tmp_path: Path) -> None:
    folder = graph_folder(tmp_path / "graph", quads("open"), both=True)
    log = tmp_path / "access.log"
    with running(folder, EndpointSettings(access_log=log)) as port:
        ask(port, "ASK { <a:first> ?p ?o }")
        graph_folder(folder, quads("private"), both=True)
        ask(port, "ASK { <a:second> ?p ?o }")
    assert ["query" in line for line in lines(log)] == [True, False]


def test_neither_a_token_nor_a_line_break_gets_into_the_log(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    settings = EndpointSettings(access_log=log, tokens=(TOKEN,))
    with running(folder, settings) as port:
        shown(port, f"Bearer {TOKEN}")
        shown(port, "Bearer wrong-wrong-wrong")
        query = 'ASK { ?s ?p "x" } # \u2028\n# {"status":200}\n'
        send(port, "GET", [("query", query)], headers={"Authorization": f"Bearer {TOKEN}"})
    text = log.read_text("utf-8")
    assert TOKEN not in text
    assert "wrong" not in text
    assert len(lines(log)) == len(text.splitlines()) == 3
    assert log.stat().st_mode & 0o077 == 0


def test_the_log_is_opened_again_when_it_was_moved_away(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    with running(folder, EndpointSettings(access_log=log)) as port:
        ask(port, "ASK {}")
        end = time.monotonic() + 10
        while not log.read_text("utf-8") and time.monotonic() < end:
            time.sleep(0.02)  # the line is written when the answer has been sent
        log.rename(tmp_path / "access.log.1")
        ask(port, "ASK {}")
    assert len(lines(log)) == len(lines(tmp_path / "access.log.1")) == 1


def test_a_log_that_cannot_be_written_is_said_at_once(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written"):
        server(folder, settings=EndpointSettings(access_log=tmp_path / "none" / "access.log"))
