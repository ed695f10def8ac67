"""The command line starts quickly, and ends with the exit codes of the contract."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

from app.cli.main import COMMANDS
from tests.app.conftest import call, spawn

HEAVY = ("torch", "transformers", "spacy", "pandas", "rdflib", "streamlit", "sqlalchemy", "numpy")
HELP_SECONDS = 0.4


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def test_help_costs_under_its_budget_of_cpu():
    script = "from app.cli.main import main; main(['--help'])"
    costs = []
    for _ in range(3):
        before = _children_cpu()
        subprocess.run([sys.executable, "-P", "-c", script], check=True, capture_output=True)
        costs.append(_children_cpu() - before)
    assert min(costs) < HELP_SECONDS


def test_help_imports_no_heavy_library():
    answer = spawn("--help", code=f"print([m for m in {HEAVY!r} if m in sys.modules])")
    assert answer.out.rstrip().endswith("[]")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_takes_the_global_options(command):
    answer = call(command, "--help")
    assert answer.code == 0
    assert len(answer.out.strip().splitlines()) > 3


def test_global_flags_are_accepted_before_and_after_the_command(tmp_path):
    before = call("--home", tmp_path, "config", "show", "--json").json
    after = call("config", "show", "--home", tmp_path, "--json").json
    assert before == after
    assert before["settings"][0]["value"] == str(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nosuch"], 2, "nosuch"),
        (["run", "--nosuch"], 2, "--nosuch"),
        (["run", "/no/such/folder"], 2, "/no/such/folder"),
        (["collections"], 2, "florilegium demo"),
        (["run", "--recipe", "nosuch"], 78, "consultation"),
        (["tag", "text", "--ontology", "x"], 2, "florilegium demo"),
        (["tag", "text"], 2, "ontology add"),
        (["classify", "-"], 2, "--set"),
        (["--db", "postgresql+psycopg://127.0.0.1:1/none", "collections"], 69, "127.0.0.1"),
        (["--db", "mysql://x/y", "collections"], 78, "sqlite"),
        (["ontology", "add", "/no/such.ttl"], 2, "/no/such.ttl"),
        (["ontology", "add", "/no/such.ttl", "--id", "a b"], 2, "a b"),
    ],
)
def test_an_error_has_its_exit_code_and_names_the_value(arguments, code, said, tmp_path):
    answer = call("--home", tmp_path / "home", *arguments)
    assert answer.code == code
    assert said in answer.err
    assert "Traceback" not in answer.err
    assert answer.out == ""


def test_config_show_says_where_each_value_came_from(tmp_path, monkeypatch):
    config = tmp_path / "config.toml"
    config.write_text("threads = 3\nport = 9000\n")
    monkeypatch.setenv("FLORILEGIUM_CONFIG", str(config))
    monkeypatch.setenv("FLORILEGIUM_PORT", "9100")
    shown = {row["name"]: row for row in call("config", "show", "--json").json["settings"]}
    assert (shown["threads"]["value"], shown["threads"]["origin"]) == ("3", f"config file {config}")
    assert (shown["port"]["value"], shown["port"]["origin"]) == ("9100", "environment")
    assert shown["batch_documents"]["origin"] == "default"


def test_an_unknown_key_in_the_configuration_file_is_an_error(tmp_path, monkeypatch):
    config = tmp_path / "config.toml"
    config.write_text("thread = 3\nportt = 9000\n")
    monkeypatch.setenv("FLORILEGIUM_CONFIG", str(config))
    answer = call("config", "show")
    assert answer.code == 78
    assert "thread = 3" in answer.err
    assert "portt" in answer.err


def test_a_database_password_is_never_shown():
    answer = call("--db", "postgresql+psycopg://user:secret@host/name", "config", "show")
    assert "secret" not in answer.out
    assert "user" in answer.out


def test_doctor_finds_our_package_names_ours_alone(tmp_path):
    answer = call("--home", tmp_path / "home", "doctor", "--json")
    assert answer.code == 0
    checks = {row["name"]: row for row in answer.json["checks"]}
    assert checks["package names"]["ok"]
    assert not (tmp_path / "home").exists()
