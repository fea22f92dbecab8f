"""Figures of a study: from the CSV tables to SVG and PNG, each in a light and a dark theme."""
