#!/usr/bin/env python
"""Run Django's commands; works with and without the editable install."""

import gc
import os
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(1, str(Path(__file__).resolve().parent / "site"))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # What is imported stays: looking for garbage in it would take a third of a short command's time.
    gc.disable()
    import django
    from django.core.management import execute_from_command_line

    django.setup()
    gc.freeze()
    gc.enable()
    execute_from_command_line(sys.argv)
