"""Call a function in the environment of a shop: python -m tools.call MODULE FUNCTION ARGUMENTS

The arguments are texts. The result is printed as JSON.
"""

import json
import sys
from importlib import import_module

import django

if __name__ == "__main__":
    django.setup()
    module, function, *arguments = sys.argv[1:]
    json.dump(getattr(import_module(module), function)(*arguments), sys.stdout)
