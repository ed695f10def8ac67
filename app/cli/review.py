"""``florilegium review``: accept, reject, correct or add; list what was decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json, print_table
from app.errors import UsageError

if TYPE_CHECKING:
    from db.rows import DecisionRow


class _Reviews(click.Group):
    """A group whose first word may be what is decided about instead of a command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take a word that is no command as the target of ``decide``."""
        if args and args[0] not in (*self.commands, "--help"):
            args = ["decide", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_Reviews, options_metavar="TARGET | COMMAND")
def review() -> None:
    """Decide about a tag, label, theme or summary sentence; list decisions.

    TARGET is an annotation's name in the graph or its IRI: tag-17-1, labelling-17-2,
    highlight-17-1 (result and number) or coding-5; or, to add something, a document's key or
    number with --at.

    \b
    Example: florilegium review tag-17-1 --reject --reason "a street, no illness"
             florilegium review answers.csv#R7 --add "green space" --at 12-29
             florilegium review list consultation
    """


@review.command("decide")
@click.argument("target")
@click.option("--accept", is_flag=True, help="It is right.")
@click.option("--reject", is_flag=True, help="It is wrong.")
@click.option("--correct", metavar="IRI-or-LABEL", help="It should be this one.")
@click.option("--add", metavar="IRI-or-LABEL", help="This one is missing here.")
@click.option("--at", "place", metavar="START-END", default="", help="Place of what is added.")
@click.option(
    "--kind",
    type=click.Choice(["tag", "label", "theme", "summary"]),
    help="What is added.  [default: as TARGET, else tag]",
)
@click.option("--collection", help="Collection, where the document's key occurs in several.")
@click.option("--reviewer", default="", help="Who decides.  [default: the setting, else the user]")
@click.option("--reason", default="", help="Why, in your own words.")
@json_option
@global_options
def decide(
    target: str,
    accept: bool,
    reject: bool,
    correct: str | None,
    add: str | None,
    place: str,
    kind: str | None,
    collection: str | None,
    reviewer: str,
    reason: str,
    as_json: bool,
) -> None:
    """Decide about TARGET."""
    from app.review_targets import Question
    from app.reviews import review as decide_about
    from app.workspace import open_store

    given = {
        "accepted": "" if accept else None,
        "rejected": "" if reject else None,
        "corrected": correct,
        "added": add,
    }
    asked = [(verdict, value) for verdict, value in given.items() if value is not None]
    if len(asked) != 1:
        raise UsageError(
            f"{len(asked)} decisions about {target!r}; expected exactly one of --accept, --reject, "
            "--correct IRI-or-LABEL and --add IRI-or-LABEL."
        )
    ((verdict, value),) = asked
    here = settings()
    question = Question(
        target=target,
        verdict=verdict,
        value=value,
        reviewer=reviewer,
        reason=reason,
        kind=kind or "",
        place=place,
        collection=collection,
    )
    done = decide_about(here, open_store(here), question)
    if as_json:
        print_json({**decision_json(done.decision), "warnings": done.warnings})
        return
    click.echo(
        f"{done.decision.verdict.capitalize()} by {done.decision.reviewer}: {_told(done.decision)}"
    )
    for warning in done.warnings:
        note(warning)


@review.command("list")
@click.argument("collection")
@click.option("--document", "identifier", metavar="ID", help="Only those about this document.")
@click.option("--all", "everything", is_flag=True, help="Earlier and withdrawn ones too.")
@json_option
@global_options
def list_(collection: str, identifier: str | None, everything: bool, as_json: bool) -> None:
    """List the decisions about a collection, oldest first."""
    from app.workspace import open_store

    store = open_store(settings())
    row = store.collection(collection)
    document = None
    if identifier is not None:
        found = int(identifier) if identifier.isdecimal() else identifier
        document = store.document(found, collection=collection).document.id
    rows = store.decisions(row.id, document, current=not everything)
    if as_json:
        print_json({"decisions": [decision_json(each) for each in rows]})
        return
    if not rows:
        note(f"No decision about {collection!r} yet. Make one with: florilegium review TARGET")
        return
    print_table(
        ("id", "document", "kind", "about", "verdict", "reviewer", "at", "stands"),
        [
            (
                *(each.id, str(each.document_id), each.kind, _told(each), each.verdict),
                *(each.reviewer, f"{each.created_at:%Y-%m-%d %H:%M}", "" if each.current else "no"),
            )
            for each in rows
        ],
    )


@review.command("withdraw")
@click.argument("number", type=int, metavar="ID")
@json_option
@global_options
def withdraw(number: int, as_json: bool) -> None:
    """Take a decision back; it stays on record."""
    from app.reviews import withdraw as take_back
    from app.workspace import open_store

    here = settings()
    done = take_back(here, open_store(here), number)
    row, warnings = done.decision, done.warnings
    if as_json:
        print_json({**decision_json(row), "warnings": warnings})
        return
    click.echo(f"Withdrawn: decision {row.id} by {row.reviewer} ({row.verdict}) about {_told(row)}")
    for warning in warnings:
        note(warning)


def decision_json(row: DecisionRow) -> Mapping[str, Any]:
    """Return the JSON form of a decision."""
    return asdict(row) | {"replacement": dict(row.replacement)}


def _told(row: DecisionRow) -> str:
    what = row.item or "summary sentence"
    instead = f" -> {row.replacement['item']}" if row.replacement else ""
    return f"{what}{instead} at {row.start}-{row.end} {' '.join(row.text.split())[:40]!r}"
