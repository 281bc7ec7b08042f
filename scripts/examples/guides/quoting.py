"""Quoting: two-sided quotes under market-maker protection, then a request for quote, as its taker and its provider.

Start a venue with `npm start`, then run `python3 quoting.py [URL OPERATOR-URL TOKEN-FILE]`. venue.py names the packages
it needs; this program also needs python3-websockets. The operator of a venue admits quote providers.
"""

import asyncio, json, os, sys, time, uuid
from decimal import Decimal
from urllib.request import Request, urlopen

import websockets

from venue import Venue, check

defaults = ["http://127.0.0.1:8081", os.path.join(os.path.dirname(__file__), "../../../data/operator.token")]
operator_url, token_file = (sys.argv[2:] + defaults[len(sys.argv[2:]) :])[:2]

maker, taker = Venue(), Venue()
for venue in (maker, taker):
    venue.request("POST", "/faucet", {"wallet": venue.wallet})
    print(f"wallet {venue.wallet}")

# The two calls of the last expiry whose delta is closest to 0.4
rows = maker.get("/options-summary", currency="ETH")["result"]
last = max(row["expiration_timestamp"] for row in rows)
calls = [row for row in rows if row["expiration_timestamp"] == last and row["instrument_name"].endswith("-C")]
calls = sorted(calls, key=lambda row: abs(row["greeks"]["delta"] - 0.4))[:2]
check(all(row["mark_price"] > 0 for row in calls), "no marks yet: try again in a moment, on the market of `npm start`")

# Protection: 5 contracts within 5 seconds cancel all quotes of the underlying, and reject new ones for 10 seconds.
limits = {"interval_ms": 5000, "frozen_time_ms": 10000, "qty_limit": "5"}
protection = maker.write("POST", "/mmp-config", {"currency": "ETH", **limits})["data"]
check(protection["enabled"], f"no protection: {protection}")


def quotes(width):
    """Returns a bid and an ask for each call. The width is a share of the mark."""
    orders = []
    for row in calls:
        terms = {"symbol": row["instrument_name"], "size": "0.1", "tif": "gtc", "mmp_enabled": True}
        orders.append({**terms, "side": "Buy", "price": f"{row['mark_price'] * (1 - width):.4g}"})
        orders.append({**terms, "side": "Sell", "price": f"{row['mark_price'] * (1 + width):.4g}"})
    return orders


def order_ids(results):
    check(all(result["success"] for result in results), f"not all succeeded: {results}")
    return [result["data"]["order_id"] for result in results]


# One bulk places all quotes, one moves them, one cancels them. They are wide here, so that nobody trades with them.
ids = order_ids(maker.write("POST", "/bulk_order", quotes(0.2)))
moves = [{**quote, "order_id": order_id} for quote, order_id in zip(quotes(0.25), ids)]
ids = order_ids(maker.write("PUT", "/bulk_order", moves))
[state] = maker.get("/mmp-config", wallet=maker.wallet, currency="ETH")["data"]
filled = f"{state['window']['qty']} of {state['qty_limit']} contracts filled"
print(f"quotes {len(ids)} sides; {filled}, frozen: {state['frozen']}")
order_ids(maker.write("DELETE", "/bulk_order", [{"order_id": order_id} for order_id in ids]))


async def receive(session, wanted, rfq_id=None):
    """Returns the next message of a type, about one request."""
    async for text in session:
        message = json.loads(text)
        check(message["type"] not in ("error", "auth_failed"), text)
        if message["type"] == wanted and message.get("rfq_id") == rfq_id:
            return message


async def trade_by_request():
    """Requests quotes for a call spread, answers as a provider, and accepts that answer."""
    frames = maker.get("/asyncapi.json")["components"]["messages"]
    async with websockets.connect(maker.url.replace("http", "ws", 1) + "/ws/quotes") as session:
        hello = {"type": "connect_quote_provider", "timestamp": str(time.time_ns() // 10**6)}
        await session.send(json.dumps(maker.sign_by(frames["connect_quote_provider"]["x-signature"], hello)))
        await receive(session, "authenticated")

        sides = zip(calls, ("Buy", "Sell"))
        legs = [{"instrument": row["instrument_name"], "side": side, "size": "0.1"} for row, side in sides]
        rfq_id = str(uuid.uuid4())  # works once
        taker.write("POST", "/rfq/request", {"rfq_id": rfq_id, "legs": legs})

        # The provider prices each leg. The net premium is the taker's: it pays for buys and receives for sells.
        request = await receive(session, "rfq_request", rfq_id)
        marks = {row["instrument_name"]: f"{row['mark_price']:.2f}" for row in calls}
        priced = [{**leg, "price": marks[leg["instrument"]]} for leg in request["legs"]]
        signs = {"buy": -1, "sell": 1}
        premium = sum(signs[leg["side"]] * Decimal(leg["price"]) * Decimal(leg["size"]) for leg in priced)
        answer = {"type": "rfq_response", "action": "quote", "rfq_id": rfq_id, "legs": priced}
        answer.update(net_premium=str(premium), valid_for_ms=5000)
        rule = frames["rfq_response"]["x-signature"]
        await session.send(json.dumps(maker.sign_by(rule, answer, qpWallet=maker.wallet)))

        # Other providers answer too; the best quote comes first. This program accepts its own.
        mine = []
        while not mine:
            await asyncio.sleep(0.05)
            rfq = taker.get(f"/rfq/{rfq_id}", wallet=taker.wallet)
            check(rfq["status"] in ("sent_to_qps", "quotes_received"), f"the quote did not arrive: {rfq}")
            mine = [quote for quote in rfq["quotes"] if Decimal(quote["net_premium"]) == premium]
        acceptance = {"rfq_id": rfq_id, "quote_id": mine[0]["quote_id"]}
        accepted = taker.write("POST", "/rfq/accept", acceptance, net_premium=mine[0]["net_premium"])
        check(accepted["status"] == "executed", f"not executed: {accepted}")
        print(f"request for quote: {len(rfq['quotes'])} quotes, executed at {mine[0]['net_premium']} USD")


# The operator's token is in the data folder of the venue.
token = open(token_file).read().strip()
admission = json.dumps({"wallet": maker.wallet, "status": "active"}).encode()
headers = {"Authorization": f"Bearer {token}"}
urlopen(Request(f"{operator_url}/operator/quote-providers", admission, headers)).close()
asyncio.run(trade_by_request())
for fill in maker.get("/fills", wallet=maker.wallet)["data"]:
    print(f"provider: {fill['side']} {fill['size']} {fill['symbol']} at {fill['price']}")
