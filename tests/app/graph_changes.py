"""Random changes of a small workspace: everything that the graph is made from, one step at a time."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Select, delete, func, select, update

from app.settings import Settings, load_settings
from app.workspace import add_ontology, open_store
from db.errors import DatabaseError
from db.models import (
    Campaign,
    CampaignMember,
    Codebook,
    CodebookVersion,
    Collection,
    Document,
    GroupSummary,
    GroupSummarySentence,
    Result,
    Run,
    Theme,
    ThemeAssignment,
    ThemeState,
)
from db.rows import DecisionInput, LabelRow, ResultInput, SentenceRow, SummaryRow, TagRow
from db.store import Store
from db.store.access import insert_all
from db.types import utc_now
from tests.db.samples import doc, source

CONCEPTS = 14
VOCABULARY = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix c: <https://example.org/c/> .
""" + "\n".join(
    f'c:n{n} a skos:Concept ; skos:prefLabel "thing {n}"@en'
    + (f" ; skos:broader c:n{(n - 1) // 2}" if n else " ; skos:broader c:n13")
    + " ."
    for n in range(CONCEPTS)
)
"""A tree that bites its own tail: the top is narrower than the last."""
WORDS = ["the path", "by", "the river", "floods", "every", "winter", "and nobody", "mends", "it"]


