"""``florilegium themes``: look at codebooks and change them."""

from __future__ import annotations

from pathlib import Path

import click

from app.cli.codebook import author_option, codebook_option, done, named, opened, shown
from app.cli.options import global_options, json_option
from app.cli.output import note, print_json, print_table
from app.cli.themes_examine import cross, queue, saturation
from app.cli.themes_find import correct, delete, find, import_, map_, split


@click.group()
@global_options
def themes() -> None:
    """Find themes in a collection, map a codebook to it, and change both without fear."""


@themes.command("list")
@click.argument("collection")
@codebook_option
@click.option("--version", type=click.IntRange(0), help="An earlier version.  [default: present]")
@json_option
@global_options
def list_(collection: str, codebook: str | None, version: int | None, as_json: bool) -> None:
    """List the themes of COLLECTION with documents and stance."""
    from app.codebooks.overview import theme_lines

    store, book = opened(collection, codebook)
    if as_json:
        print_json(shown(collection, store, book, version))
        return
    lines = theme_lines(store, book, version)
    print_table(
        ("id", "theme", "documents", "for", "against", "mixed", "neither", "not assessed"),
        [
            (
                line.theme.key,
                "  " * line.depth + line.theme.label,
                line.count.documents,
                line.count.supporting,
                line.count.opposing,
                line.count.mixed,
                line.count.neither,
                line.count.unassessed,
            )
            for line in lines
        ],
    )


@themes.command("versions")
@click.argument("collection")
@codebook_option
@json_option
@global_options
def versions(collection: str, codebook: str | None, as_json: bool) -> None:
    """List what was done to a codebook, by whom and when."""
    from app.codebooks.overview import detail_words, history

    store, book = opened(collection, codebook)
    done = history(store, book)
    if as_json:
        print_json({"codebook": book.name, "versions": done})
        return
    print_table(
        ("version", "action", "by", "at", "detail", "signed off by"),
        [
            (
                each["version"],
                each["action"],
                each["by"],
                f"{each['at']:%Y-%m-%d %H:%M}",
                detail_words(each["detail"]),
                each["signed_off_by"] or "",
            )
            for each in done
        ],
    )


@themes.command("merge")
@click.argument("collection")
@click.argument("names", nargs=-1, required=True, metavar="THEME…")
@click.option("--label", help="New label of the merged theme.")
@codebook_option
@author_option
@global_options
def merge(
    collection: str,
    names: tuple[str, ...],
    label: str | None,
    codebook: str | None,
    author: str | None,
) -> None:
    """Merge themes into the first one named. No coding is lost.

    Example: florilegium themes merge consultation t1 t4 --label "Parking charges"
    """
    from app.codebooks import operations

    store, book = opened(collection, codebook)
    operations.merge(store, book, names, author=named(author), label=label)
    done(collection, store, book)


@themes.command("rename")
@click.argument("collection")
@click.argument("theme")
@click.argument("label", required=False)
@click.option("--description", help="One sentence that says what belongs here.")
@codebook_option
@author_option
@global_options
def rename(
    collection: str,
    theme: str,
    label: str | None,
    description: str | None,
    codebook: str | None,
    author: str | None,
) -> None:
    """Give THEME another LABEL, another description, or both."""
    from app.codebooks import operations

    store, book = opened(collection, codebook)
    operations.rename(store, book, theme, label, author=named(author), description=description)
    done(collection, store, book)


@themes.command("move")
@click.argument("collection")
@click.argument("theme")
@click.argument("parent", required=False)
@codebook_option
@author_option
@global_options
def move(
    collection: str, theme: str, parent: str | None, codebook: str | None, author: str | None
) -> None:
    """Put THEME under PARENT, or at the top without one."""
    from app.codebooks import operations

    store, book = opened(collection, codebook)
    operations.move(store, book, theme, parent, author=named(author))
    done(collection, store, book)


@themes.command("undo")
@click.argument("collection")
@codebook_option
@author_option
@global_options
def undo(collection: str, codebook: str | None, author: str | None) -> None:
    """Take the last change back; again for the one before."""
    from app.codebooks import operations

    store, book = opened(collection, codebook)
    version = operations.undo(store, book, author=named(author))
    done(collection, store, book, f"it reads as in version {version}")


@themes.command("restore")
@click.argument("collection")
@click.argument("version", type=click.IntRange(0))
@codebook_option
@author_option
@global_options
def restore(collection: str, version: int, codebook: str | None, author: str | None) -> None:
    """Make an earlier VERSION the present one again, as a new version."""
    from app.codebooks import operations

    store, book = opened(collection, codebook)
    operations.restore(store, book, version, author=named(author))
    done(collection, store, book, f"it reads as in version {version}")


@themes.command("sign-off")
@click.argument("collection")
@codebook_option
@author_option
@global_options
def sign_off(collection: str, codebook: str | None, author: str | None) -> None:
    """Sign the present version off. Later changes make new versions; this one can be read again."""
    store, book = opened(collection, codebook)
    signed = store.sign_off(book.id, named(author))
    note(f"Version {signed.number} of codebook {book.name!r} is signed off by {named(author)}.")


@themes.command("export")
@click.argument("collection")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="File to write: .csv, .ttl (SKOS) or .qdc (REFI-QDA codebook).",
)
@click.option("--version", type=click.IntRange(0), help="An earlier version.  [default: present]")
@codebook_option
@json_option
@global_options
def export(
    collection: str, out: Path, version: int | None, codebook: str | None, as_json: bool
) -> None:
    """Write a codebook to a file that `themes import` and coding programs read."""
    from app.codebooks.overview import as_entries
    from app.codebooks.writing import write_codebook

    store, book = opened(collection, codebook)
    entries = as_entries(store, book, version)
    write_codebook(entries, out, title=f"{collection} {book.name}")
    if as_json:
        print_json({"rows": len(entries), "path": str(out)})
        return
    note(f"Wrote {len(entries)} themes to {out}.")


for command in (find, map_, import_, split, delete, correct, queue, saturation, cross):
    themes.add_command(command)
