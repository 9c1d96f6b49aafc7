"""How the fake of PayPal signs its notices: with a key of its own, and a certificate that it serves."""

import base64
from datetime import UTC, datetime, timedelta
from uuid import uuid4
from zlib import crc32

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding

SIGNER = "messageverificationcerts.paypal.com"


class Signer:
    """A pair of keys with a certificate of the name `signer`, valid for `valid`."""

    def __init__(self, signer: str = SIGNER, valid: timedelta = timedelta(days=30)) -> None:
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, signer)])
        begins = datetime.now(UTC) - timedelta(days=7)
        builder = x509.CertificateBuilder(name, name, self._key.public_key(), x509.random_serial_number())
        dated = builder.not_valid_before(begins).not_valid_after(datetime.now(UTC) + valid)
        self.certificate = dated.sign(self._key, SHA256()).public_bytes(Encoding.PEM)

    def headers(self, body: bytes, *, webhook_id: str, certificate_url: str) -> dict[str, str]:
        """Return what a notice is sent with, new for each transmission."""
        transmission, time = str(uuid4()), f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        message = f"{transmission}|{time}|{webhook_id}|{crc32(body)}".encode()
        signature = self._key.sign(message, PKCS1v15(), SHA256())
        return {
            "Content-Type": "application/json",
            "PAYPAL-TRANSMISSION-ID": transmission,
            "PAYPAL-TRANSMISSION-TIME": time,
            "PAYPAL-TRANSMISSION-SIG": base64.b64encode(signature).decode(),
            "PAYPAL-CERT-URL": certificate_url,
            "PAYPAL-AUTH-ALGO": "SHA256withRSA",
        }
