"""Exports of engagement sites, planning systems, logs and lists that officers keep."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipelines.readers.tables.export_texts import (
    AGES,
    AGREE,
    BUS,
    CODES,
    ISO,
    MAILS,
    OFFICER,
    OFFICERS,
    PARK,
    PEOPLE,
    PHONES,
    PLAN,
    SENTIMENT,
    SHORT,
    STREETS,
    SUMMARY,
    THEMES,
    UK,
)
from tests.pipelines.readers.tables.exports import Export, faults, of

OFFICES = (
    Export("bang the table", 10, (
        of("Submission ID", "I", "{}"), of("Date of contribution", "D", "Feb 03 25 09:14:22 am", "Feb 14 25 08:02:51 pm"), of("Respondent's Login", "P", "hmarsh", "gpugh1", "d_osei", "shiv99"),
        of("Respondent's Email", "P", *MAILS), of("Contribution Type", "O", "Online", "Offline"), of("Tags", "O", "", "access", ""),
        of("What do you love about Overton?", "F", *SHORT), of("What would you change?", "F", *PARK),
        of("Captcha", "O", "passed"), of("Age group", "G", *AGES), of("Suburb", "G", "Overton", "Marlbridge"),
    )),
    Export("commonplace", 10, (
        of("Comment ID", "I", "64ab{}ef0192"), of("Date", "D", *ISO), of("Place", "OG", "Castle Street", "Mill Park", "Station Road", "Weir bridge"),
        of("Latitude", "P", "51.75201", "51.74983"), of("Longitude", "P", "-1.25771", "-1.26012"),
        of("How do you feel about this place?", "CO", "Negative", "Mostly negative", "Neutral", "Positive"),
        of("Why do you feel this way?", "OM", "Traffic,Noise", "Noise", "Lack of greenery,Traffic", "Unsafe", "Traffic"),
        of("What would improve it?", "F", *PARK), of("Agreements", "N", "12", "0", "3", "41", "7"), of("Comment", "F", *BUS), of("Approved", "XO", "Yes"),
    )),
    Export("granicus", 8, (
        of("Case Reference", "I", "GOV-2025-00{}"), of("Created Date", "D", *UK), of("Customer Name", "P", *PEOPLE), of("Customer Address", "P", *STREETS),
        of("Phone", "P", *PHONES), of("Channel", "O", "Web", "Phone", "Web"), of("Service Request Type", "O", "Missed bin", "Pothole"), of("Details of Request", "F", *BUS[:8]),
        of("Handled by", "P", *OFFICERS), of("Case Status", "OX", "Closed", "Open", "Closed"), of("SLA Days", "N", "3", "12", "0"),
    )),
    Export("keystone", 8, (
        of("Representation ID", "I", "REG19-10{}"), of("Consultee ID", "I", "12839{}"), of("Consultee", "P", *PEOPLE[:8]), of("Agent", "P", "", "Mr D Osei", "", "", "", "Ms Priya Nair", "", ""),
        of("Consultee Organisation", "O", "", "Marl Parish Council", "", "Natural England", "", "BuildCo Ltd", "", ""),
        of("Document Section", "O", "Policy H4", "Chapter 5", "Policy H4", "Para 3.12"), of("Representation Type", "OC", "Object", "Support", "Comment"), of("Legally compliant?", "OS", "Yes", "No"), of("Sound?", "OS", "No", "Yes", "No"),
        of("Paragraph", "O", "3.12", "", "5.4", "4.1"), of("Full Representation", "F", *PLAN), of("Summary of Representation", "F", *SUMMARY), of("Officer Response", "O", *OFFICER),
        of("Wishes to appear at examination", "OS", "No", "Yes"),
    ), respondents=8),
    Export("keyplan", 8, (
        of("Rep No", "I", "{}"), of("Name", "P", *PEOPLE), of("Support/Object", "OC", "Object", "Support", "Object"), of("Comment", "F", *PLAN),
        of("Changes sought", "F", "Delete Policy H4.", "", "Lower the number to 300 dwellings", "", "Add a buffer", "none", "", "See our letter"),
        of("Council's response", "O", *OFFICER), of("Proposed action", "O", "No change", "Amend policy", "No change"),
    )),
    Export("citizen space analyst", 10, (
        of("Response ID", "I", "ANON-7ZK{}-4"), of("Submitted date", "D", *UK), of("What is your name? - Name", "P", *PEOPLE), of("What is your email address? - Email", "P", *MAILS),
        of("To what extent do you agree with the proposal? - Agreement", "C", *AGREE), of("To what extent do you agree with the proposal? - Comments", "F", *PARK),
        of("Tags: Themes", "OM", *THEMES), of("Analyst notes", "O", "", "", "Check duplicate", "", "Quote this one in the report", "", "", "", "", ""),
        of("Sentiment", "OC", *SENTIMENT), of("Publish response", "OS", "Yes", "No"),
    ), respondents=10),
    Export("sharepoint", 10, (
        of("Title", "O", "Response from resident", "Phone call", "Letter"), of("Question1", "F", *PARK), of("Question2", "F", *BUS), of("Modified", "D", "03/02/2025 09:14"), of("Created By", "P", *PEOPLE), of("Modified By", "P", *OFFICERS),
        of("Item Type", "O", "Item"), of("Path", "O", "sites/engagement/Lists/Park responses"), of("Assigned to", "P", *OFFICERS),
    )),
    Export("smartsheet", 10, (
        of("Primary", "IS", "Row {}"), of("Respondent Feedback", "F", *PARK), of("Theme", "OM", *THEMES), of("RAG", "OC", "Red", "Amber", "Green"), of("% Complete", "NO", "100%", "50%", "0%"),
        of("Owner", "P", *OFFICERS), of("Due", "D", "14/02/25", "28/02/25"), of("Done", "OX", "true", "false"), of("Next steps", "O", "Call back", "", "Pass to highways team", "", "None", "", "", "", "", ""),
    )),
    Export("letters typed", 10, (
        of("No", "I", "{}"), of("Letter from", "P", *PEOPLE), of("Address", "P", *STREETS), of("Rec'd", "D", "3 Feb", "4 Feb", "10 Feb"), of("For/against", "OC", "Against", "For", "against", "AGAINST"),
        of("What they said", "F", *BUS), of("Ack sent?", "OS", "Y", "N", "y"), of("Initials", "P", "CD", "RP", "LW"),
    ), above=(["Letters received re: Mill Park", *[""] * 7], [""] * 8)),
    Export("email log", 10, (
        of("From", "P", *MAILS), of("To", "P", "consultation@overton.example"), of("Received", "D", *UK), of("Subject", "O", "Mill Park", "RE: Mill Park consultation", "objection", "FW: your survey"), of("Body", "F", *PARK), of("Has attachments", "O", "FALSE", "TRUE"),
        of("Replied by", "P", *OFFICERS),
    )),
    Export("petition", 10, (
        of("Signature ID", "I", "{}"), of("First Name", "P", "Helen", "Gareth", "Siobhan"), of("Surname", "P", "Marsh", "Pugh", "O'Neill"), of("Town", "G", "Overton", "Ashby"), of("Postcode", "G", *CODES), of("Signed On", "D", "2025-02-03", "2025-02-14"),
        of("Reason for signing", "F", "", "My kids play there", "", "", "Save our park!!", "", "", "It's the lungs of the town and selling it would be a crime.", "", ""),
    )),
    Export("fft extract", 12, (
        of("Period", "OD", "Jan-25"), of("Trust Code", "GIO", "RXX"), of("Ward / Dept", "O", "Maple", "Oak", "A&E"), of("Method", "O", "SMS", "Card"), of("FFT Response", "C", "Very Good", "Good", "Poor", "Very good", "Don't know"),
        of("FFT Reason", "F", *BUS, "Staff lovely", "All good"), of("What could we do better", "F", "Nothing", "parking", "", "n/a", "Shorter waits", "Nothing at all", "Food", "", "noise at night", "tv", "Nothing", "more nurses"), of("Can we share your comment?", "OS", "Y", "N"),
    )),
    Export("foi log", 8, (
        of("FOI Ref", "I", "FOI/2025/{}"), of("Date Received", "D", "03/02/2025"), of("Requester Type", "GO", "Public", "Media"), of("Request", "F", "Please provide the number of parking fines issued in 2024.", "Copies of all e-mails about Mill Park between 1 May and 3 June.",
           "How much was spent on consultants?", "A list of empty homes.", "Please send me the bus contract.", "Number of pupils excluded, by school", "All complaints about bins since 2020.", "What is the council's policy on bees?"),
        of("Exemptions applied", "O", "None", "s.40(2)", "s.43"), of("Outcome", "O", "Disclosed", "Refused"), of("Officer", "P", *OFFICERS), of("Days taken", "N", "19", "20", "3"),
    )),
    Export("several rows a person", 9, (
        of("Participant", "I", "P1", "P1", "P1", "P2", "P2", "P2", "P3", "P3", "P3"), of("Question", "Q", "What is good?", "What is bad?", "What should change?"), of("Response", "F", *PARK[:9]),
    ), respondents=3),
    Export("footer", 6, (
        of("Response", "IN", "{}"), of("Your view", "F", *PARK[:5], "Keep it"), of("Stance", "OC", "Support", "Object"),
    ), below=(["", "", ""], ["Exported on 14/02/2025 at 09:14 by claire.dobson", "", ""])),
    Export("german excel", 8, (
        of("Nr", "I", "{}"), of("Score", "NO", "3,5", "4,25", "2,0", "1,75"), of("What should change?", "F", *BUS[:8]), of("Costs; estimated", "NO", "1.200,50", "300,00", "99,95"),
    ), delimiter=";", encoding="cp1252"),
    Export("tabs in utf16", 8, (
        of("Ref", "I", "T{}"), of("Comments received", "F", *PARK[:8]), of("Received by", "P", *OFFICERS),
    ), delimiter="\t", encoding="utf-16", ending="txt"),
    Export("sep line", 6, (of("id", "I", "{}"), of("Answer", "F", *PARK[:6]), of("Route", "O", "43", "7A")), delimiter=";", first="sep=;\r\n", encoding="utf-8"),
    Export("ids and mails inside", 6, (
        of("Ticket", "I", "#{}"), of("Message", "F", "Ref 88213: ring helen@example.org about the bin", "see ticket #42, same problem again", "helen@example.org", "Case 7712 still open??", "https://overton.example/park is broken", "My reference is AB/123/45, please reply"),
        of("Team", "G", "Waste", "Web"),
    )),
    Export("reviewer columns", 10, (
        of("Key", "I", "K{}"), of("Original comment", "F", *PARK), of("AI Summary", "O", *(f"Respondent raises point {i} about the park and its upkeep." for i in range(10))), of("Theme 1", "O", "Access", "Cost"), of("Theme 2", "O", "", "Safety"),
        of("Sentiment score", "NO", "-0.62", "0.11", "0.94", "-0.05"), of("Confidence", "NO", "0.91", "0.77"), of("Coded by", "P", *OFFICERS), of("Reviewed?", "O", "Y", "N"), of("QA comments", "O", "", "", "theme should be cost", "", "", "", "agree", "", "", ""),
    )),
)  # fmt: skip


@pytest.mark.parametrize("export", OFFICES, ids=lambda export: export.name)
def test_an_office_export_is_read_right(export: Export, tmp_path: Path) -> None:
    assert faults(export, tmp_path) == []
