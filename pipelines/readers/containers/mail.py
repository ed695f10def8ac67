"""Read mail: one document a message, its attachments as members.

The stored text is the plain body to the character after decoding, or the text of the HTML body
where there is no other; quoted replies in it stay. Metadata are the subject and the date. Sender
and recipients are personal data and not stored, and nobody is named as the respondent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from pipelines.readers.containers import packages, sandbox
from pipelines.readers.containers.archive import Members
from pipelines.readers.containers.compound import MAGIC
from pipelines.readers.containers.mail_parts import Attached, Parsed
from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.types import ReadOptions, SourceFile, Tally, whole_file_metadata
from pipelines.types import Document, FileOutcome

_MESSAGE_PART = 4  # a message and its copies take this many times its size in the parser


def read_mail(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the documents of an EML, MSG or mbox file.

    Raises:
        SkippedFile: there is no message in it.
        UnreadableFile: damaged.
    """
    with file.path.open("rb") as stream:
        start = stream.read(8)
    kind = "msg" if start == MAGIC else "mbox" if start.startswith(b"From ") else "eml"
    most = (options.limits.memory_mb << 20) // _MESSAGE_PART
    stream_of = sandbox.run(
        "pipelines.readers.containers.mail_store:messages",
        str(file.path),
        kind,
        most,
        limits=options.limits,
    )
    first = next(stream_of, None)
    if first is None:
        raise SkippedFile("the file is empty")
    return _documents(file, options, tally, kind, chain([first], stream_of))


def _documents(
    file: SourceFile, options: ReadOptions, tally: Tally, kind: str, parsed: Iterator[Parsed]
) -> Iterator[Document]:
    members = Members(file, options.limits, tally)
    too_deep = file.depth >= options.limits.depth
    warnings: Counter[str] = Counter()
    for number, message in enumerate(parsed, start=1):
        several = kind == "mbox"
        tally.rows += several
        warnings.update(message.warnings)
        for attached in message.attached:
            _take(members, attached, f"message {number}/" if several else "", too_deep)
        metadata = {"subject": message.subject, "date": message.date}
        yield Document(
            key=f"{file.name}#m{number}" if several else file.name,
            text=message.text,
            metadata={
                **{name: value for name, value in metadata.items() if value},
                **whole_file_metadata(file),
            },
            locator=f"message {number}" if several else "the whole message",
        )
    for warning, count in warnings.items():
        tally.warnings.append(f"{warning} ({count:,} messages)" if count > 1 else warning)


def _take(members: Members, attached: Attached, folder: str, too_deep: bool) -> None:
    # a name that leads elsewhere is only odd here: attachments have no folders
    path, odd = packages.inner_path(folder + attached.name)
    if odd:
        path = f"{folder}attachment"
    wanted = members.wanted(path)
    if wanted is None:
        return
    if attached.reason:
        members.leave(wanted, attached.reason)
    elif too_deep:
        members.leave(wanted, "inside too many other files (the setting archive_depth)")
    elif not attached.data:
        members.leave(wanted, "the attachment is empty")
    elif len(attached.data) > members.left:
        reason = "the attachments take more than is allowed altogether (the setting unpacked_mb)"
        members.leave(wanted, reason, FileOutcome.FAILED)
    else:
        try:
            members.take(wanted, lambda target, most: target.write_bytes(attached.data))
        except UnreadableFile as full:  # as many attachments as the limits allow
            members.leave(wanted, full.reason, FileOutcome.FAILED)
