"""Arguments as a clumsy or hostile user gives them end with a sentence and the right exit code."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.app.conftest import call

MAIN = (sys.executable, "-P", "-c", "from app.cli.main import main; main()")


@pytest.mark.parametrize("name", ["", "   ", " a", "a\nb", "a\x1b[31m", "caf\udce9", "x" * 201])
def test_a_name_that_cannot_be_typed_again_is_no_collection(name, tmp_path, florilegium, home):
    (tmp_path / "a.txt").write_text("The library is open late.")
    answer = florilegium("run", tmp_path / "a.txt", "--collection", name)
    assert answer.code == 2
    assert "--collection" in answer.err
    assert not home.exists()


@pytest.mark.parametrize("name", ["../x", "日本", "a b#1%", "it’s"])
def test_any_printable_name_is_a_collection(name, tmp_path, florilegium):
    (tmp_path / "a.txt").write_text("The library is open late.")
    assert florilegium("run", tmp_path / "a.txt", "--collection", name).code == 0
    (row,) = florilegium("collections", "--json").json["collections"]
    assert (row["name"], row["processed"]) == (name, 1)


@pytest.mark.parametrize("path", ["", "no/such/file", "x" * 5000])
def test_a_path_that_is_not_there_leaves_no_workspace_behind(path, florilegium, home):
    answer = florilegium("run", path, "--collection", "c")
    assert answer.code == 2
    assert "No such file or folder" in answer.err
    assert not home.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("documents", "c", "--offset", "9" * 30),
        ("documents", "c", "--outcome", "nosuch"),
        ("documents", "c", "--label", "caf\udce9"),
        ("document", "caf\udce9"),
        ("sparql", "ASK { ?s ?p '\udce9' }"),
        ("ontology", "check", "x" * 5000),
        ("summarise", "x" * 5000),
        ("tag", "--batch", "x" * 5000),
    ],
)
def test_what_no_database_or_file_system_takes_is_wrong_usage(arguments, tmp_path, florilegium):
    (tmp_path / "a.txt").write_text("The library is open late.")
    florilegium("ingest", tmp_path / "a.txt", "--collection", "c")
    answer = florilegium(*arguments)
    assert answer.code == 2
    assert "Unexpected" not in answer.err


def test_an_empty_home_is_not_the_present_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("--home", "", "collections").code == 2
    monkeypatch.setenv("FLORILEGIUM_HOME", "")
    shown = call("config", "show", "--json").json["settings"][0]
    assert (shown["name"], shown["origin"]) == ("home", "default")


def test_a_file_that_cannot_be_stored_fails_once_and_is_known_the_next_night(tmp_path, florilegium):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("The library is open late.")
    with open(os.fsencode(folder) + b"/caf\xe9.txt", "wb") as file:  # noqa: PTH123
        file.write(b"The bus is late.")
    assert florilegium("run", folder).code == 3
    answer = florilegium("run", folder, "--json")
    assert answer.code == 0
    assert answer.json["files"]["failed"] == 0
    assert "known from an earlier run" in answer.json["failures"][0]["reason"]
    assert florilegium("run", folder, "--retry-failed").code == 3


def test_a_file_that_could_not_be_opened_is_read_once_it_can(tmp_path, florilegium, monkeypatch):
    from pipelines.readers import registry

    (tmp_path / "a.txt").write_text("The library is open late.")
    with monkeypatch.context() as closed:

        def refuse(*arguments):
            raise PermissionError(13, "Permission denied")

        closed.setattr(registry, "_reader", refuse)
        closed.setattr("pipelines.runner.known.file_sha256", refuse)
        assert florilegium("run", tmp_path / "a.txt").code == 3
        known = florilegium("run", tmp_path / "a.txt", "--json")
        assert (known.code, known.json["files"]["failed"]) == (0, 0)
        assert "known from an earlier run" in known.json["failures"][0]["reason"]
    answer = florilegium("run", tmp_path / "a.txt", "--json").json
    assert answer["documents"]["processed"] == 1
    assert answer["failures"] == []


def test_a_configuration_file_that_is_no_text_exits_78(tmp_path, monkeypatch):
    (tmp_path / "config.toml").write_bytes(b"home = '\xff'")
    monkeypatch.setenv("FLORILEGIUM_CONFIG", str(tmp_path / "config.toml"))
    answer = call("config", "show")
    assert answer.code == 78
    assert "config.toml" in answer.err


def test_a_reader_that_has_gone_is_no_error(tmp_path, florilegium, home):
    (tmp_path / "a.txt").write_text("The library is open late.")
    florilegium("ingest", tmp_path / "a.txt", "--collection", "c")
    reader, writer = os.pipe()
    os.close(reader)
    command = [*MAIN, "--home", str(home), "documents", "c"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, timeout=60)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_run_goes_on_when_nobody_reads_its_lines(tmp_path, home):
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(f"Letter {name} is about the buses.")
    reader, writer = os.pipe()
    os.close(reader)
    command = [*MAIN, "--home", str(home), "run", str(tmp_path), "--ndjson"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, timeout=120)
    os.close(writer)
    assert done.returncode == 0, done.stderr
    (row,) = call("--home", home, "collections", "--json").json["collections"]
    assert row["processed"] == 3


def test_a_document_cannot_steer_the_terminal(tmp_path, florilegium):
    (tmp_path / "a.txt").write_text("Red \x1b[31mletters\x1b[0m\tand a bell \x07.\r\nDone.")
    florilegium("ingest", tmp_path / "a.txt", "--collection", "c")
    shown = florilegium("document", "a.txt").out + florilegium("documents", "c").out
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "Red \\x1b[31mletters\\x1b[0m\tand a bell \\x07.\r\nDone." in shown
    exact = florilegium("document", "a.txt", "--json").json["text"]
    assert exact == "Red \x1b[31mletters\x1b[0m\tand a bell \x07.\r\nDone."
