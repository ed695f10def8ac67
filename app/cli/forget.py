"""``florilegium forget``: erase a document, or all that one person wrote, for good."""

from __future__ import annotations

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json
from app.errors import UsageError


@click.command()
@click.argument("document", required=False)
@click.option("--respondent", metavar="ID", help="All documents of this person instead of one.")
@click.option("--collection", help="Collection; needed where the key occurs in several.")
@click.option("--reason", default="", help="Why; kept with the audit line. Name nobody here.")
@click.option(
    "--by", default="", help="Who erases.  [default: the setting reviewer, else the user]"
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@global_options
def forget(
    document: str | None,
    respondent: str | None,
    collection: str | None,
    reason: str,
    by: str,
    yes: bool,
    as_json: bool,
) -> None:
    """Erase DOCUMENT (its key or number) with all that was made of it.

    Gone are its text, results, decisions, codings, memberships, summaries that quote it, uploaded
    copies and database backups in the workspace that hold it, and its statements in the graph. A
    line without text stays: what was removed, when, by whom and why. A later run over the same
    file leaves the document out.

    Example: florilegium forget answers.csv#R7 --collection consultation --reason "asked for it"
    """
    from app.erasing import chosen
    from app.erasing import forget as erase
    from app.workspace import open_store

    here = settings()
    store = open_store(here)
    found = chosen(store, document, respondent, collection)
    author = by.strip() or here.person
    if not author:
        raise UsageError("Nobody is named as the one who erases; expected --by NAME.")
    names = ", ".join(f"{each.document.key} ({each.collection.name})" for each in found[:5])
    more = f" and {len(found) - 5:,} more" if len(found) > 5 else ""
    if not yes:
        if as_json:
            raise UsageError("--json needs --yes: nothing can be asked. Add --yes to erase.")
        click.confirm(f"Erase for good: {names}{more}?", abort=True, err=True)
    done = erase(here, store, found, author=author, reason=reason)
    if as_json:
        print_json(done.as_json())
        return
    click.echo(f"Forgotten: {len(done.erasures):,} document{'s' * (len(done.erasures) != 1)}.")
    for name, count in done.as_json()["removed"].items():
        click.echo(f"  {name.replace('_', ' ')}: {count:,}")
    for path in done.files:
        click.echo(f"  file removed: {path}")
    click.echo("Not reached:")
    for place in done.unreached:
        click.echo(f"  {place}")
    for warning in done.warnings:
        note(warning)
