"""The report of a consultation: counts, crosstabs, themes and quotes, as DOCX, XLSX and HTML."""
