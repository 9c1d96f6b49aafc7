"""The front of the web server: reads requests whole, then hands them to Django's threads.

docs/adr/0029-an-http-front-end.md
"""
