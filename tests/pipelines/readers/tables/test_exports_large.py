"""Longer exports, in which closed answers repeat and text columns are sparse, and hard neighbours."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipelines.readers.pitfalls.material import FLOOD, LIBRARY, PARKING, UNIFORM, VISITING
from tests.pipelines.readers.tables.export_texts import (
    AGREE,
    BUS,
    CODES,
    ISO,
    MAILS,
    OFFICERS,
    PARK,
    PEOPLE,
    PHONES,
    PLAN,
    SENTIMENT,
    SHORT,
    STREETS,
    UK,
)
from tests.pipelines.readers.tables.exports import Export, faults, of

ALL = (*PARKING, *LIBRARY, *FLOOD, *UNIFORM, *VISITING)
NONE = ("",) * 9
LARGE = (
    Export("closed questions of every kind", 60, (
        of("Response ID", "I", "ANON-{}"), of("What is your connection to the park?", "GS", "I live nearby", "I work nearby", "I visit", "I am a councillor"),
        of("What is the main reason for your visit today?", "S", "Walking the dog", "Playground", "Café", "Cycling through"), of("How did you travel here today?", "S", "On foot", "By car", "Bus"),
        of("What best describes your household?", "SG", "Family with children", "Couple", "Living alone"), of("How long have you lived in Overton?", "SNGC", "Less than a year", "1-5 years", "More than 5 years"),
        of("Why do you not use the bus?", "SM", "Too expensive", "Too slow", "No stop near me"), of("What is your preferred option?", "S", "Option A", "Option B", "Neither"),
        of("Which of these matter to you? Please select up to three", "M", "Safety;Cost", "Cost", "Safety", "Frequency;Cost", "Frequency"),
        of("What would encourage you to cycle?", "M", "Cycle lanes, Parking", "Parking", "Cycle lanes", "Training, Cycle lanes", "Training"),
        of("Please explain", "F", *ALL),
    ), respondents=60),
    Export("sparse text", 60, (
        of("id", "I", "{}"), of("Support", "OC", *AGREE), of("If other, please say what", "F", *NONE, "by mule", *NONE, "tractor"), of("Anything we missed?", "F", *("",) * 40, "The ford at Mill Lane.", *("",) * 19),
        of("Reason", "F", *ALL), of("Contact telephone (optional)", "P", *NONE, *PHONES), of("Your e-mail, if you would like the report", "P", *NONE, *MAILS),
    )),
    Export("short answers", 60, (
        of("No.", "I", "{}"), of("What one word describes your ward?", "F", "clean", "Noisy", "friendly", "tired", "Safe", "noisy", "loud", "warm", "cold", "kind", "Busy", "calm", "chaotic", "bright"), of("What three things should we keep?", "F", *SHORT, "Staff, food, garden", "everything"),
        of("Ward", "GO", "Maple", "Oak"), of("What could be better?", "F", "parking", "Nothing", "food", "n/a", "wifi", "the wait", "Nothing", "tv too loud", "all ok", "staffing", "", "heating", "none", "more nurses", "bus stop", "cups", "noise at night", "clearer signs"),
    )),
    Export("names everywhere", 60, (
        of("Case", "I", "C-{}"), of("Caller", "P", *PEOPLE), of("Relationship to child", "OG", "Mother", "Father", "Grandparent"), of("Child's name", "P", "Ella Marsh", "Jack Pugh", "Noor Rahman", "Lily Lowe"),
        of("Social worker", "P", *OFFICERS), of("Head teacher's name", "P", "Dr Anne Fox", "Mr Lee Grant"), of("Emergency contact", "P", *PHONES), of("Ward councillor", "P", "Cllr Jo Bright", "Cllr Sam Hale"), of("Home tel.", "P", *PHONES),
        of("Complaint", "F", *ALL), of("Decision maker", "P", *OFFICERS), of("School", "G", "Overton Primary", "St Mary's"), of("Twitter handle", "P", "@hmarsh", "@gpugh", "@tomb"),
    )),
    Export("addresses", 30, (
        of("Objection ref", "I", "OBJ/{}"), of("Property affected", "P", *STREETS), of("Site address", "PG", *STREETS), of("UPRN", "IN", "10001234{}"), of("Grid ref", "OG", "SP 512 061", "SP 514 065"), of("What3Words", "OG", "///filled.count.soap", "///index.home.raft"),
        of("Grounds of objection", "F", *ALL[:30]), of("Objector's postcode", "G", *CODES), of("Signature", "P", *PEOPLE),
    )),
    Export("planning table", 40, (
        of("Rep ID", "I", "{}/1"), of("Respondent name", "P", *PEOPLE), of("Organisation represented", "O", "", "Marl Parish Council", "", "BuildCo Ltd"), of("Plan reference", "O", "Policy H4", "Policy E1", "Para 3.12", "Appendix B"),
        of("Is the plan sound?", "OS", "Yes", "No"), of("If you consider the plan unsound, is it because it is not:", "OM", "Justified", "Effective; Justified", "Positively prepared", "Justified; Consistent with national policy"),
        of("Reasons for representation", "F", *ALL[:40]), of("Suggested modification", "F", *PLAN, *FLOOD, "", "", "", "", "", "None", "Delete it"), of("Do you wish to participate at the hearings?", "OS", "No", "Yes"), of("Attachments", "OE", "", "rep.pdf", ""),
    )),
    Export("social listening", 60, (
        of("Post ID", "I", "17{}99201"), of("Author", "P", *PEOPLE), of("Username", "P", "hmarsh", "gpugh1"), of("Platform", "O", "Facebook", "X"), of("Posted", "D", *ISO), of("Message", "F", *ALL), of("Likes", "N", "3", "0", "12"), of("Shares", "N", "0", "1", "4"),
        of("Sentiment", "OC", *SENTIMENT), of("Link", "Y", "https://social.example/p/{}"), of("Hashtags", "O", "#MillPark #Overton", "#Overton", ""), of("Reply from council", "O", "", "Thanks for getting in touch.", "", "Please email us."),
    )),
    Export("codes and weights", 60, (
        of("serial", "I", "{}"), of("wave", "O", "3"), of("weight", "NO", "0.8123", "1.2210", "0.9931"), of("q1", "OCNS", "1", "2", "3", "4", "5"), of("q1_label", "C", *AGREE), of("q2a", "OSM", "0", "1"), of("q2b", "OSM", "1", "0", "0"),
        of("q3_verbatim", "F", *ALL), of("q3_code1", "OSN", "11", "14", "97"), of("q3_code2", "OSN", "", "12", "15"), of("region", "G", "North", "South"), of("imd_quintile", "OCNSG", "1", "2", "3", "4", "5"), of("interviewer", "P", *OFFICERS),
    )),
    Export("wordy options", 60, (
        of("ID", "I", "{}"), of("Which statement is closest to your view?", "S", "The council should keep the service as it is, even if council tax has to rise.", "The council should reduce the service, so that council tax can be kept down.", "I am not sure what the council should do."),
        of("How would you describe the consultation?", "SC", "Very clear and easy to follow", "Fairly clear", "Not clear at all"), of("What do you think about the proposal to move the library to the leisure centre?", "S", "It is a good idea", "It is a bad idea", "I have no strong view"),
        of("Tell us more", "F", *ALL),
    )),
    Export("dates of all kinds", 40, (
        of("Ref", "I", "{}"), of("Received", "D", "45691.375", "45692.5", "45700.25"), of("Logged", "D", "2025-02-03", "2025-02-04"), of("Letter dated", "D", "3rd February 2025", "14 Feb 2025"), of("Deadline", "D", "28/2/25", "1/3/25"), of("Week", "OD", "wk 6", "wk 7"), of("Month", "DO", "Feb-25", "Mar-25"),
        of("Time", "OD", "09:14", "21:40"), of("Text", "F", *ALL[:40]), of("Acknowledged on", "D", *UK),
    )),
    Export("three languages", 40, (
        of("Submission", "I", "{}"), of("Iaith", "O", "Cymraeg", "English", "Polski"), of("Oes gennych chi unrhyw sylwadau?", "F", "Dim sylwadau", *ALL[:10], "Mae'r cynllun yn dda iawn.", "Proszę zostawić bibliotekę otwartą w soboty."), of("Ydych chi'n cytuno?", "OSC", "Ydw", "Nac ydw"), of("Cod post", "GO", *CODES), of("E-bost", "P", *MAILS),
    )),
    Export("feedback with numbers", 40, (
        of("NPS", "CN", "9", "10", "3", "0"), of("NPS comment", "F", *ALL[:40]), of("Transaction amount", "N", "£12.50", "£8.00", "£103.99"), of("Agent name", "P", *OFFICERS), of("Wait (mins)", "N", "3", "12", "45"), of("Queue", "O", "Council tax", "Housing"), of("Call notes", "F", *(*BUS, *PARK, *PLAN)), of("Resolved?", "OS", "Y", "N"),
    )),
)  # fmt: skip


@pytest.mark.parametrize("export", LARGE, ids=lambda export: export.name)
def test_a_longer_export_is_read_right(export: Export, tmp_path: Path) -> None:
    assert faults(export, tmp_path) == []
