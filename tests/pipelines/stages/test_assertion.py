"""Assertion: cues, their reach and their place; headings; rules of one's own; bad input."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from pipelines.segment import segment
from pipelines.stages.assertion import ATTRIBUTES, assert_tags, load_rules
from pipelines.stages.assertion.rules import RulesError, rules_sha256
from pipelines.types import Segment, Tag


def tagged(text: str, *terms: str) -> list[Tag]:
    """Return a tag for the first occurrence of each term; the n-th one is "term#n"."""
    tags = []
    for term in terms:
        words, _, number = term.partition("#")
        start = -1
        for _ in range(int(number or 1)):
            start = text.index(words, start + 1)
        tags.append(Tag("urn:x", "x", "x", start, start + len(words), words, 1.0, "label", "o"))
    return tags


def assessed(text: str, *terms: str) -> tuple[Tag, ...]:
    return assert_tags(text, segment(text), tagged(text, *terms))


def held(tag: Tag) -> set[str]:
    """Return the attributes that hold, the experiencer among them where it is not the patient."""
    found = {n for n in ATTRIBUTES[:4] if getattr(tag, n)}
    return found | ({tag.experiencer} if tag.experiencer not in (None, "patient") else set())


CASES: Sequence[tuple[str, dict[str, str]]] = [
    ("Denies fever, chills or cough.", {"fever": "negated", "cough": "negated"}),
    ("No fever, but cough since Monday.", {"fever": "negated", "cough": ""}),
    ("No fever, she has a cough.", {"fever": "negated", "cough": ""}),
    ("No fever, pulse 110, mild cough.", {"fever": "negated", "cough": ""}),
    ("No fever,\nchills, or night sweats.", {"chills": "negated", "night sweats": "negated"}),
    ("No nausea, vomiting, diarrhoea; abdomen tender.", {"diarrhoea": "negated", "tender": ""}),
    ("Blood transfusion: No", {"transfusion": "negated"}),
    ("Fever: no, cough: yes", {"Fever": "negated", "cough": ""}),
    ("Fever - nil", {"Fever": "negated"}),
    ("Scan is negative for stroke.", {"stroke": "negated"}),
    ("Pneumonia was ruled out.", {"Pneumonia": "negated"}),
    ("Stroke cannot be excluded.", {"Stroke": "possible"}),
    ("We cannot rule out pneumonia.", {"pneumonia": "possible"}),
    ("Not without pain.", {"pain": ""}),
    ("No symptoms other than cough.", {"symptoms": "negated", "cough": ""}),
    ("No increase in pain.", {"pain": ""}),
    ("No cause was found for the anaemia.", {"anaemia": ""}),
    ("Any fever? No. Any cough? Yes.", {"fever": "negated", "cough": ""}),
    ("? DVT, query gallstones", {"DVT": "possible", "gallstones": "possible"}),
    ("Return if fever develops.", {"fever": "hypothetical"}),
    ("He had measles as a child.", {"measles": "historical"}),
    ("MI 1998, now chest pain", {"MI": "historical", "chest pain": ""}),
    ("HISTORY OF PRESENT ILLNESS: chest pain for two days.", {"chest pain": ""}),
    ("Two-day history of chest pain.", {"chest pain": ""}),
    ("His father died of a stroke.", {"stroke": "family"}),
    ("Breast cancer in her maternal aunt.", {"Breast cancer": "family"}),
    ("Her daughter reports that she has had chest pain.", {"chest pain": ""}),
    ("A colleague has influenza.", {"influenza": "other"}),
    ("Mother had gout, the patient has no gout.", {"gout": "family", "gout#2": "negated"}),
    ("There are no buses on Sunday but the trains are good.", {"buses": "negated", "trains": ""}),
    ("Parking is free, and so is the car park on Sundays.", {"Parking": "", "car park": ""}),
    ("Leave the car park free after 6 pm.", {"car park": ""}),
    ("She is pain free.", {"pain": "negated"}),
    ("Seizure free for two years.", {"Seizure": "negated"}),
    ("I am strongly against the bus gate.", {"bus gate": ""}),
    ("Against the cycle lane.", {"cycle lane": ""}),
    ("I've nothing against buses.", {"buses": ""}),
    ("The findings argue against appendicitis.", {"appendicitis": "negated"}),
    ("The scan was against pneumonia.", {"pneumonia": "negated"}),
    ("No vomiting, one loose stool.", {"vomiting": "negated", "loose stool": ""}),
    ("Complaint by the Organist: Resolved that the Clerk get a cat.", {"Organist": ""}),
    ("The rash has resolved.", {"rash": "negated"}),
    ("A lorry drove past the school.", {"school": ""}),
    ("He had asthma in the past.", {"asthma": "historical"}),
    ("No opinion on buses, provided that cyclists keep off.", {"cyclists": "hypothetical"}),
    ("Nobody has explained why a Blue Badge holder must pay.", {"Blue Badge": ""}),
    ("At the Three Tuns Inn, where tickets may be had.", {"Inn": ""}),
    ("It has one bus every hour and none after six.", {"bus": ""}),
    ("Complaineth of no ſore throat, nor hath he the leaſt fever.", {"ſore throat": "negated"}),
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_text_says_of_its_terms(text: str, expected: dict[str, str]) -> None:
    found = assessed(text, *expected)
    assert [" ".join(sorted(held(tag))) for tag in found] == list(expected.values())


def test_not_assessed_is_none_and_assessed_is_false() -> None:
    text = "She has a cough."
    (tag,) = assert_tags(text, segment(text), tagged(text, "cough"), ["negated"])
    assert tag.negated is False
    assert tag.possible is tag.hypothetical is tag.historical is tag.experiencer is None
    (tag,) = assert_tags(text, segment(text), tagged(text, "cough"), [])
    assert tag.negated is None
    (tag,) = assessed(text, "cough")
    assert (tag.negated, tag.possible, tag.experiencer, tag.cue) == (False, False, "patient", None)
    assert tag.cue_start is tag.cue_end is None


def test_cue_and_its_characters_are_kept() -> None:
    text = "Temperature 39. There is no  evidence of sepsis."
    (tag,) = assessed(text, "sepsis")
    assert tag.cue_start is not None
    assert text[tag.cue_start : tag.cue_end] == tag.cue == "no  evidence of"


def test_cue_of_a_heading_is_the_heading() -> None:
    text = "FAMILY HISTORY:\n- asthma\n- gout\n\nPlan:\nInhaler for asthma"
    first, second, third = assessed(text, "asthma", "gout", "asthma#2")
    assert held(first) == held(second) == {"family"}
    assert text[first.cue_start : first.cue_end] == second.cue == "FAMILY HISTORY"
    assert held(third) == set()


def test_heading_with_words_on_its_line_ends_with_the_paragraph() -> None:
    text = "PMH: asthma,\ngout\n\nHe has pneumonia."
    found = assessed(text, "asthma", "gout", "pneumonia")
    assert [held(tag) for tag in found] == [{"historical"}, {"historical"}, set()]


def test_cue_inside_the_tag_does_not_negate_it() -> None:
    text = "No headache or nausea; a non-smoker."
    whole, part, nausea, non, smoker = assessed(
        text, "No headache", "headache", "nausea", "non-smoker", "smoker"
    )
    assert (whole.negated, part.negated, nausea.negated) == (False, True, True)
    assert (non.negated, smoker.negated) == (False, True)


def test_cue_inside_a_longer_tag_does_not_reach_out_of_it() -> None:
    text = "Absent speech, seizures."
    speech, seizures = assessed(text, "Absent speech", "seizures")
    assert (speech.negated, seizures.negated) == (False, False)


def test_cue_of_part_of_a_hyphenated_word_is_none() -> None:
    assert held(assessed("Takes No-Spa for colic.", "colic")[0]) == set()


def test_tags_keep_their_order_and_everything_else() -> None:
    text = "Cough, no fever."
    tags = tagged(text, "fever", "Cough")
    found = assert_tags(text, segment(text), tags)
    assert [t.text for t in found] == ["fever", "Cough"]
    assert found[0].start == tags[0].start
    assert assert_tags(text, segment(text), ()) == ()


def test_unknown_attribute_is_named() -> None:
    with pytest.raises(ValueError, match=r"attributes \['mood'\] are not known"):
        assert_tags("a", (), tagged("a", "a"), ["mood"])


def test_own_rules_add_and_remove(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        '[[rule]]\nsets = "negated"\nphrases = ["nae"]\n'
        '[[remove]]\nsets = "negated"\nphrases = ["denies|denied|deny|denying|denial any?"]\n',
        "utf-8",
    )
    rules = load_rules(path)
    assert rules.sha256 == rules_sha256(path) != rules_sha256()
    text = "Nae fever. Denies cough."
    fever, cough = assert_tags(
        text, segment(text), tagged(text, "fever", "cough"), ["negated"], rules
    )
    assert (fever.negated, fever.cue, cough.negated) == (True, "Nae", False)


def test_every_problem_of_own_rules_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'colour = 1\n[words]\nx = "y"\n'
        '[[rule]]\nsets = "negation"\nphrases = ["no"]\n'
        '[[rule]]\nsets = "negated"\nreach = 900\ndirection = "up"\nphrases = []\nspeed = 1\n'
        '[[rule]]\nsets = "experiencer"\nphrases = ["aunt"]\n'
        '[[rule]]\nsets = "negated"\nphrases = ["<nolist> a", "a?", "* b"]\n'
        '[[remove]]\nsets = "negated"\nphrases = ["unheard of"]\n',
        "utf-8",
    )
    with pytest.raises(RulesError) as caught:
        load_rules(path)
    message = str(caught.value)
    for part in (
        "unknown key 'colour'",
        "words.x is 'y', expected a list",
        "sets is 'negation', expected negated, possible",
        "reach is 900, expected 1 to 60 words",
        "direction is 'up'",
        "phrases is [], expected a list of texts",
        "unknown key 'speed'",
        "value is '', expected patient, family, other",
        "names the list <nolist>",
        "'a?' would match no words",
        "'* b' begins with any word",
        "no rule has 'unheard of'",
    ):
        assert part in message
    assert caught.value.exit_code == 78


@pytest.mark.parametrize("content", ["[[rule", "\ud800".encode("utf-8", "surrogatepass"), None])
def test_unreadable_rules_are_refused(tmp_path: Path, content: str | bytes | None) -> None:
    path = tmp_path / "mine.toml"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(RulesError, match=r"mine\.toml"):
        load_rules(path)


def test_any_characters_in_any_order_are_survived() -> None:
    pieces = [
        *("no ", "fever", "denies", ", ", " or ", " and ", "\n", "\n\n", ": ", "PMH", "FH"),
        *("? ", "(", ")", " - ", "mother ", "1998", "if ", "\x00", "ſ", "\u202e", "e\u0301"),
        *("-\n", "’", "'", "🙂", "\ufeff", "\r", "\u2028", "history of ", ". ", "ruled out", "\t|"),
    ]
    choose = random.Random(5)
    for _ in range(400):
        text = "".join(choose.choice(pieces) for _ in range(choose.randrange(1, 60)))
        places = sorted(choose.randrange(len(text) + 1) for _ in range(8))
        tags = [
            Tag("urn:x", "x", "x", a, b, text[a:b], 1.0, "label", "o", choose.random() < 0.8)
            for a, b in pairwise(places)
            if a < b
        ]
        whole = (Segment(0, len(text), 0),)
        for sentences in (segment(text), whole, ()):
            for tag in assert_tags(text, sentences, tags):
                assert (tag.cue is None) == (tag.cue_start is None) == (tag.cue_end is None)
                assert tag.cue is None or text[tag.cue_start : tag.cue_end] == tag.cue


@pytest.mark.parametrize(
    "unit",
    ["no fever, ", "fever ", "no ", "if ", "(", ": no ", "fever: no\n", "PMH: fever\n", "- ", "?"],
)
def test_work_grows_with_the_text_and_no_faster(unit: str) -> None:
    def calls(repeats: int) -> int:
        text = unit * repeats + "fever"
        tags, start = [], text.find("fever")
        while start >= 0:
            tags.append(Tag("urn:x", "x", "x", start, start + 5, "fever", 1.0, "label", "o"))
            start = text.find("fever", start + 5)
        return counted(lambda: assert_tags(text, (Segment(0, len(text), 0),), tags))

    calls(3)
    assert calls(400) < 2.6 * calls(200)


def counted(work: object) -> int:
    """Return how many lines of Python ``work`` runs."""
    import sys

    lines = 0

    def trace(frame: object, event: str, argument: object) -> object:
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        work()  # type: ignore[operator]
    finally:
        sys.settrace(before)
    return lines
