"""Files with parts inside: workbooks, archives and mail, read within limits."""
