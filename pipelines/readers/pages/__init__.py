"""Written documents: HTML, DOCX, ODT, RTF, PDF and pictures."""
