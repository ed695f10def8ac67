"""Take screenshots of every page over a workspace: ``python -m tests.e2e.screenshots``."""

from __future__ import annotations

import argparse
import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from tests.e2e.browser import browsing, choose, holds, new_page, settled, whole_picture
from tests.e2e.server import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST_TAGS = 15
SAMPLE = files("app") / "samples" / "consultation" / "active-travel-consultation.csv"


def main() -> int:
    """Serve the workspace, visit its pages and write one PNG each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="workspace, for example a demo's")
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures")
    parser.add_argument("--collection", default="consultation", help="the one to show")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with (
        serving(arguments.home.resolve(), arguments.out / "serve.log") as server,
        browsing() as browser,
    ):
        page = new_page(browser)
        for name in take(page, server, arguments.out, arguments.collection):
            sys.stderr.write(f"{name}\n")
    (arguments.out / "serve.log").unlink(missing_ok=True)
    return 0


def take(page: Page, server: Server, out: Path, collection: str) -> list[Path]:
    """Visit the pages as a new user would and return the pictures' paths."""
    taken: list[Path] = []

    def picture(name: str) -> None:
        settled(page)
        path = out / f"{name}.png"
        whole_picture(page, path)
        taken.append(path)

    page.goto(server.url)
    picture("upload")
    _check(page)
    picture("import-report")
    page.goto(f"{server.url}/results?collection={collection}")
    settled(page)
    concept = _the_concept_of_most_documents(page)
    picture("results-concepts")
    page.get_by_role("tab", name="Labels").click()
    picture("results-labels")
    page.get_by_role("tab", name="Files").click()
    picture("results-files")
    page.get_by_role("tab", name="Documents").click()
    picture("results-documents")
    _open_the_most_tagged(page)
    picture("document")
    page.goto(f"{server.url}/results?collection={collection}")
    settled(page)
    page.get_by_role("row").filter(has=page.get_by_role("rowheader")).first.get_by_role(
        "rowheader"
    ).get_by_role("link").click()
    page.get_by_role("link", name="Back to the list").wait_for()
    picture("concept-card")
    page.get_by_role("link", name="Back to the list").click()
    page.get_by_text("in all").first.wait_for()
    picture("concepts")
    page.goto(f"{server.url}/sparql")
    settled(page)
    choose(page, "Ready questions", "The best evidence for a concept or anything narrower")
    choose(page, "Concept", concept)
    page.get_by_role("button", name="Ask", exact=True).click()
    holds(page.get_by_role("textbox", name="Query"), "flo:within")
    page.get_by_role("button", name="Download CSV").wait_for()
    page.mouse.move(0, 0)
    picture("sparql")
    page.goto(f"{server.url}/models")
    settled(page)
    page.get_by_test_id("stVegaLiteChart").last.locator("canvas, svg").first.wait_for()
    picture("models")
    page.goto(f"{server.url}/results?collection=nowhere")
    picture("results-unknown")
    return taken


def _check(page: Page) -> None:
    """Check a table and a broken file, and wait for the import report."""
    page.get_by_role("textbox", name="Collection name").fill("Import report")
    page.locator("input[type=file]").set_input_files(
        [
            {"name": SAMPLE.name, "mimeType": "text/csv", "buffer": SAMPLE.read_bytes()},
            {"name": "broken.xlsx", "mimeType": "", "buffer": b"PK\x03\x04 no workbook"},
        ]
    )
    page.get_by_text("broken.xlsx").first.wait_for()
    page.get_by_role("button", name="Check the files").click()
    page.get_by_role("button", name="Read and process").wait_for(timeout=120_000)
    page.mouse.move(0, 0)


def _the_concept_of_most_documents(page: Page) -> str:
    """Return the first concept of the list that documents name themselves, as SPARQL offers it."""
    rows = page.get_by_role("row").filter(has=page.get_by_role("rowheader")).all()
    for row in rows:
        ontology, itself, _ = row.get_by_role("cell").all_inner_texts()
        if int(itself.replace(",", "")):
            return f"{row.get_by_role('rowheader').inner_text()} ({ontology})"
    raise SystemExit("No document of this collection has a tag; choose another with --collection.")


def _open_the_most_tagged(page: Page) -> None:
    """Open the document of the list that has the most tags, passing over unusually long ones."""
    rows = page.get_by_role("row").filter(has=page.get_by_role("link")).locator("visible=true")
    tags = [int(row.get_by_role("cell").all()[-2].inner_text()) for row in rows.all()]
    most = max([count for count in tags if count <= MOST_TAGS] or tags)
    rows.nth(tags.index(most)).get_by_role("link").click()
    page.get_by_role("link", name="Back to the list").wait_for()


if __name__ == "__main__":
    raise SystemExit(main())
