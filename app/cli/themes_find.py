"""``florilegium themes find|map|import|split|delete|correct``: what needs the model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.codebook import author_option, codebook_option, done, named, opened, shown
from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json
from app.errors import UsageError

if TYPE_CHECKING:
    from app.codebooks.finding import Outcome
    from db.rows import CodebookRow, CollectionRow
    from db.store import Store
    from pipelines.themes.describe import Concept

question_option = click.option(
    "--question", metavar="TEXT", help="Only answers to this question; its beginning is enough."
)


@click.command("find")
@click.argument("collection")
@question_option
@click.option(
    "--themes", "number", type=click.IntRange(2, 200), help="How many.  [default: chosen]"
)
@click.option(
    "--stability", is_flag=True, help="Find again from other samples; mark fragile themes."
)
@codebook_option
@json_option
@global_options
def find(
    collection: str,
    question: str | None,
    number: int | None,
    stability: bool,
    codebook: str | None,
    as_json: bool,
) -> None:
    """Find themes in COLLECTION. What people decided stays; the same answers give the same themes.

    A codebook that people imported or changed is mapped first, and only what it misses is searched
    for new themes.

    Example: florilegium themes find consultation --question "Q3"
    """
    from app.codebooks.finding import find_themes_for
    from app.codebooks.material import open_encoder, read_material

    here = settings()
    store, row, book, asked = _book(collection, codebook, question)
    encoder = open_encoder(here, row)
    material = read_material(store, row, asked, encoder)
    outcome = find_themes_for(
        here, store, book, material, themes=number, concept=_concepts(store, row)
    )
    more: dict[str, object] = {}
    if stability:
        from app.codebooks.examining import check_stability

        more = check_stability(store, store.codebook(row.id, book.name), material)
    _told(collection, store, book, outcome, more, as_json=as_json)


@click.command("map")
@click.argument("collection")
@codebook_option
@json_option
@global_options
def map_(collection: str, codebook: str | None, as_json: bool) -> None:
    """Map a codebook's themes to the answers again, learning from what people corrected."""
    store, book = opened(collection, codebook)
    outcome = _map(store, store.collection(collection), book)
    _told(collection, store, book, outcome, {}, as_json=as_json)


@click.command("import")
@click.argument("collection")
@click.argument("file", type=click.Path(path_type=Path))
@question_option
@click.option("--no-map", is_flag=True, help="Only take the themes over; map them later.")
@codebook_option
@author_option
@json_option
@global_options
def import_(
    collection: str,
    file: Path,
    question: str | None,
    no_map: bool,
    codebook: str | None,
    author: str | None,
    as_json: bool,
) -> None:
    """Take the themes of FILE over and map them to the answers.

    FILE is a CSV table (label, description, parent, examples parted by "|"), a REFI-QDA codebook
    (.qdc) or a SKOS vocabulary; what `themes export` wrote for another consultation fits. A theme
    whose label is there already gets its description and examples from FILE.

    Example: florilegium themes import consultation codebook.csv --codebook agreed
    """
    from app.codebooks.entries import read_codebook
    from app.codebooks.importing import take_over

    entries = read_codebook(file)
    store, row, book, _ = _book(collection, codebook, question)
    take_over(store, book, entries, author=named(author), source=file.name)
    book = store.codebook(row.id, book.name)
    if no_map:
        done(collection, store, book)
        return
    outcome = _map(store, row, book)
    _told(collection, store, book, outcome, {}, as_json=as_json)


@click.command("split")
@click.argument("collection")
@click.argument("theme")
@click.option("--into", "labels", multiple=True, metavar="LABEL", help="A part; give two or more.")
@click.option("--parts", default=2, show_default=True, type=click.IntRange(2, 20))
@codebook_option
@author_option
@global_options
def split(
    collection: str,
    theme: str,
    labels: tuple[str, ...],
    parts: int,
    codebook: str | None,
    author: str | None,
) -> None:
    """Split THEME: by the labels of its parts, or by what its statements say.

    Example: florilegium themes split consultation t2 --into "Bus fares" --into "Bus times"
    """
    from app.codebooks.material import open_encoder
    from app.codebooks.splitting import split as split_theme

    store, book = opened(collection, codebook)
    encoder = open_encoder(settings(), store.collection(collection))
    split_theme(store, book, theme, encoder, author=named(author), labels=labels, parts=parts)
    done(collection, store, book)


