"""How files are read is as asked, else as the collection remembers it, else as usual."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.jobs import RunRequest
from app.run_plan import ReadPlan, make_plan, plan_reading
from app.settings import load_settings
from app.workspace import engine_in_force
from db.rows import CollectionRow
from pipelines.engines import BFLOAT16, FLOAT32, write_choice
from pipelines.models import embedded_spec
from pipelines.readers.tables.mapping import MappingError

MAPPING = '[[table]]\nfile = "*.csv"\n[table.columns]\n"note" = "free_text"\n'


def collection(**reading: object) -> CollectionRow:
    return CollectionRow(1, "c", "general", False, "", datetime.now(UTC), reading=reading)


def test_nothing_asked_and_nothing_remembered_is_as_usual(home):
    plan = plan_reading(RunRequest("c"), None)
    assert plan == ReadPlan()
    assert plan.kept() == {}
    options = plan.options(load_settings(home=home))
    assert (options.questions, options.mapping, options.ocr) == ((), None, False)


def test_what_is_asked_is_kept(home):
    plan = plan_reading(RunRequest("c", questions=("Q1",), mapping=MAPPING, ocr=True), None)
    assert plan.kept() == {"questions": ["Q1"], "mapping": MAPPING, "ocr": True}
    assert plan.remembered == ()
    assert plan.options(load_settings(home=home)).mapping is not None


def test_what_is_not_asked_is_remembered_and_told():
    known = collection(questions=["Q1"], mapping=MAPPING, ocr=True)
    plan = plan_reading(RunRequest("c"), known)
    assert (plan.questions, plan.mapping, plan.ocr) == (("Q1",), MAPPING, True)
    assert len(plan.remembered) == 3
    assert plan.kept() == dict(known.reading)


def test_one_part_can_be_asked_anew_and_the_others_stay():
    known = collection(questions=["Q1"], mapping=MAPPING)
    plan = plan_reading(RunRequest("c", questions=("Q2",)), known)
    assert (plan.questions, plan.mapping) == (("Q2",), MAPPING)


def test_each_part_can_be_forgotten():
    known = collection(questions=["Q1"], mapping=MAPPING, ocr=True)
    plan = plan_reading(RunRequest("c", questions=("",), mapping="", ocr=False), known)
    assert (plan.questions, plan.mapping, plan.ocr) == ((), "", False)


def test_ocr_of_the_settings_is_not_kept(home, monkeypatch):
    monkeypatch.setenv("FLORILEGIUM_OCR", "1")
    plan = plan_reading(RunRequest("c"), None)
    assert plan.options(load_settings(home=home)).ocr
    assert plan.kept() == {}


def test_a_mapping_that_does_not_fit_is_an_error_of_configuration(home):
    plan = plan_reading(RunRequest("c", mapping="[[table]]\nfile = 7"), None)
    with pytest.raises(MappingError) as raised:
        plan.options(load_settings(home=home))
    assert raised.value.exit_code == 78


def test_the_engine_in_force_decides_the_fingerprint(tmp_path: Path) -> None:
    here = load_settings(home=tmp_path)
    request = RunRequest(collection="c")
    assert engine_in_force(here) == FLOAT32
    before = make_plan(None, request, None, engine=engine_in_force(here))
    write_choice(tmp_path / "models", BFLOAT16, [], model=embedded_spec().sha256)
    assert engine_in_force(here) == BFLOAT16
    after = make_plan(None, request, None, engine=engine_in_force(here))
    assert before.fingerprint.value != after.fingerprint.value
    assert after.fingerprint.details["engine"] == BFLOAT16
