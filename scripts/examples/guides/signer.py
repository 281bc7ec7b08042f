"""Signer of the shell programs in this folder. It needs venue.py and its packages.

    export STRIKEBOOK_URL=http://127.0.0.1:8080 STRIKEBOOK_KEY=$(python3 signer.py key)
    python3 signer.py address                                   # prints the wallet of the key
    python3 signer.py sign POST /cancel-all '{"scope": "all"}'  # prints the body with nonce and signature
    python3 signer.py stream '{"type": "Subscribe", "channel": "trades"}'  # prints all messages of /ws
"""

import asyncio, json, os, secrets, signal, sys

from venue import Venue


async def print_stream(url, frames):
    import websockets  # of python3-websockets; only this command needs it

    async with websockets.connect(url.replace("http", "ws", 1) + "/ws") as socket:
        for frame in frames:
            await socket.send(frame)
        async for message in socket:
            print(message, flush=True)


verb, *words = sys.argv[1:]
del sys.argv[1:]  # the URL is that of STRIKEBOOK_URL
signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # ends quietly when its reader ends
venue = Venue(os.environ.get("STRIKEBOOK_KEY"))
if verb == "key":
    print(secrets.token_hex(32))
elif verb == "address":
    print(venue.address)
elif verb == "sign":
    method, path, body, *more = words  # `more` is signed, but not part of the body
    print(json.dumps(venue.sign(method, path, json.loads(body), **json.loads((more or ["{}"])[0]))))
elif verb == "stream":
    asyncio.run(print_stream(venue.url, words))
