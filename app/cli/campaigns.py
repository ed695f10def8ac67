"""``florilegium campaigns find|list``: copies of letters, and one person answering twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from app.campaigns import Found
    from db.store import Store


@click.group()
@global_options
def campaigns() -> None:
    """Find copies of campaign letters, with each sender's own words; list what was found."""


@campaigns.command("find")
@click.argument("collection")
@json_option
@global_options
def find(collection: str, as_json: bool) -> None:
    """Find the campaigns of COLLECTION and store them in place of those found before.

    Exact and near copies of a letter are grouped, with what they share and what each sender wrote
    of his or her own. Answers that one respondent gave twice under a question are listed beside
    them. The same texts give the same groups.

    Example: florilegium campaigns find consultation
    """
    from app.campaigns import find as find_in
    from app.workspace import open_store

    here = settings()
    store = open_store(here)
    found = find_in(here, store, store.collection(collection))
    _print(store, found, as_json=as_json)
    for warning in found.warnings:
        note(warning)


@campaigns.command("list")
@click.argument("collection")
@json_option
@global_options
def list_(collection: str, as_json: bool) -> None:
    """List the campaigns found in COLLECTION, and the number of responses on both bases.

    Example: florilegium campaigns list consultation --json
    """
    from app.campaigns import listed
    from app.workspace import open_store

    store = open_store(settings())
    found = listed(store, store.collection(collection))
    _print(store, found, as_json=as_json)
    if not found.campaigns and not as_json:
        note(f"None is stored. Look for them with: florilegium campaigns find {collection}")


def _print(store: Store, found: Found, *, as_json: bool) -> None:
    from app.campaigns import as_dict

    if as_json:
        ids = {member.document_id for row in found.campaigns for member in row.members}
        collection = store.collection(found.collection)
        texts = {
            row.id: (row.key, row.text)
            for row in store.group_documents(collection.id)
            if row.id in ids
        }
        print_json(as_dict(found, texts))
        return
    counts = found.counts
    click.echo(
        f"{counts.all_responses:,} responses in {found.collection}; "
        f"{counts.counted_once:,} with campaigns counted once."
    )
    if found.campaigns:
        print_table(
            ("id", "kind", "documents", "with own words", "one person?", "template"),
            [
                (
                    row.id,
                    row.kind,
                    len(row.members),
                    sum(bool(member.own) for member in row.members),
                    "likely" if row.details.get("likely_one_person") else "",
                    row.template or str(row.details.get("respondent", "")),
                )
                for row in found.campaigns
            ],
        )
        click.echo(found.method)
