"""Signer and stream of the shell programs in this folder. It needs venue.py and its packages.

    export STRIKEBOOK_URL=http://127.0.0.1:8080 STRIKEBOOK_KEY=$(python3 signer.py key)
    python3 signer.py address                                   # prints the wallet of the key
    python3 signer.py sign POST /cancel-all '{"scope": "all"}'  # prints the body with nonce and signature
    python3 signer.py stream Trade '{"type": "Subscribe", "channel": "trades"}'  # until the first Trade
"""

import asyncio, json, os, secrets, sys

from venue import Venue


async def print_stream(url, last_type, frames):
    """Sends frames over /ws and prints the messages, one a line, up to the first of a type."""
    import websockets  # of the package python3-websockets, which only this command needs

    async with websockets.connect(url.replace("http", "ws", 1) + "/ws") as socket:
        for frame in frames:
            await socket.send(frame)
        async for message in socket:
            print(message)
            if json.loads(message)["type"] == last_type:
                return


verb, *words = sys.argv[1:]
del sys.argv[1:]  # the URL is that of STRIKEBOOK_URL
venue = Venue(os.environ.get("STRIKEBOOK_KEY"))
if verb == "key":
    print(secrets.token_hex(32))
elif verb == "address":
    print(venue.address)
elif verb == "sign":
    method, path, body, *more = words  # `more` is signed, but not part of the body
    print(json.dumps(venue.sign(method, path, json.loads(body), **json.loads((more or ["{}"])[0]))))
elif verb == "stream":
    asyncio.run(print_stream(venue.url, words[0], words[1:]))
