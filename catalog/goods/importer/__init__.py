"""The catalogue as files, CSV or Excel: brought in after all of it was found good, and given out."""
