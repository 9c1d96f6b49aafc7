"""Run the fake of a payment provider on this machine, for a shop that a developer runs.

python -m tools.fake_providers royalpay --port 8701

It answers until Ctrl-C and prints the conversation.
See docs/royalpay.md#the-fake and docs/paypal.md#the-fake.
"""

import argparse

from tools.fake_providers.paypal import FakePayPal
from tools.fake_providers.royalpay import FakeRoyalPay
from tools.fake_providers.server import FakeProvider

PORT = 8701
FAKES: dict[str, type[FakeProvider]] = {"paypal": FakePayPal, "royalpay": FakeRoyalPay}


def main() -> None:
    """Print the settings that connect a shop to the fake, then answer."""
    parser = argparse.ArgumentParser(prog="python -m tools.fake_providers", description="No money moves.")
    parser.add_argument("name", choices=sorted(FAKES))
    parser.add_argument("--port", type=int, default=PORT)
    options = parser.parse_args()
    with FAKES[options.name](options.port, echo=True) as fake:
        for name, value in fake.settings.items():
            print(f"{name}={value}")
        print(f"# {fake.url}/control pays, refuses and breaks. Ctrl-C ends it.", flush=True)
        try:
            fake.serve_forever()
        except KeyboardInterrupt:
            fake.stopped.set()


if __name__ == "__main__":
    main()
