"""``florilegium ontology candidates``: terms of a collection that no concept covers."""

from __future__ import annotations

from pathlib import Path

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json, print_table
from app.errors import UsageError


@click.command("candidates")
@click.argument("collection")
@click.option(
    "--ontology",
    "names",
    multiple=True,
    metavar="ID",
    help="Leave out what ID covers.  [default: those of the collection's last run]",
)
@click.option("--out", type=click.Path(path_type=Path), help="File to write: .ttl (SKOS) or .csv.")
@click.option("--limit", default=100, show_default=True, type=click.IntRange(1, 100_000))
@click.option(
    "--least",
    default=2,
    show_default=True,
    type=click.IntRange(2, 1_000_000),
    help="Least occurrences; single words need one more.",
)
@click.option("--names", "proper", is_flag=True, help="Include names of people and places.")
@json_option
@global_options
def candidates(
    collection: str,
    names: tuple[str, ...],
    out: Path | None,
    limit: int,
    least: int,
    proper: bool,
    as_json: bool,
) -> None:
    """Propose terms that COLLECTION uses and no concept covers, ranked by C-value.

    Each has its counts and quotes from your documents. A Turtle file is a SKOS proposal: every
    term a draft with examples, to be edited and then added with `florilegium ontology add`.

    Example: florilegium ontology candidates consultation --out proposal.ttl
    """
    from app.candidates import as_csv, as_turtle, chosen_ontologies, propose
    from app.kept_ontologies import ontology_rows
    from app.workspace import build_index, open_store

    if out is not None and out.suffix.lower() not in (".ttl", ".csv"):
        raise UsageError(
            f"--out {str(out)!r}: expected a name that ends in .ttl (a SKOS proposal) or .csv."
        )
    store = open_store(settings())
    row = store.collection(collection)
    rows = ontology_rows(store, names or chosen_ontologies(store, row))
    proposal = propose(
        store,
        row,
        build_index(rows),
        ontologies=[each.name for each in rows],
        limit=limit,
        least=least,
        names=proper,
    )
    if out is not None:
        text = as_csv(proposal) if out.suffix.lower() == ".csv" else as_turtle(proposal)
        try:
            out.write_text(text, "utf-8")
        except OSError as error:
            raise UsageError(
                f"Cannot write {str(out)!r}: {error.strerror}. Expected a file in a folder that "
                "you may write to; choose another with --out."
            ) from error
    if as_json:
        print_json(proposal)
    elif out is not None:
        click.echo(f"Wrote {_terms(len(proposal.terms))} to {out}.")
    else:
        _table(proposal)
    if proposal.lost_below >= least:
        note(
            f"The collection is large: terms that occur {proposal.lost_below:,} times or less may "
            "be missing."
        )


def _terms(count: int) -> str:
    return "1 candidate term" if count == 1 else f"{count:,} candidate terms"


def _table(proposal: object) -> None:
    from app.candidates import Proposal
    from app.quotes import on_one_line

    assert isinstance(proposal, Proposal)
    against = ", ".join(proposal.ontologies) or "no ontology"
    click.echo(
        f"{_terms(len(proposal.terms))} in {proposal.documents:,} documents of "
        f"{proposal.collection}, against {against}:"
    )
    print_table(
        ("term", "C-value", "occurs", "documents", "under", "first quote"),
        [
            (
                *(term.label, term.score, term.count, term.documents),
                ", ".join(each.label for each in term.broader),
                str(on_one_line(term.quotes[0], 20)) if term.quotes else "",
            )
            for term in proposal.terms
        ],
    )
