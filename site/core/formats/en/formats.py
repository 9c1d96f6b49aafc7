"""Dates as Australians write them; Django's English is American."""

DATE_FORMAT = "j F Y"
SHORT_DATE_FORMAT = "j M Y"
DATETIME_FORMAT = "j F Y, g:i a"
SHORT_DATETIME_FORMAT = "j M Y, g:i a"
MONTH_DAY_FORMAT = "j F"
FIRST_DAY_OF_WEEK = 1
