"""How Django itself shows and reads dates and numbers in Colombian Spanish (admin above all).

Django's own `es-co` prints "4 de Julio" and its `es` groups with no-break spaces. Grouping stays
off (USE_THOUSAND_SEPARATOR), since it would turn /x/12345/ into /x/12.345/ in templates.
"""

DATE_FORMAT = r"j \d\e F \d\e Y"
TIME_FORMAT = "G:i"
DATETIME_FORMAT = "d/m/Y G:i"
YEAR_MONTH_FORMAT = r"F \d\e Y"
MONTH_DAY_FORMAT = r"j \d\e F"
SHORT_DATE_FORMAT = "d/m/Y"
SHORT_DATETIME_FORMAT = "d/m/Y G:i"
FIRST_DAY_OF_WEEK = 1

DATE_INPUT_FORMATS = ["%d/%m/%Y"]
TIME_INPUT_FORMATS = ["%H:%M", "%H:%M:%S"]
DATETIME_INPUT_FORMATS = ["%d/%m/%Y %H:%M", "%d/%m/%Y %H:%M:%S"]

DECIMAL_SEPARATOR = ","
THOUSAND_SEPARATOR = "."
NUMBER_GROUPING = 3
