"""Quick start: takes money from the faucet, buys an option, and reads its fill and its position.

Start a venue with `npm start`, then run `python3 quick-start.py [URL]`; venue.py names the packages it needs.
"""

from venue import Venue, check

venue = Venue()  # a new key; its address is the wallet
grant = venue.request("POST", "/faucet", {"wallet": venue.wallet})
print(f"wallet {venue.wallet} has {grant['amount']} USD")

# The cheapest call that somebody offers
rows = venue.get("/options-summary", currency="BTC")["result"]
offers = [row for row in rows if row["ask_price"] > 0 and row["instrument_name"].endswith("-C")]
check(offers, "nobody offers a call: try again in a moment, on the market of `npm start`")
offer = min(offers, key=lambda row: row["ask_price"])
symbol = offer["instrument_name"]

# A limit above the offer, because the market moves. A price has at most five significant figures.
price = f"{offer['ask_price'] * 1.2:.5g}"
terms = {"symbol": symbol, "side": "Buy", "size": "0.01", "price": price, "tif": "ioc", "route": "book_only"}
order = venue.write("POST", "/order", terms)
check(order["status"] == "FILLED", f"the order is {order['status']}: {order['reason']}")
print(f"order {order['order_id']}: {order['status']}")

for fill in venue.get("/fills", wallet=venue.wallet)["data"]:
    print(f"{fill['side']} {fill['size']} {fill['symbol']} at {fill['price']}")
positions = venue.get("/portfolio", wallet=venue.wallet)["data"]["positions"]
check([row["symbol"] for row in positions] == [symbol], f"the position in {symbol} is missing: {positions}")
print(f"holds {positions[0]['amount']} {symbol}")
