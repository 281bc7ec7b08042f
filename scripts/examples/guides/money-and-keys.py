"""Money and keys: the faucet, an agent, an API wallet, a withdrawal, and what each key may not do.

Start a venue with `npm start`, then run `python3 money-and-keys.py [URL]`; venue.py names the packages it needs.
"""

import time

from venue import Venue, VenueError, check

owner = Venue()
grant = owner.request("POST", "/faucet", {"wallet": owner.wallet})
print(f"wallet {owner.wallet} has {grant['amount']} USD")
symbol = owner.get("/options-summary", currency="BTC")["result"][0]["instrument_name"]
terms = {"symbol": symbol, "side": "Buy", "size": "0.01", "price": "1", "tif": "gtc", "route": "book_only"}
withdrawal = {"account": owner.wallet, "destination": owner.wallet, "amount": "25"}

# An agent is a key that trades for the wallet. Its actions name the wallet, and it signs them.
agent = Venue(wallet=owner.wallet)
owner.write("POST", "/approve-agent", {"agent": agent.address})
check(agent.address in owner.get("/authorized-agents", wallet=owner.wallet)["agents"], "the agent is missing")
order = agent.write("POST", "/order", terms)
check(order["order_id"] is not None, f"the order of the agent was rejected: {order}")
agent.write("DELETE", "/order", {"order_id": order["order_id"]})
print(f"agent {agent.address} placed and canceled order {order['order_id']}")


def fails(method, path, body):
    """Sends a signed write that must fail. Returns the code of the error."""
    try:
        agent.write(method, path, body)
    except VenueError as error:
        return error.body["code"]
    check(False, f"the agent may do {path}")


print(f"agent withdraws: {fails('POST', '/withdraw/usdc', withdrawal)}")  # only the owner moves money

# An API wallet is a key that signs only directives, such as orders of perps, under one of eight names.
robot = Venue(wallet=owner.wallet)
name = "0x" + b"robot".hex().ljust(64, "0")
update = {"action": {"name": name, "addr": robot.address}}
check(owner.write("POST", "/v1/actions/hc_update_api_wallet", update)["stage"] == "submitted", "no API wallet")
asset = owner.get("/exchange-info")["perps"][0]["asset"]
numbers = {"limitPx": 10**8, "sz": 10**6, "encodedTif": 2, "cloid": 1}  # price and size times 1e8
action = {"asset": asset, "isBuy": True, "reduceOnly": False, **numbers}
placed = robot.write("POST", "/v1/actions/hl_limit_order", {"action": action})
check(placed["stage"] == "submitted", f"rejected: {placed}")
cancel = {"action": {"asset": asset, "oid": placed["orderId"]}}
check(robot.write("POST", "/v1/actions/hl_cancel_by_oid", cancel)["stage"] == "submitted", "not canceled")
print(f"API wallet {robot.address} placed and canceled order {placed['orderId']} of a perp")

# Revoking all agents also ends the API wallets. Working orders of a revoked key stay.
owner.write("DELETE", "/revoke-all-agents", {})
keys = owner.get("/authorized-agents", wallet=owner.wallet)
check(keys["agents"] == [] and keys["api_wallets"] == [], f"keys are left: {keys}")
print(f"revoked: the agent places an order: {fails('POST', '/order', terms)}")

# A withdrawal debits the wallet at once. Its delivery ends in a final status.
sent = owner.write("POST", "/withdraw/usdc", withdrawal)
status = sent["delivery_status"]
while status not in ("finalized", "core_rejected", "reverted", "expired", "dead_lettered"):
    time.sleep(0.2)
    status = owner.get(f"/v1/directives/{sent['directive_id']}")["delivery_status"]
check(status == "finalized", f"the withdrawal is {status}")
print(f"withdrawal of {withdrawal['amount']}: {status}, {sent['balance_after']} USD are left")
