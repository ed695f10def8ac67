"""Other languages are told apart; doubtful English never is."""

from __future__ import annotations

import pytest

from pipelines.language import other_language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Rwy'n cefnogi'r cynllun hwn yn gryf oherwydd y bydd yn helpu pobl leol", "cy"),
        ("Zgadzam się z tą propozycją, ale parking jest za drogi", "pl"),
        ("Nous sommes contre la fermeture de la bibliothèque du quartier", "fr"),
        ("No estoy de acuerdo con el cierre de la biblioteca", "es"),
        ("Ich finde die Buslinie sollte nicht gestrichen werden", "de"),
        ("مجھے اس منصوبے سے اتفاق ہے", "ur"),
        ("ਮੈਂ ਇਸ ਯੋਜਨਾ ਨਾਲ ਸਹਿਮਤ ਹਾਂ", "pa"),
        ("我不同意关闭图书馆", "zh"),
    ],
)
def test_another_language_is_named(text: str, code: str) -> None:
    found = other_language(text)
    assert found is not None
    assert found.code == code
    assert found.name != code
    assert 0 < found.confidence <= 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "Parking",
        "NO",
        "12345 678 90",
        "!!!???",
        "Bardzo dobrze",  # too short to be sure
        "tHE REALLY BAD ROADS, hE SAID, GOVMT TAXES",
        "Hyperglycemia, cholelithiasis, obstructive sleep apnea, diabetes mellitus, hypertension",
        "Llanfairpwllgwyngyll bus stop needs shelter",
        "of Tune, the following portions of Crown Lnnd will be ofleied toi sale by public auction",
        "buttonActive buttonActive buttonActive buttonActive",
        "asdfghjkl asdfghjkl qwertyuiop",
        "Vide Caesar, De Bello Gallico, for the same use of this word in the older editions",
        "The Greek word μῆνις, rage, opens the poem",
    ],
)
def test_doubt_means_english(text: str) -> None:
    assert other_language(text) is None


def test_a_recipe_may_read_other_languages_or_all() -> None:
    welsh = "Rwy'n cefnogi'r cynllun hwn yn gryf oherwydd y bydd yn helpu pobl leol"
    assert other_language(welsh, ("en", "cy")) is None
    assert other_language(welsh, ()) is None


def test_a_long_text_is_judged_by_its_start_middle_and_end() -> None:
    english = "The council should not close the library because it is used by many people. "
    assert other_language(english * 400) is None
    french = "La commune ne devrait pas fermer la bibliothèque parce que beaucoup de gens y vont. "
    found = other_language(french * 400)
    assert found is not None
    assert found.code == "fr"
