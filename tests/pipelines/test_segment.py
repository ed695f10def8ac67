"""Sentences with exact offsets: gold cases of three trades, invariants, windows, speed."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from pipelines.boundaries import bundled_rules, parse_rules
from pipelines.errors import PipelineError
from pipelines.segment import LONGEST, WINDOW, segment, segment_all

# "‖" marks where one sentence ends and the next begins; it is not part of the text.
CONSULTATION = [
    "I agree.‖ The plan is sound.",
    "No.‖ I disagree with it.",
    "See No. 7 on the list.‖ It is wrong.",
    "Rents rose by 3.5 per cent.‖ Wages did not.",
    "It costs £1,250.50 a year.‖ That is too much.",
    "Mr. Jones and Mrs. Patel spoke.‖ Nobody listened.",
    "Dr. A. B. Khan chairs the group.",
    "We need ramps, lifts, etc. at every station.‖ Soon.",
    "Bring back the buses, trams, etc.‖ We miss them.",
    "Some parks, e.g. Albert Park, are shut.‖ Why?",
    "One road, i.e. the A38, is full.",
    "What about parking?‖ Nobody has asked us!‖ Shame.",
    "“Is it safe?” she asked.‖ It is not.",
    "He said “no.”‖ Then he left.",
    "They promised a crossing (see page 4.)‖ It never came.",
    "It is too expensive...‖ We cannot pay.",
    "it is... well, not ideal.",
    "Wait… what about us?",
    "i dont like it.‖ its too far.‖ why cant it stay",
    "The shop on High St. closed.‖ The bank too.",
    "St. Mary's Church is loved.",
    "The meeting is at 10 a.m. on Monday.‖ Please come.",
    "It shut at 5 p.m.‖ Nobody told us.",
    "Open 9 a.m. Monday to Friday.",
    "The park is lovely.‖The council must keep it.",
    "Really?!‖ Yes.",
    "Visit www.example.gov.uk/parks.html for more.‖ Then write to a.b@example.org.‖ Thanks.",
    "My reasons: ‖• noise ‖• traffic ‖• cost",
    "My reasons:\n‖- noise\n‖- traffic. ‖And dirt.",
    "1. Keep the library.\n‖2. Fund it.",
    "(a) Keep it open.\n‖(b) Fund it.",
    "3.2. Housing must come first.‖ Then roads.",
    "The U.S. system is worse.‖ Ours is fair.",
    "We are like the U.K.‖ The rest differ.",
    "Brown & Co. Ltd. built it.‖ It leaks.",
    "Plan B.‖ It is cheaper.",
    "So do I.‖ We all do.",
    "Question 4:\n‖Strongly agree",
    "First line\r\n‖second line\r\n\r\n‖third line",
    "Traffic is awful!!!‖ Do something.",
    "It was built in 1984.‖ It is old now.",
    "Approx. 40 people came.‖ All objected.",
    "We want trees vs. concrete.",
    "Great idea 👍‖",
    "Yes. ",
    "It is unfair. ,",
    "This is impossible .‖ the staff were excellent",
    "The fee rose.‖ £5 is too much.‖ (We did ask.)",
]
CLINICAL = [
    "CHIEF COMPLAINT:\n‖Chest pain.\n‖HISTORY:\n‖Began at 3 a.m. today.",
    "PMH: asthma, T2DM.‖ DH: salbutamol 100 mcg p.r.n.‖ No allergies.",
    "Pt. c/o SOB x 3/7.‖ Denies fever.",
    "Temp. 38.2, HR 104, BP 132/84.‖ Sats 94% on air.",
    "Take paracetamol 1 g q.d.s. for pain.‖ Review in 2 weeks.",
    "Amoxicillin 500 mg t.d.s.‖ Review on Friday.",
    "• No chest pain\n‖• No palpitations\n‖• Mild ankle swelling",
    "Seen by Dr. O'Neill.‖ Plan: bloods, ECG, CXR.",
    "Pain is 7/10.‖ It radiates to the left arm.",
    "Hb 10.2 g/dL.‖ WCC 12.1.‖ CRP 45.",
    "ASSESSMENT/PLAN\n‖1. Pneumonia – start antibiotics.\n‖2. AF – rate control.",
    "Mother had MI at 52 yrs.‖ Father well.",
    "Vitamin B12 low.‖ Start replacement.",
    "No h/o DVT, PE etc.‖ Mobile with stick.",
    "L. knee swollen.",
    "He takes 20mg daily.‖ He feels well.",
    "•\nNo rash",
]
HISTORICAL = [
    "Wm. Smith, of the Parish of St. Giles, was indicted.‖ The Jury acquitted him.",
    "He paid 5s. 6d. for the cloth.‖ It was stolen.",
    "In the Reign of Geo. III. the mill was built.",
    "Henry VIII. was then King.",
    "See vol. ii. p. 47.‖ The author errs.",
    "The sd. John Browne, wch. was a weaver, dyed.‖ His wife lived.",
    "Chap. IV.‖ Of Trade.",
    "To the Rev. Mr. Thos. Baker, D.D. at Cambridge.",
    "On the 12. March he ſailed.‖ The ſhip was loſt.",
    "I am, Sir, your obt. ſervant, J. R. Green.",
    "Viz. one cow, two pigs, &c. and a cart.",
    "The Witneſs ſwore; the Priſoner wept.‖ Guilty.‖ Death.",
    "About 4 o'clock P.M. we landed.‖ It rained.",
    "Messrs. Hall & Co. of Leeds failed.",
    "He ask'd, Who goes there?‖ No one anſwer'd.",
    "Born c. 1750 at Hull.‖ Died 1801.",
    "“Stop!” cried he.‖ They ran.",
    "Lieut. Col. H. Parker commanded.",
    "Cf. fol. 12 and ff. 30.‖ Both are torn.",
]


def sentences(text: str) -> list[str]:
    return [text[s.start : s.end] for s in segment(text)]


@pytest.mark.parametrize("case", [*CONSULTATION, *CLINICAL, *HISTORICAL])
def test_gold_boundaries(case: str) -> None:
    expected = [part for part in (p.strip() for p in case.split("‖")) if part]
    assert sentences(case.replace("‖", "")) == expected


def check_invariants(text: str) -> None:
    found = segment(text)
    assert [s.order for s in found] == list(range(len(found)))
    end = 0
    for sentence in found:
        piece = text[sentence.start : sentence.end]
        assert piece
        assert piece == piece.strip()
        assert not text[end : sentence.start].strip()
        assert sentence.start >= end
        assert len(piece) <= 2 * LONGEST
        end = sentence.end
    assert not text[end:].strip()


def random_text(generator: random.Random, length: int) -> str:
    pieces = [
        *"abcXYZ 0123456789  ", ". ", ".", "! ", "? ", "...", "… ", "\n", "\r\n", "\u2028", "\t", "\x85",
        "•", " • ", "(", ")", "“", "” ", "'", "Mr. ", "e.g. ", "No. ", "i.e.", "J. ", "3.5 ", " St. ",
        "the ", "The ", "ſ", "é", "e\u0301", "👍🏽", "中文。", "日本！", "\u200b", "\xa0", "x" * 230, "-", "/", "@",
        "http://a.b/c?d=e. ", " " * 90, "word ", "Word ", "İ", "\ufeff",
    ]  # fmt: skip
    return "".join(generator.choices(pieces, k=length))


def test_sentences_are_trimmed_ordered_apart_and_hold_every_character() -> None:
    generator = random.Random(20)
    for _ in range(600):
        check_invariants(random_text(generator, generator.randrange(0, 60)))
    for _ in range(12):
        check_invariants(random_text(generator, WINDOW // 2))


def test_windows_do_not_change_the_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = random.Random(7)
    words = [
        "The park is shut",
        "Mr. Hall left",
        "see No. 7",
        "at 10 a.m. we met",
        "why",
        "cost £3.50",
    ]
    text = "".join(
        generator.choice(words)
        + generator.choice([". ", "! ", "\n", "? ", ", ", "; ", " • ", " and "])
        for _ in range(1_500)
    )
    once = segment(text)
    monkeypatch.setattr("pipelines.segment.WINDOW", 2_500)
    assert segment(text) == once
    monkeypatch.setattr("pipelines.segment.WINDOW", 1_000_000)
    assert segment(text) == once


@pytest.mark.parametrize("text", ["", " ", "\n\r\n\t ", "\u2028"])
def test_white_space_has_no_sentence(text: str) -> None:
    assert segment(text) == ()


def test_a_run_without_stops_is_cut_at_white_space() -> None:
    found = sentences("word " * 5_000)
    assert all(LONGEST // 2 < len(piece) <= LONGEST for piece in found[:-1])
    assert {word for piece in found for word in piece.split()} == {"word"}


def test_a_long_sentence_is_cut_after_a_semicolon() -> None:
    clause = "the said parish shall keep the bridge and the road in repair;"
    found = sentences(" ".join([clause] * 30) + " amen")
    assert all(piece.endswith(";") for piece in found[:-1])


def test_a_run_without_white_space_is_cut_all_the_same() -> None:
    assert [len(piece) for piece in sentences("x" * 5_000)] == [2_000, 2_000, 1_000]


def test_an_address_of_300_characters_stays_in_its_sentence() -> None:
    address = "https://example.org/" + "a" * 300
    assert sentences(f"Look at {address}. Then answer.") == [f"Look at {address}.", "Then answer."]


def test_a_batch_gives_what_single_texts_give() -> None:
    texts = ["One. Two.", "", "Mr. Hall left.\nHe did.", "•"]
    assert list(segment_all(texts)) == [segment(text) for text in texts]


def test_the_tokenisers_memory_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    from pipelines.segment import _pipeline

    monkeypatch.setattr("pipelines.segment._STRINGS", 0)
    before = len(_pipeline().vocab.strings)
    assert len(segment("Zyxwvut qrstu. Ponmlk jihgf.")) == 2
    assert len(_pipeline().vocab.strings) == before


def test_the_rules_name_every_problem_at_once() -> None:
    with pytest.raises(PipelineError) as caught:
        parse_rules('never = ["mr"]\nsometimes = []\nbullets = "x"\n')
    message = str(caught.value)
    assert "unknown list 'sometimes'" in message
    assert "missing list 'starters'" in message
    assert "'bullets' must be a list of words" in message


def test_words_in_the_rules_are_lower_case_and_without_stop() -> None:
    rules = bundled_rules()
    words = rules.never | rules.cautious | rules.open_end | rules.before_number | rules.starters
    assert all(word == word.lower() and not word.endswith(".") for word in words)


def test_importing_the_segmenter_does_not_load_spacy() -> None:
    code = "import sys, pipelines.segment; print('spacy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


LONG_LINES = {
    "prose": "'The council, e.g. Mr. Hall, should keep No. 7 open at 3.5 per cent. We disagree! ' * 62_000",
    "no stops": "'residents need the library because buses do not run ' * 98_000",
    "no spaces": "'x' * 5_000_000",
    "spaces": "' ' * 4_999_990 + 'The end. Yes'",
}


@pytest.mark.slow
@pytest.mark.parametrize("line", LONG_LINES)
def test_five_megabytes_in_one_line_take_bounded_memory(line: str) -> None:
    code = f"""
import resource
from pipelines.segment import segment
segment("Warm. Up.")
text = {LONG_LINES[line]}
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = segment(text)
grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
print(len(text), len(found), round(grown))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    characters, count, megabytes = map(float, done.stdout.split())
    assert count >= 1
    assert characters > 4_900_000
    assert megabytes < 100
