"""From raw files to records that may be compared: loading, gates, sample arithmetic."""
