"""Market data: expiries, an option and its book; then the stream, with a snapshot and a resume after a lost connection.

Start a venue with `npm start`, then run `python3 market-data.py [URL]`; venue.py names the packages it needs, and this
program also needs python3-websockets.
"""

import asyncio, json

import websockets

from venue import Venue, check

venue = Venue()
stream_url = venue.url.replace("http", "ws", 1) + "/ws"

# One row for each expiry of each underlying, then one for each option of an underlying
for market in venue.get("/markets", include_instruments="false")["data"]:
    if market["underlying"] == "BTC":
        print(f"expiry {market['expiry']}: index {market['index_price']}, volatility {market['atm_vol']}")
rows = venue.get("/options-summary", currency="BTC")["result"]
quoted = [row for row in rows if row["bid_price"] > 0 and row["ask_price"] > 0]
check(quoted, "nobody quotes: try again in a moment, on the market of `npm start`")
option = min(quoted, key=lambda row: abs(row["greeks"]["delta"] - 0.5))
symbol = option["instrument_name"]
print(f"{symbol}: bid {option['bid_price']}, ask {option['ask_price']}, delta {option['greeks']['delta']:.2f}")

# `as_of_seq` is the sequence of the latest event that an answer includes.
book = venue.get("/orderbook", instrument_id=symbol, depth=3)
print(f"book as of {book['as_of_seq']}: bids {book['result']['bids']}, asks {book['result']['asks']}")


async def receive(socket, wanted):
    """Returns the next message of a type."""
    async for text in socket:
        message = json.loads(text)
        check(message["type"] != "Error", message.get("message"))
        if message["type"] == wanted:
            return message


async def follow_book():
    """Each message has the whole book. The first one is the snapshot; later ones have a higher sequence."""
    async with websockets.connect(stream_url) as socket:
        await socket.send(json.dumps({"type": "Subscribe", "channel": "orderbook", "symbols": [symbol]}))
        snapshot = await receive(socket, "OrderbookUpdate")
        check(snapshot.get("snapshot") is True, f"no snapshot came first: {snapshot}")
        update = await receive(socket, "OrderbookUpdate")
        check(update["seq"] > snapshot["as_of_seq"], "the update is older than the snapshot")
        print(f"stream: snapshot as of {snapshot['as_of_seq']}, update {update['seq']}")


async def resume_trades():
    """Misses a trade while the connection is down, and gets it afterwards."""
    trades = {"type": "Subscribe", "channel": "trades", "symbols": [symbol]}
    async with websockets.connect(stream_url) as socket:
        await socket.send(json.dumps({**trades, "as_of_seq": True}))
        seen = (await receive(socket, "Subscribed"))["as_of_seq"]  # then keep the `seq` of each message
    trade_once()
    async with websockets.connect(stream_url) as socket:
        await socket.send(json.dumps({**trades, "from_seq": seen}))
        trade = await receive(socket, "Trade")
        resumed = await receive(socket, "Resumed")
        check(seen < trade["seq"] <= resumed["as_of_seq"], f"the trade was not missed: {trade}")
        print(f"resumed after {seen}: trade {trade['trade_id']} of {trade['size']} at {trade['price']}")


def trade_once():
    venue.request("POST", "/faucet", {"wallet": venue.wallet})
    terms = {"symbol": symbol, "side": "Buy", "size": "0.01", "price": f"{option['ask_price'] * 1.1:.5g}"}
    order = venue.write("POST", "/order", {**terms, "tif": "ioc", "route": "book_only"})
    check(order["status"] == "FILLED", f"the order is {order['status']}: {order['reason']}")
    print(f"wallet {venue.wallet} bought {order['filled_size']} while the stream was down")


asyncio.run(follow_book())
asyncio.run(resume_trades())
