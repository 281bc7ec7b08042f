"""Orders: resting, replaced, in bulk, post-only, immediate-or-cancel, reduce-only; then all are canceled.

Start a venue with `npm start`, then run `python3 orders.py [URL]`; venue.py names the packages it needs.
"""

from venue import Venue, check

venue = Venue()
venue.request("POST", "/faucet", {"wallet": venue.wallet})
print(f"wallet {venue.wallet}")

# The quoted call whose delta is closest to a half
rows = venue.get("/options-summary", currency="BTC")["result"]
quoted = [row for row in rows if row["bid_price"] > 0 and row["ask_price"] > 0]
check(quoted, "nobody quotes: try again in a moment, on the market of `npm start`")
option = min(quoted, key=lambda row: abs(row["greeks"]["delta"] - 0.5))


def terms(side, size, price, tif="gtc", **more):
    """A price is decimal text with at most five significant figures."""
    texts = {"symbol": option["instrument_name"], "side": side, "size": size, "price": f"{price:.5g}"}
    return {**texts, "tif": tif, **more}


def place(terms):
    return venue.write("POST", "/order", {**terms, "route": "book_only"})


# A gtc order far below the market rests. The client id is ours; no two working orders share one.
low = option["mark_price"] / 2
order = place(terms("Buy", "0.02", low, client_id="grid-1"))
check(order["status"] == "ACKED", f"the order does not rest: {order}")
print(f"resting: order {order['order_id']}")

# A replacement is the new order or nothing. It has a new id, a new place in the queue, and the whole size.
replacement = terms("Buy", "0.03", low, client_id="grid-1", order_id=order["order_id"])
replaced = venue.write("PUT", "/order", replacement)
check(replaced["status"] == "ACKED", f"not replaced: {replaced}")
print(f"replaced: order {order['order_id']} by {replaced['order_id']}")

# Each item of a bulk has its own signature and its own result. The second size is not above 0.
items = [terms("Buy", "0.01", low, client_id="grid-2"), terms("Buy", "0", low, client_id="grid-3")]
good, bad = venue.write("POST", "/bulk_order", items)
check(good["success"] and bad["code"] == "invalid_field", f"unexpected results: {good}, {bad}")
print(f"bulk: order {good['data']['order_id']}, then {bad['error']}")

# Perps have post-only orders, options do not: encodedTif 1 rests, or is rejected if it would trade.
perp = next(row for row in venue.get("/exchange-info")["perps"] if row["underlying"] == "BTC")
numbers = {"asset": perp["asset"], "limitPx": 50_000 * 10**8, "sz": 10**6}  # price and size times 1e8
action = {**numbers, "isBuy": True, "reduceOnly": False, "encodedTif": 1, "cloid": 1}
resting = venue.write("POST", "/v1/actions/hl_limit_order", {"action": action})
check(resting["stage"] == "submitted", f"the post-only order does not rest: {resting}")
print(f"post-only: order {resting['orderId']} of {perp['symbol']}")

# An ioc order trades on arrival. The part that does not trade is canceled.
bought = place(terms("Buy", "0.02", option["ask_price"] * 1.1, "ioc"))
check(bought["filled_size"] > 0, f"nothing traded: {bought}")
print(f"ioc: {bought['status']}, {bought['filled_size']} contracts")

# A reduce-only order sells no more than the position.
sold = place(terms("Sell", "0.01", option["bid_price"] * 0.9, "ioc", reduce_only=True))
check(sold["filled_size"] > 0, f"nothing traded: {sold}")
print(f"reduce-only: {sold['status']}, {sold['filled_size']} contracts")

# One order by its client id, then all others at once
canceled = venue.write("DELETE", "/order", {"client_id": "grid-1"})
check(canceled["status"] == "CANCELED", f"not canceled: {canceled}")
others = venue.write("POST", "/cancel-all", {"scope": "all"})["data"]["canceled"]
print(f"canceled: order {canceled['order_id']} and {others} others")
left = venue.get("/orders", wallet=venue.wallet, status="open")["data"]
check(others == 2 and left == [], f"orders are left: {left}")
