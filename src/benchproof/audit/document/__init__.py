"""A document of any format as passages of visible text."""
