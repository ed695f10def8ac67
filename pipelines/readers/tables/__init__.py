"""Tables: header rows, layouts, column roles and mapping files; rows become documents."""
