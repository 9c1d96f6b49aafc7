"""The front of the web server: reads requests whole, then hands them to Django's threads.

docs/adr/0029-a-front-reads-requests-whole.md
"""
