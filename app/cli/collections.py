"""``collections`` and ``collections set``: what there is, and how it is described."""

from __future__ import annotations

from dataclasses import asdict

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, plain, print_json, print_table
from app.words import outcome_words


@click.group(invoke_without_command=True)
@json_option
@global_options
def collections(as_json: bool) -> None:
    """List the collections with what became of their documents.

    Example: florilegium collections --json
    """
    if click.get_current_context().invoked_subcommand:
        return
    from app.workspace import open_store

    store = open_store(settings())
    rows = [
        {
            "name": row.name,
            "title": row.title,
            "recipe": row.recipe,
            "private": row.text_private,
            "licence": row.licence,
            "rights": row.rights,
            **asdict(store.totals(row.id)),
            "last_run": row.last_run.finished_at if row.last_run else None,
        }
        for row in store.collections()
    ]
    if as_json:
        print_json({"collections": rows})
        return
    rare = ("partial", "empty", "other_language", "skipped", "failed", "pending")
    names = (
        *("name", "recipe", "documents", "processed"),
        *(name for name in rare if name == "failed" or any(row[name] for row in rows)),
        *("labels", "tags"),
    )
    heads = ["say nothing" if n == "empty" else outcome_words(n) for n in names]
    print_table(heads, [[row[name] for name in names] for row in rows])


@collections.command("set")
@click.argument("collection")
@click.option("--title", metavar="T", help="Title, as reports and exports show it.")
@click.option("--licence", metavar="IRI", help="Licence of its texts: an IRI, or words.")
@click.option("--rights", metavar="TEXT", help="Who holds the rights, and what they ask for.")
@click.option("--private/--public", default=None, help="Keep its words out of what others read.")
@json_option
@global_options
def set_(
    collection: str,
    title: str | None,
    licence: str | None,
    rights: str | None,
    private: bool | None,
    as_json: bool,
) -> None:
    """Change the description of COLLECTION; '' empties. The graph and its dumps carry it.

    Example: florilegium collections set consultation --licence https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/
    """
    from app.errors import UsageError
    from app.reviews import graph_follows
    from app.workspace import open_store

    wanted = {"title": title, "licence": licence, "rights": rights}
    if private is None and all(value is None for value in wanted.values()):
        raise UsageError(
            "Nothing to set; expected one of --title, --licence, --rights, --private and --public. "
            f"Example: florilegium collections set {collection} --title 'A title'"
        )
    here = settings()
    store = open_store(here)
    id = store.collection(collection).id
    row, warnings = graph_follows(
        here,
        store,
        lambda: store.describe_collection(
            id, title=title, licence=licence, rights=rights, text_private=private
        ),
    )
    values = {name: getattr(row, name) for name in ("name", "title", "licence", "rights")}
    if as_json:
        print_json({**values, "private": row.text_private})
    else:
        for name, value in (*values.items(), ("texts", "private" if row.text_private else "open")):
            click.echo(plain(f"{name}: {' '.join(value.split())}"))
    for warning in warnings:
        note(warning)
