"""Numbers that know their unit, their derivation, their records and their SQL query."""
