"""The law as code: pure functions of facts and terms, each giving a Ruling.

No Django, no database, no files, no clock. Legal numbers come from the terms of a decree.
"""
