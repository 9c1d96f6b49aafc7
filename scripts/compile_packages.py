"""Compile the Python packages that a start imports, also where the environment forbids to write bytecode.

Without it every start compiles two thousand files, which takes longer than all the rest of it
(docs/adr/0032-bytecode-is-made-by-the-set-up.md).
"""

import os
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Import what the web server imports."""
    sys.dont_write_bytecode = False
    sys.path[:0] = [str(ROOT), str(ROOT / "site")]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    # With all middleware, but without what a production start refuses.
    get_wsgi_application()
    for name in (settings.ROOT_URLCONF, "granian.server"):
        import_module(name)


if __name__ == "__main__":
    main()