class Workspace:
    """A workspace with an open and a private collection, and a seed for what happens to it."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.settings = settings
        self.store: Store = open_store(settings, create=True)
        self.chance = random.Random(seed)
        self.number = 0
        self.collections = [
            self.store.ensure_collection("open", recipe="general").id,
            self.store.ensure_collection("closed", recipe="general", text_private=True).id,
        ]
        self.vocabulary("v1")

    def vocabulary(self, version: str) -> None:
        """Register a version of the vocabulary."""
        file = self.settings.home / "v.ttl"
        file.write_text(VOCABULARY + f"\n# {version}\n")
        add_ontology(self.settings, self.store, file, "v")

    def step(self) -> str:
        """Make one change, chosen by chance; return its name."""
        changes: list[Callable[[], object]] = [
            self.read, self.read, self.run, self.run, self.decide, self.decide, self.code, self.campaign,
            self.summarise, self.uncode, self.drop_campaign, self.drop_summary, self.forget, self.reread,
            self.new_theme, self.drop_run,
        ]  # fmt: skip
        change = self.chance.choice(changes)
        change()
        return change.__name__

    def text(self) -> str:
        """Return a text of a few words."""
        return " ".join(self.chance.choices(WORDS, k=self.chance.randrange(3, 12))) + "."

    def read(self) -> None:
        """Read a file with new documents."""
        self.number += 1
        where = self.chance.choice(self.collections)
        path = f"/inbox/{self.number}.csv"
        found = [
            doc(f"{path}#{n}", self.text(), question=self.chance.choice((None, "Why?")))
            for n in range(self.chance.randrange(1, 4))
        ]
        self.store.put_file(where, source(path), found)

    def reread(self) -> None:
        """Read a known file again: texts change, documents go and come back."""
        known = [(id, row) for id in self.collections for row in self.store.sources(id)]
        if not known:
            return
        where, row = self.chance.choice(known)
        found = [
            doc(f"{row.path}#{n}", self.text(), locator=self.chance.choice(("", "row 2")))
            for n in range(self.chance.randrange(0, 4))
        ]
        self.store.put_file(where, source(row.path), found)

    def run(self) -> None:
        """Process what is pending, or everything again with another fingerprint."""
        where = self.chance.choice(self.collections)
        mark = f"f{self.chance.randrange(3)}"
        details = {
            "software": self.chance.choice(("1.0", "1.1")),
            "model": {"id": "small", "sha256": "ab" * 32, "revision": "1"},
            "ontologies": [{"id": "v", "sha256": self.store.ontology("v").sha256}],
        }
        run = self.store.start_run(where, recipe="general", fingerprint=mark, details=details)
        pending = self.store.pending(where, fingerprint=mark)
        batch = [(row, self.result(row.text)) for some in pending.batches for row in some]
        some = batch[: self.chance.randrange(len(batch) + 1)]
        self.store.save_results(run, recipe="general", fingerprint=mark, batch=some)
        self.store.finish_run(run, "finished", {"processed": len(some)})

    def result(self, text: str) -> ResultInput:
        """Return a result with tags, labels and a summary, or none of them."""
        chance = self.chance
        if chance.random() < 0.2:
            return ResultInput(chance.choice(("empty", "failed")), "no words")
        tags = []
        for _ in range(chance.randrange(4)):
            start = chance.randrange(len(text) - 3)
            iri = f"https://example.org/c/n{chance.randrange(CONCEPTS)}"
            found = TagRow(
                "v", iri, "", "", start, start + 3, text[start : start + 3], 0.5, "label"
            )
            tags.append(found)
        names = chance.sample(("wish", "praise", "worry"), chance.randrange(3))
        of = chance.choice(("kinds", "moods"))
        return ResultInput(
            "processed",
            sentences=(SentenceRow(0, 0, len(text)),),
            summary=(SummaryRow(1, 0, len(text), text, 0.5),),
            labels=tuple(LabelRow(of, name, 0.6, True, 0, len(text), text) for name in names),
            tags=tuple(tags),
        )

    def some_document(self, *, anyone: bool = False) -> tuple[int, int, str] | None:
        """Return id, collection and text of a document that stands."""
        query = select(Document.id, Document.collection_id, Document.text)
        if not anyone:
            query = query.where(~Document.withdrawn)
        with self.store.reading() as connection:
            rows = connection.execute(query.order_by(Document.id)).all()
        return tuple(self.chance.choice(rows)) if rows else None  # type: ignore[return-value]

    def decide(self) -> None:
        """Accept, reject, correct or add something; sometimes the same thing again."""
        found = self.some_document()
        if found is None:
            return
        id, _, text = found
        kind = self.chance.choice(("tag", "tag", "label", "summary"))
        scheme = {"tag": "v", "label": "kinds", "summary": ""}[kind]
        items = {
            "tag": f"https://example.org/c/n{self.chance.randrange(CONCEPTS)}",
            "label": "other kind",
            "summary": "",
        }
        replacement = {}
        verdict = self.chance.choice(("accepted", "rejected", "added", "corrected"))
        if verdict == "corrected":
            other = f"https://example.org/c/n{self.chance.randrange(CONCEPTS)}"
            item = {"tag": other, "label": "third kind", "summary": ""}[kind]
            replacement = {"scheme": scheme, "item": item, "start": 1, "end": 3, "text": text[1:3]}
        decision = DecisionInput(
            document_id=id,
            kind=kind,
            scheme=scheme,
            item=items[kind],
            start=0,
            end=3,
            text=text[0:3],
            verdict=verdict,
            reviewer=self.chance.choice("AB"),
            reason=self.chance.choice(("", "as read")),
            replacement=replacement,
        )
        try:
            self.store.decide(decision)
        except DatabaseError:
            return  # a verdict that does not fit this kind

    def new_theme(self) -> None:
        """Add a theme to the collection's codebook, made where there is none."""
        where = self.chance.choice(self.collections)
        with self.store.writing() as connection:
            query = select(Codebook.id).where(Codebook.collection_id == where)
            book = connection.scalar(query)
            if book is None:
                values = {"collection_id": where, "name": "matters", "question": None}
                insert_all(connection, Codebook, [values | {"version": 1, "created_at": utc_now()}])
                book = connection.scalar(query)
                version = {"codebook_id": book, "number": 1, "action": "found", "detail": {}}
                version |= {"author": "A", "created_at": utc_now(), "signed_off_by": ""}
                insert_all(connection, CodebookVersion, [version])
            known = connection.scalars(select(Theme.id).where(Theme.codebook_id == book)).all()
            key = f"t{len(known)}-{self.number}-{self.chance.random()}"
            insert_all(connection, Theme, [{"codebook_id": book, "key": key, "kind": "theme"}])
            (id,) = connection.scalars(select(Theme.id).where(Theme.key == key)).all()
            state = {"theme_id": id, "since": 1, "until": None, "label": key, "description": ""}
            state |= {"parent_id": self.chance.choice([None, *known]), "origin": "found"}
            insert_all(connection, ThemeState, [state | {"concept": "", "details": {}}])

    def code(self) -> None:
        """Code a statement with a theme."""
        found = self.some_document()
        if found is None:
            return
        id, where, text = found
        with self.store.writing() as connection:
            themes = connection.scalars(_themes_of(where)).all()
            if not themes:
                return
            row = {"theme_id": self.chance.choice(themes), "document_id": id, "start": 0, "end": 4}
            row |= {"text": text[:4], "score": 0.5, "stance": self.chance.choice(("", "for"))}
            row |= {"method": "found", "since": 1, "until": None}
            insert_all(connection, ThemeAssignment, [row])

    def uncode(self) -> None:
        """End a theme with its codings, or one coding."""
        with self.store.writing() as connection:
            ids = connection.scalars(select(Theme.id).order_by(Theme.id)).all()
            if not ids:
                return
            id = self.chance.choice(ids)
            codings = update(ThemeAssignment).where(ThemeAssignment.theme_id == id)
            connection.execute(codings.values(until=2))
            if self.chance.random() < 0.5:
                states = update(ThemeState).where(ThemeState.theme_id == id)
                connection.execute(states.values(until=2))

    def campaign(self) -> None:
        """Note that documents share a text."""
        where = self.chance.choice(self.collections)
        with self.store.writing() as connection:
            query = select(Document.id).where(Document.collection_id == where)
            ids = connection.scalars(query.order_by(Document.id)).all()
            if len(ids) < 2:
                return
            row = {"collection_id": where, "kind": self.chance.choice(("campaign", "respondent"))}
            row |= {"question": None, "template": self.text(), "method": "shingles"}
            insert_all(connection, Campaign, [row | {"details": {}, "created_at": utc_now()}])
            id = connection.scalar(select(func.max(Campaign.id)))
            members = self.chance.sample(ids, self.chance.randrange(1, min(4, len(ids)) + 1))
            rows = [
                {"campaign_id": id, "document_id": n, "likeness": 0.7, "exact": False, "own": []}
                for n in members
            ]
            insert_all(connection, CampaignMember, rows)

    def drop_campaign(self) -> None:
        """Take a campaign back."""
        with self.store.writing() as connection:
            ids = connection.scalars(select(Campaign.id).order_by(Campaign.id)).all()
            if ids:
                one = self.chance.choice(ids)
                connection.execute(delete(Campaign).where(Campaign.id == one))

    def summarise(self) -> None:
        """Summarise a collection in a document's sentence."""
        found = self.some_document()
        if found is None:
            return
        id, where, text = found
        with self.store.writing() as connection:
            row = {"collection_id": where, "kind": "collection", "subject": "", "query": "what"}
            insert_all(connection, GroupSummary, [row | {"details": {}, "created_at": utc_now()}])
            summary = connection.scalar(select(func.max(GroupSummary.id)))
            row = {"summary_id": summary, "rank": 1, "document_id": id, "start": 0, "end": 4}
            row |= {"text": text[:4], "score": 0.5, "stance": "", "role": "summary"}
            insert_all(connection, GroupSummarySentence, [row])

    def drop_summary(self) -> None:
        """Take a summary back."""
        with self.store.writing() as connection:
            ids = connection.scalars(select(GroupSummary.id).order_by(GroupSummary.id)).all()
            if ids:
                one = self.chance.choice(ids)
                connection.execute(delete(GroupSummary).where(GroupSummary.id == one))

    def forget(self) -> None:
        """Delete a document with everything that hangs on it."""
        found = self.some_document(anyone=True)
        if found is not None:
            with self.store.writing() as connection:
                connection.execute(delete(Document).where(Document.id == found[0]))

    def drop_run(self) -> None:
        """Delete a run's results."""
        with self.store.writing() as connection:
            ids = connection.scalars(select(Run.id).order_by(Run.id)).all()
            if ids:
                one = self.chance.choice(ids)
                connection.execute(delete(Result).where(Result.run_id == one))

    def other_recipe(self) -> None:
        """Give a collection another recipe: what was found with the old one is current no more."""
        with self.store.writing() as connection:
            where = Collection.id == self.collections[0]
            connection.execute(update(Collection).where(where).values(recipe="other"))


def _themes_of(collection: int) -> Select[tuple[int]]:
    return (
        select(Theme.id)
        .join(Codebook, Codebook.id == Theme.codebook_id)
        .join(ThemeState, ThemeState.theme_id == Theme.id)
        .where(Codebook.collection_id == collection, ThemeState.until.is_(None))
        .order_by(Theme.id)
    )


def home(folder: Path) -> Settings:
    """Return the settings of a workspace in ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    return load_settings(home=folder)
