"""Client of a Strikebook venue: signs what /openapi.json describes as `x-signature` (EIP-712), sends and reads.

The other programs in this folder import it. It needs the Debian packages python3-ecdsa and python3-pycryptodome.
"""

import hashlib, json, os, re, secrets, sys, time
from decimal import Decimal
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from Cryptodome.Hash import keccak
from ecdsa import SECP256k1, SigningKey, VerifyingKey
from ecdsa.util import sigencode_string_canonize

domain_fields = {"name": "string", "version": "string", "chainId": "uint256", "verifyingContract": "address"}
domain_types = {"EIP712Domain": [{"name": name, "type": kind} for name, kind in domain_fields.items()]}


class VenueError(Exception):
    """Error answer. `body["code"]` is stable. `headers["Retry-After"]` has the seconds of a rate limit."""
    def __init__(self, status, headers, body):
        super().__init__(f"{status} {body['code']}: {body['message']}")
        self.status, self.headers, self.body = status, headers, body


class Venue:
    """A venue and a key. By default the key is new, and signs for the wallet of its own address."""
    def __init__(self, key=None, wallet=None):
        self.url = (sys.argv[1:] or [os.environ.get("STRIKEBOOK_URL", "http://127.0.0.1:8080")])[0]
        self.key = SigningKey.from_string(bytes.fromhex(key or secrets.token_hex(32)), SECP256k1)
        self.address = "0x" + keccak256(self.key.verifying_key.to_string())[-20:].hex()
        self.wallet = wallet or self.address
        self.headers, self.nonce, self.openapi = {}, 0, None

    def request(self, method, path, body=None):
        """Returns the JSON answer; its headers are in `self.headers`. Raises VenueError for other than 2xx."""
        request = Request(self.url + path, body and json.dumps(body).encode(), method=method)
        try:
            with urlopen(request, timeout=30) as answer:
                self.headers = answer.headers
                return json.load(answer)
        except HTTPError as error:
            if error.code == 503 and method == "GET":  # the history is behind, and a read may ask again
                return self.request(method, path)
            raise VenueError(error.code, error.headers, json.load(error)) from None
        except URLError as error:
            sys.exit(f"failed: no answer from {self.url}: {error.reason}")

    def get(self, path, **query):
        return self.request("GET", f"{path}?{urlencode(query)}" if query else path)

    def write(self, method, path, body, **more):
        return self.request(method, path, self.sign(method, path, body, **more))

    def sign(self, method, path, body, **more):
        """Returns a body, or each of a list, with wallet, nonce and signature. `more` is signed but not sent."""
        if isinstance(body, list):
            return [self.sign(method, path, item, **more) for item in body]
        self.openapi = self.openapi or self.get("/openapi.json")
        return self.sign_by(self.openapi["paths"][path][method.lower()]["x-signature"], body, **more)

    def sign_by(self, rule, body, **more):
        """Signs by an `x-signature`. Of several structs it takes the one whose fields the body has."""
        names = [[field["name"] for field in one["types"][one["primaryType"]]] for one in rule["types"]]
        self.nonce = max(self.nonce + 1, time.time_ns() // 1000)
        owners = {"wallet": "wallet_address" if "rfqId" in names[0] else "wallet", "account": "account"}
        body = {**{owners[name]: self.wallet for name in names[0] if name in owners}, "nonce": self.nonce, **body}
        values = [{name: signed_value(name, {**body, **more}) for name in struct} for struct in names]
        fits = [sum(-1 if value is None else 1 for value in one.values()) for one in values]
        struct, message = max(zip(fits, rule["types"], values), key=lambda one: one[0])[1:]
        domain = struct_hash("EIP712Domain", domain_types, rule["domain"])
        content = struct_hash(struct["primaryType"], struct["types"], message)
        digest = keccak256(b"\x19\x01" + domain + content)
        self.digest = "0x" + digest.hex()  # GET /actions/outcome finds the action by it
        # r and s, with s in the lower half of the curve order; then v, which tells the key that they recover
        pair = self.key.sign_digest_deterministic(digest, hashlib.sha256, sigencode_string_canonize)
        keys = VerifyingKey.from_public_key_recovery_with_digest(pair, digest, SECP256k1)
        return {**body, "signature": f"0x{pair.hex()}{27 + keys.index(self.key.verifying_key):x}"}


def keccak256(data):
    return keccak.new(digest_bits=256, data=data).digest()


def struct_hash(name, types, values):
    """Hashes a struct as EIP-712 does: its type, then each field as one word of 32 bytes."""
    names = [name, *sorted(field["type"] for field in types[name] if field["type"] in types)]
    texts = [f"{one}({','.join('{type} {name}'.format(**field) for field in types[one])})" for one in names]
    words = [word(field["type"], types, values[field["name"]]) for field in types[name]]
    return keccak256(keccak256("".join(texts).encode()) + b"".join(words))


def word(kind, types, value):
    if kind in types:
        return struct_hash(kind, types, value)
    if kind == "string":
        return keccak256((value or "").encode())
    number = int(value, 16) if kind in ("address", "bytes32") else int(value or 0)
    return (number % 2**256).to_bytes(32, "big")


def signed_value(name, body):
    """Returns the value of a struct's field, which a body has in snake case; None if the body lacks it."""
    others = {"wallet": "wallet_address", "legsHash": "legs", "limitPrice": "auto_accept_limit"}
    snake = re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)
    value = next((body[field] for field in (name, snake, others.get(name)) if field in body), None)
    if name == "legsHash" and value is not None:
        legs = [f"{leg['instrument']}|{leg['side'].lower()}|{leg['size']}" for leg in value]
        return "0x" + keccak256(";".join(legs).encode()).hex()
    if name in ("rfqId", "quoteId") and value is not None:
        return value.replace("-", "")  # a UUID; leading zeros make it 32 bytes
    if name in ("limitPrice", "netPremium") and value is not None:
        return int(Decimal(value) * 10**6)
    return str(value) if name == "orderId" and value is not None else value


def check(is_right, message):
    if not is_right:
        sys.exit(f"failed: {message}")