@click.command("delete")
@click.argument("collection")
@click.argument("theme")
@codebook_option
@author_option
@global_options
def delete(collection: str, theme: str, codebook: str | None, author: str | None) -> None:
    """Delete THEME; its statements go to the themes that fit them, or to "Other"."""
    from app.codebooks.material import open_encoder
    from app.codebooks.splitting import delete as delete_theme

    store, book = opened(collection, codebook)
    encoder = open_encoder(settings(), store.collection(collection))
    moved = delete_theme(store, book, theme, encoder, author=named(author))
    done(collection, store, book, f"{moved} of its statements went to other themes")


@click.command("correct")
@click.argument("collection")
@click.argument("file", type=click.Path(path_type=Path))
@codebook_option
@author_option
@json_option
@global_options
def correct(
    collection: str, file: Path, codebook: str | None, author: str | None, as_json: bool
) -> None:
    """Apply many corrections of codings at once; `florilegium review` makes single ones.

    FILE is CSV with the columns response, start, end, from, to, reason: the statement at that place
    goes from one theme to another; an empty "to" takes it out, an empty "from" adds it, both the
    same confirm it. What people decide overrides every later run.
    """
    from app.codebooks.coding import correct, read_corrections

    store, book = opened(collection, codebook)
    version, changed = correct(store, book, read_corrections(file), author=named(author))
    if as_json:
        print_json({"codebook": book.name, "version": version, "changed": changed})
    done(collection, store, book, f"{changed} codings changed")


def _book(
    collection: str, codebook: str | None, question: str | None
) -> tuple[Store, CollectionRow, CodebookRow, str | None]:
    """Return the codebook to work on, made where there is none, and its question."""
    from app.codebooks.material import default_name, question_of
    from app.workspace import open_store

    store = open_store(settings())
    row = store.collection(collection)
    books = store.codebooks(row.id)
    known = next((each for each in books if each.name == codebook), None)
    if known is None and codebook is None and question is None and len(books) == 1:
        known = books[0]
    asked = question_of(store, row, question, known)
    if known is None:
        known = store.create_codebook(row.id, codebook or default_name(asked), question=asked)
    if known.question != asked:
        raise UsageError(
            f"Codebook {known.name!r} is for "
            f"{'all questions' if known.question is None else repr(known.question)}; name another "
            "with --codebook, or leave --question out."
        )
    return store, row, known, asked


def _map(store: Store, row: CollectionRow, book: CodebookRow) -> Outcome:
    from app.codebooks.finding import map_codebook
    from app.codebooks.material import open_encoder, read_material

    here = settings()
    if not any(theme.kind == "theme" for theme in store.themes(book.id, book.version)):
        raise UsageError(
            f"Codebook {book.name!r} has no theme to map. Find some with: florilegium themes find "
            f"{row.name}, or import them: florilegium themes import {row.name} FILE"
        )
    material = read_material(store, row, book.question, open_encoder(here, row))
    return map_codebook(here, store, book, material)


def _concepts(store: Store, row: CollectionRow) -> Concept | None:
    """Return a look-up in the vocabularies of the collection's last run; None without any."""
    from app.candidates import chosen_ontologies
    from app.kept_ontologies import ontology_rows
    from app.workspace import build_index
    from pipelines.themes.describe import concept_of

    names = chosen_ontologies(store, row)
    index = build_index(ontology_rows(store, names)) if names else None
    return concept_of(index) if index is not None else None


def _told(
    collection: str,
    store: Store,
    book: CodebookRow,
    outcome: Outcome,
    more: dict[str, object],
    *,
    as_json: bool,
) -> None:
    book = store.codebook(book.collection_id, book.name)
    covered = outcome.coverage
    if as_json:
        print_json(
            shown(collection, store, book, None)
            | {
                "changed": outcome.changed,
                "coverage": {
                    "themed": covered.themed,
                    "other": covered.other,
                    "no_reason": covered.silent,
                    "share": round(covered.share, 4),
                },
            }
            | more
        )
    if outcome.changed:
        share = f"{covered.share:.0%} of the statements that give a reason are in a theme"
        done(collection, store, book, share)
    else:
        note(f"Nothing is new: codebook {book.name!r} stays at version {book.version}.")
