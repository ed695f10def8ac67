"""Pure stages: values in, values out, no file, database, clock or global."""
