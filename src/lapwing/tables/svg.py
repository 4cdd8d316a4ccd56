"""Small pictures as SVG text, without any package: intervals, curves, a map of rows."""
