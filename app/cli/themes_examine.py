"""``florilegium themes queue|saturation|cross``: look a codebook over."""

from __future__ import annotations

import click

from app.cli.codebook import codebook_option, opened
from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json, print_table


@click.command("queue")
@click.argument("collection")
@click.option("--most", default=20, show_default=True, type=click.IntRange(1, 1000))
@codebook_option
@json_option
@global_options
def queue(collection: str, most: int, codebook: str | None, as_json: bool) -> None:
    """List the codings to check first: uncertain ones that many others are like."""
    from app.codebooks.examining import queue as review_first
    from app.codebooks.material import open_encoder

    store, book = opened(collection, codebook)
    encoder = open_encoder(settings(), store.collection(collection))
    waiting = review_first(store, book, encoder, most=most)
    if as_json:
        print_json({"codebook": book.name, "queue": waiting})
        return
    names = ("coding", "response", "theme", "label", "score", "influence", "text")
    print_table(names, [[one[name] for name in names] for one in waiting])
    note("Decide: florilegium review coding-N --accept | --reject | --correct THEME")


@click.command("saturation")
@click.argument("collection")
@codebook_option
@json_option
@global_options
def saturation(collection: str, codebook: str | None, as_json: bool) -> None:
    """Tell how many answers one has to read to have met the themes."""
    from app.codebooks.examining import saturation_of

    store, book = opened(collection, codebook)
    found = saturation_of(store, book)
    if as_json:
        print_json({"codebook": book.name, **found})
        return
    print_table(("answers read", "themes met"), [(p["read"], p["met"]) for p in found["curve"]])
    note(
        f"95 in 100 of {found['themes']} themes are met after {found['enough']:,} of "
        f"{found['answers']:,} answers."
    )


@click.command("cross")
@click.argument("collection")
@click.option("--most", default=50, show_default=True, type=click.IntRange(1, 100_000))
@json_option
@global_options
def cross(collection: str, most: int, as_json: bool) -> None:
    """List what was said under one question and belongs to a theme of another."""
    from app.codebooks.examining import cross_points_of
    from app.codebooks.material import open_encoder
    from app.workspace import open_store

    here = settings()
    store = open_store(here)
    row = store.collection(collection)
    found = cross_points_of(store, store.codebooks(row.id), open_encoder(here, row))
    if as_json:
        print_json({"collection": collection, "points": found[:most], "all": len(found)})
        return
    names = ("response", "label", "belongs_to", "likeness", "text")
    print_table(names, [[one[name] for name in names] for one in found[:most]])
    if len(found) > most:
        note(f"{len(found) - most:,} more; see them with --most.")
