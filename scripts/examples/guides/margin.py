"""Margin: what an order would need, what a short position needs, and the same under portfolio margin.

Start a venue with `npm start`, then run `python3 margin.py [URL]`; venue.py names the packages it needs.
"""

from venue import Venue, check

venue = Venue()
venue.request("POST", "/faucet", {"wallet": venue.wallet})
print(f"wallet {venue.wallet}")


def show(moment):
    """Prints and returns the figures of the portfolio. All amounts are decimal text in USD."""
    portfolio = venue.get("/portfolio", wallet=venue.wallet)["data"]
    margin, available = portfolio["total_margin_used"], portfolio["available_balance"]
    print(f"{moment}: equity {portfolio['equity']}, margin {margin}, available {available}")
    return float(margin)


def simulate(*orders):
    """Judges orders together, as if they rested. Nothing is signed or placed."""
    body = {"wallet": venue.wallet, "orders": orders}
    return venue.request("POST", "/risk/simulate/orders", body)["data"]


before = show("before")

# The call with a bid whose delta is closest to a third
rows = [row for row in venue.get("/options-summary", currency="BTC")["result"] if row["bid_price"] > 0]
calls = [row for row in rows if row["instrument_name"].endswith("-C")]
check(calls, "nobody bids for a call: try again in a moment, on the market of `npm start`")
call = min(calls, key=lambda row: abs(row["greeks"]["delta"] - 0.33))
price = f"{call['bid_price'] * 0.9:.5g}"
sale = {"symbol": call["instrument_name"], "side": "Sell", "size": "0.1", "price": price}

# What the sale would need, and what a sale of 100 contracts would
small = simulate(sale)
check(small["admissible"], f"the sale is not admissible: {small}")
print(f"preview: the sale adds {small['incremental_im']} of initial margin")
large = simulate({**sale, "size": "100"})
check(not large["admissible"], f"the sale of 100 is admissible: {large}")
print(f"preview: a sale of 100 is rejected, because it adds {large['incremental_im']}")

sold = venue.write("POST", "/order", {**sale, "tif": "ioc", "route": "book_only"})
check(sold["status"] == "FILLED", f"not sold: {sold}")
standard = show("after the sale")
check(standard > before, "the short call needs no margin")

# Portfolio margin is the largest weighted loss over scenarios of index and volatility, at least a minimum.
changed = venue.write("POST", "/margin-mode", {"margin_mode": "portfolio"})["data"]
print(f"margin mode: {changed['margin_mode']} instead of {changed['previous_mode']}")
check(0 < show("portfolio margin") != standard, "both modes need the same margin")
grid = venue.get("/risk/grid", wallet=venue.wallet)["data"]["underlyings"][0]
worst = min(grid["scenarios"], key=lambda row: float(row["total_pnl"]) * float(row["pnl_weight"]))
print(f"worst scenario: index {float(worst['spot_shock_pct']) * 100:g} %, profit {worst['total_pnl']}")

# A mode change fails if the account would not meet its initial margin.
restored = venue.write("POST", "/margin-mode", {"margin_mode": "standard"})["data"]
check(restored["margin_mode"] == "standard", f"not restored: {restored}")
