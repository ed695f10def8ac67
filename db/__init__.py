"""SQL: tables, sessions, store, queue and migrations."""
