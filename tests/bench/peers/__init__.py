"""What a user would run instead, on the same texts in the same run: each row's encoder in a module."""
