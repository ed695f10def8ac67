"""The page as files over HTTP: its policy, its parts, and what it takes from elsewhere."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from ontology.queries import ready_queries
from tests.app.endpoint_client import running, send
from tests.app.graph_folder import graph_folder

ASSETS = files("app.endpoint").joinpath("assets")
RECORD = files("app").joinpath("help/decisions/0013-sparql-page.md")
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A service over an empty graph."""
    with running(graph_folder(tmp_path_factory.mktemp("graph"))) as found:
        yield found


@pytest.mark.parametrize("path", ["/", "/sparql"])
def test_a_browser_gets_the_page_and_a_client_the_description(port: int, path: str) -> None:
    reply = send(port, "GET", path=path, headers=BROWSER)
    assert (reply.status, reply.media_type) == (200, "text/html")
    assert b'lang="en-GB"' in reply.body
    assert send(port, "GET", headers={"Accept": "*/*"}).media_type == "text/turtle"


def test_a_browser_that_sends_a_query_gets_an_answer(port: int) -> None:
    accept = BROWSER["Accept"]
    reply = send(port, "GET", [("query", "ASK {}")], headers={"Accept": accept})
    assert reply.media_type == "application/sparql-results+xml"


@pytest.mark.parametrize("path", ["/", "/page.json", "/assets/page.js", "/assets/none.js"])
def test_every_part_has_the_strict_policy(port: int, path: str) -> None:
    reply = send(port, "GET", path=path)
    policy = dict(part.strip().split(" ", 1) for part in
                  reply.headers["content-security-policy"].split(";"))  # fmt: skip
    assert policy["default-src"] == "'none'"
    for kind in ("script-src", "style-src", "connect-src"):
        assert policy[kind] == "'self'"
    assert policy["frame-ancestors"] == policy["form-action"] == policy["base-uri"] == "'none'"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["referrer-policy"] == "no-referrer"


def test_the_page_runs_nothing_inline_and_names_no_other_host() -> None:
    for name in ("page.html", "page.js", "page.css"):
        text = ASSETS.joinpath(name).read_text("utf-8")
        assert not re.search(r"https?://|//[a-z]+\.[a-z]", text), name
    html = ASSETS.joinpath("page.html").read_text("utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son[a-z]+=|\sstyle=", html)
    assert "localStorage." not in ASSETS.joinpath("page.js").read_text("utf-8")


def test_every_file_that_the_page_names_is_served(port: int) -> None:
    html = ASSETS.joinpath("page.html").read_text("utf-8")
    named = re.findall(r'(?:href|src)="(/assets/[^"]+)"', html)
    assert len(named) >= 5
    assert [send(port, "GET", path=path).status for path in named] == [200] * len(named)


def test_the_editor_is_the_published_one_and_has_its_licences() -> None:
    recorded = dict(
        reversed(line.split()) for line in re.findall(r"^[0-9a-f]{64}  \S+$", RECORD.read_text("utf-8"), re.M)
    )  # fmt: skip
    assert set(recorded) == {"yasqe.min.js", "yasqe.min.css"}
    for name, digest in recorded.items():
        assert hashlib.sha256(ASSETS.joinpath(name).read_bytes()).hexdigest() == digest
    licences = ASSETS.joinpath("licences.txt").read_text("utf-8")
    for package in ("yasqe", "codemirror", "lodash-es", "query-string", "store", "dompurify"):
        assert package in licences


def test_the_pages_data_are_questions_and_prefixes(port: int) -> None:
    data = json.loads(send(port, "GET", path="/page.json").body)
    assert [each["name"] for each in data["ready"]] == [each.name for each in ready_queries()]
    assert data["prefixes"]["skos"]
    assert "flo:Summary" in data["terms"]


def test_every_example_is_a_query_that_is_answered(port: int) -> None:
    from tests.app.endpoint_client import ask

    for example in json.loads(send(port, "GET", path="/page.json").body)["examples"]:
        assert ask(port, example["text"]).status == 200, example["title"]


def test_a_question_is_written_with_values_that_cannot_become_syntax(port: int) -> None:
    question = next(each for each in ready_queries() if any(p.needed for p in each.params))
    needed = next(each for each in question.params if each.needed)
    missing = send(port, "GET", [("ready", question.name)], path="/page.json")
    bad = [("ready", question.name), (needed.name, "http://x/> } SERVICE <http://y/> {")]
    refused = send(port, "GET", bad, path="/page.json")
    unknown = send(port, "GET", [("ready", "no-such-question")], path="/page.json")
    assert {missing.status, refused.status, unknown.status} == {400}


@pytest.mark.parametrize("path", ["/", "/page.json", "/assets/page.js"])
def test_a_foreign_host_gets_nothing(port: int, path: str) -> None:
    assert send(port, "GET", path=path, headers={"Host": "evil.example"}).status == 421


@pytest.mark.parametrize("path", ["/assets/../page.py", "/assets/%2e%2e%2fpage.py", "/assets/"])
def test_no_other_file_is_served(port: int, path: str) -> None:
    assert send(port, "GET", path=path).status == 404
    assert Path(str(ASSETS)).parent.joinpath("page.py").exists()
