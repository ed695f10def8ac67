"""``florilegium classify``: the labels of one text against a set, with the words that earned them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json, print_table
from app.errors import UsageError

if TYPE_CHECKING:
    from app.settings import Settings
    from pipelines.learn.read_texts import Labels
    from pipelines.types import LabelScore

Work = Callable[[Sequence[dict[str, Any]]], list[dict[str, Any]]]
_SHOWN = ("set", "label", "score", "assigned", "start", "end", "text")
_CHUNK = 1024  # records at a time: enough for every thread of the encoder
_JUDGED = 64  # the same where every sentence is read once a label


@click.command()
@click.argument("path", metavar="PATH|-", required=False)
@click.option("--set", "label_set", metavar="SET", help="A trained or bundled label set.")
@click.option(
    "--labels",
    "labels_file",
    type=click.Path(path_type=Path),
    help="CSV with label, description and optional stance.",
)
@click.option(
    "--model",
    default="",
    metavar="MODEL",
    help="An NLI model, id or folder, to judge labels by entailment.",
)
@click.option("--question", help="The question that the text answers; in a batch each record's.")
@click.option("--batch", "source", metavar="FILE", help="NDJSON file, - for stdin.")
@click.option(
    "--together",
    is_flag=True,
    help="Judge a batch as answers to one question: answers that are alike are drawn together.",
)
@json_option
@global_options
def classify(
    path: str | None,
    label_set: str | None,
    labels_file: Path | None,
    model: str,
    question: str | None,
    source: str | None,
    together: bool,
    as_json: bool,
) -> int:
    """Label a text; nothing is stored.

    With --set the labels are those of a trained set, else of a bundled one; a score of a trained
    set is a calibrated probability, and labels in its unsure band are listed for review. With
    --labels a text is matched against the names and descriptions in a file. With --model an ALBERT
    for natural language inference says of every sentence whether the label follows from it; the
    question is not read then.

    With --together the scores of a batch depend on the whole file, which is read to its end first:
    each answer is drawn towards those nearest to it in meaning. That helps where hundreds answer
    the same question; a text has the same score in any company without it.
    """
    from app.cli.batch import require_one, run_batch
    from app.cli.text_input import read_text
    from app.label_sets import is_trained

    require_one(path, source, name="PATH")
    if (label_set is None) == (labels_file is None):
        raise UsageError("Give --set SET or --labels FILE, one of the two.")
    chosen = settings()
    size = sys.maxsize if together else _JUDGED if model else _CHUNK
    if together and (source is None or model):
        raise UsageError("--together is for --batch, and not for --model: give --batch FILE alone.")
    if model:
        work = _judged(chosen, model, label_set, labels_file)
    elif label_set is not None and is_trained(chosen, label_set):
        work = _trained(chosen, label_set, together=together)
    elif labels_file is not None:
        work = _matched(chosen, labels_file, together=together)
    elif together:
        raise UsageError(
            f"--together needs a trained set or --labels FILE; {label_set!r} is neither. "
            f"Train it: florilegium train {label_set} --labels FILE"
        )
    else:
        work = _described(chosen, str(label_set))
    if source is not None:
        return run_batch(source, work, size=size)
    shown = work([{"text": read_text(path or "-"), "question": question}])[0]
    if as_json:
        print_json(shown)
    else:
        columns = ("label", "score", "assigned", "start", "end", "text")
        print_table(columns, [[x[c] for c in columns] for x in shown.get("labels", [])])
    if not shown.get("labels") and "error" not in shown:
        note("Nothing to label: the text says nothing.")
    return 3 if "error" in shown else 0


def _trained(chosen: Settings, name: str, *, together: bool) -> Work:
    """Return the work of a batch with a trained set."""
    from app.label_sets import load_labeller
    from app.workspace import build_encoder
    from pipelines.learn.read_texts import Together, label_texts

    labeller = load_labeller(chosen, name, build_encoder(chosen))
    labels = Together(labeller) if together else labeller

    def work(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        found = label_texts(
            labels, [(record["text"], record.get("question") or "") for record in records]
        )
        return [
            {"id": record.get("id")}
            | _answer(of_text)
            | {"unsure": [one.label for one in of_text if labeller.unsure(one.score)]}
            for record, of_text in zip(records, found, strict=True)
        ]

    return work


def _matched(chosen: Settings, file: Path, *, together: bool) -> Work:
    """Return the work of a batch with the shipped matcher and the labels of a file."""
    from app.workspace import build_encoder
    from pipelines.labels import load_label_set
    from pipelines.learn.matcher import Matcher
    from pipelines.learn.read_texts import Together

    matcher = Matcher(load_label_set(file), build_encoder(chosen))
    return _labelled(Together(matcher) if together else matcher)


def _judged(chosen: Settings, model: str, name: str | None, file: Path | None) -> Work:
    """Return the work of a batch with an NLI model and the labels of a file or bundled set."""
    import os

    from app.label_sets import is_bundled
    from pipelines.installed import find_model
    from pipelines.labels import label_set_names, load_label_set

    if file is None and not is_bundled(str(name)):
        raise UsageError(
            f"--model judges the labels of a file or of a bundled set, {name!r} is neither. "
            f"Give --labels FILE, or --set with one of {', '.join(label_set_names())}"
        )
    labels = load_label_set(str(name) if file is None else file)
    spec = find_model(model, chosen.home / "models")
    from pipelines.stages.entail import Entailment, EntailmentLabels

    threads = chosen.threads or os.cpu_count() or 1
    return _labelled(EntailmentLabels(labels, Entailment(spec, threads=threads)))


def _labelled(labeller: Labels) -> Work:
    """Return the work of a batch with what labels texts."""
    from pipelines.learn.read_texts import label_texts

    def work(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        found = label_texts(
            labeller, [(record["text"], record.get("question") or "") for record in records]
        )
        return [
            {"id": record.get("id")} | _answer(of_text)
            for record, of_text in zip(records, found, strict=True)
        ]

    return work


def _described(chosen: Settings, name: str) -> Work:
    """Return the work of a batch with a bundled set, known by its descriptions."""
    from app.cli.batch import piped
    from app.label_sets import is_bundled, known_sets
    from app.workspace import build_encoder
    from pipelines.labels import load_label_set
    from pipelines.pipeline import Pipeline
    from pipelines.recipes import load_recipe

    if not is_bundled(name) and not Path(name).is_file():
        raise UsageError(
            f"No label set {name!r}; there are {known_sets(chosen)}. "
            f"Train it: florilegium train {name} --labels FILE"
        )
    labels = load_label_set(name)
    recipe = replace(load_recipe("general"), stages=("classify",))
    pipeline = Pipeline(recipe, build_encoder(chosen), label_set=labels)
    return piped(pipeline, lambda result: _answer(result.labels))


def _answer(labels: Sequence[LabelScore]) -> dict[str, Any]:
    ranked = sorted(labels, key=lambda label: -label.score)
    return {
        "labels": [{name: getattr(label, name) for name in _SHOWN} for label in ranked],
        "assigned": [label.label for label in ranked if label.assigned],
    }
