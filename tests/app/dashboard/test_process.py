"""What the dashboard process loads, and what stands beside its script."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import tomllib
from pathlib import Path

import app.dashboard
from app.dashboard.naming import RECIPES
from db.store import Store
from pipelines.recipes import recipe_names

FOLDER = Path(app.dashboard.__file__).parent

SCRIPT = """
import importlib, pkgutil, sys
import app.dashboard
from streamlit.testing.v1 import AppTest
for module in pkgutil.walk_packages(app.dashboard.__path__, "app.dashboard."):
    if ".views." not in module.name and not module.name.endswith(".main"):
        importlib.import_module(module.name)
main = app.dashboard.__path__[0] + "/main.py"
for view in ("upload", "results", "sparql", "models"):
    page = AppTest.from_file(main, default_timeout=60).switch_page(f"views/{view}.py").run()
    assert page.title, view
    assert not page.exception, page.exception
print(",".join(sorted({"torch", "transformers", "spacy", "safetensors", "tokenizers"} & set(sys.modules))))
"""


def test_no_page_and_no_module_of_the_dashboard_loads_a_model_library(
    store: Store, home: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_nothing_beside_the_script_is_named_like_an_importable_package() -> None:
    # Streamlit puts the script's folder first on sys.path.
    beside = {path.stem for path in FOLDER.iterdir() if path.suffix == ".py" or path.is_dir()}
    taken = set(sys.stdlib_module_names) | set(importlib.metadata.packages_distributions())
    assert beside & taken <= {"__init__", "__pycache__", ".streamlit", "main"}


def test_the_defaults_are_safe_for_sensitive_text() -> None:
    config = tomllib.loads((FOLDER / ".streamlit" / "config.toml").read_text())
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["enableXsrfProtection"] is True
    assert "*" not in config["server"]["allowedHosts"]
    assert config["browser"]["gatherUsageStats"] is False
    assert config["client"]["showErrorDetails"] == "type"


def test_the_recipes_offered_are_those_there_are() -> None:
    assert sorted(RECIPES) == sorted(recipe_names())


def test_the_style_sheet_asks_nothing_of_the_network() -> None:
    style = (FOLDER / "assets" / "florilegium.css").read_text()
    assert "url(" not in style
    assert "@import" not in style
