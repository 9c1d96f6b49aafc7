"""The HTTP front end: reads whole requests, then passes them to Django's threads.

docs/adr/0029-an-http-front-end.md
"""
