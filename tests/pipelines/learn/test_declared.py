"""Stances that are said outright. Written with the rules: they guard, they are no score."""

from __future__ import annotations

import pytest

from pipelines.bundled import load_bundled
from pipelines.learn.declared import declared
from pipelines.learn.labeller import Item, Labeller
from pipelines.learn.proposals import subject_stems
from pipelines.models import embedded_spec
from pipelines.stages.encode import Encoder
from pipelines.types import Segment

PLAN = "What do you think of the proposed low-traffic neighbourhood in Orchard Fields?"
BAN = "We should ban fireworks"


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("Strongly oppose.", (0, 1)),
        ("strongly support", (1, 0)),
        ("I do not support the scheme", (0, 1)),
        ("I am not against it", (1, 0)),
        ("No.", (0, 1)),
        ("Yes please, good idea", (1, 0)),
        ("I have no objection to this", (1, 0)),
        ("I’m totally against it, sorry", (0, 1)),
        ("I am in favour of the scheme. But I oppose this junction.", (1, 1)),
        ("I agree with the plans. I object to the changes on Church Street.", (1, 1)),
        ("My neighbours object to the smell", (0, 0)),
        ("Those who oppose the scheme are wrong.", (0, 0)),
        ("There is no parking", (0, 0)),
        ("it is against the law", (0, 0)),
        ("", (0, 0)),
    ],
)
def test_what_is_declared(text, sides):
    assert declared(text, subject_stems(PLAN), 1) == sides


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("I support fireworks", (0, 1)),
        ("I support the ban", (1, 0)),
        ("I am against a ban on fireworks", (0, 1)),
        ("I agree", (1, 0)),
    ],
)
def test_a_proposal_that_would_harm_its_subject_turns_what_is_said_of_the_subject(text, sides):
    assert declared(text, subject_stems(BAN), -1) == sides


def test_the_bundled_set_follows_what_is_said_outright():
    encoder = Encoder(embedded_spec())
    labeller = Labeller(load_bundled("stance", encoder=encoder.spec.sha256), encoder)
    texts = {
        "We are strongly opposed to these plans.": "oppose",
        "Our group fully supports the proposal.": "support",
        "I am in favour of it. However, I object to the proposed bus gate.": "mixed",
        "How long will the works last?": "neither",
    }
    items = [Item(text, (Segment(0, len(text), 0),), PLAN) for text in texts]
    found = [labels[0].label for labels in labeller.label(items)]
    assert found == list(texts.values())
