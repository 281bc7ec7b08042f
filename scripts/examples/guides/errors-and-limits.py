"""Errors and limits: failed and rejected requests, retries, lost answers, and rate limits.

Start a venue with `npm start`, then run `python3 errors-and-limits.py [URL]`; venue.py names the packages it needs.
"""

import http.client, json, time
from urllib.parse import urlsplit

from venue import Venue, VenueError, check

venue = Venue()
print(f"wallet {venue.wallet}")
symbol = venue.get("/options-summary", currency="BTC")["result"][0]["instrument_name"]
terms = {"symbol": symbol, "side": "Buy", "size": "0.01", "price": "1", "tif": "gtc", "route": "book_only"}


def error_of(method, path, body):
    """Sends a request that must fail with an error."""
    try:
        answer = venue.request(method, path, body)
    except VenueError as error:
        return error
    check(False, f"no error: {answer}")


# A request fails with an HTTP status and a stable `code`. Act on the code; the message is for people and may change.
invalid = error_of("POST", "/order", venue.sign("POST", "/order", {**terms, "price": "1.00001"}))
print(f"failed: {invalid}")
stranger = Venue(wallet=venue.wallet)  # another key, which is no agent of the wallet
unauthorized = error_of("POST", "/order", stranger.sign("POST", "/order", terms))
print(f"failed: {unauthorized.status} {unauthorized.body['code']}")
check(invalid.body["code"] == "invalid_field" and unauthorized.status == 401, "unexpected codes")

# A trading rule rejects an order with HTTP 200, status REJECTED and a stable `reason_code`.
order = venue.sign("POST", "/order", {**terms, "client_id": "once"})
rejected = venue.request("POST", "/order", order)
check(rejected["status"] == "REJECTED" and rejected["reason_code"] == "no_funds", f"not rejected: {rejected}")
print(f"rejected: {rejected['reason_code']}")

# Only an accepted action uses up its nonce, so the same body works once there is money.
venue.request("POST", "/faucet", {"wallet": venue.wallet})
accepted = venue.request("POST", "/order", order)
check(accepted["status"] == "ACKED", f"not accepted: {accepted}")
left, limit = venue.headers["X-RateLimit-Remaining"], venue.headers["X-RateLimit-Limit"]
print(f"accepted: order {accepted['order_id']}; {left} of {limit} orders are left in this minute")

# The same body again gets the first result. Another body with its nonce is rejected.
check(venue.request("POST", "/order", order) == accepted, "the retry got another result")
reused = venue.write("POST", "/order", {**terms, "nonce": order["nonce"]})
check(reused["reason_code"] == "nonce_used", f"the nonce was free: {reused}")
print("retried: same order; another body with the nonce: nonce_used")

# A lost answer: the request leaves, and the connection ends before the answer comes.
lost = venue.sign("POST", "/order", {**terms, "client_id": "lost"})
digest = venue.digest
connection = http.client.HTTPConnection(urlsplit(venue.url).netloc)
connection.request("POST", "/order", json.dumps(lost))
connection.close()

# The digest tells what happened. `unknown` with complete memory means not accepted so far; a retry is safe anyway.
outcome = venue.get("/actions/outcome", wallet=venue.wallet, digest=digest)["data"]
print(f"lost: {outcome['status']}, memory is complete: {outcome['kept']['is_complete']}")
settled = venue.request("POST", "/order", lost)
found = venue.get("/orders/status", wallet=venue.wallet, order_id="lost")["data"]  # by client id
check(found["order_id"] == settled["order_id"], f"the retry placed another order: {found}, {settled}")
print(f"settled: order {found['order_id']} is {found['status']}")

# Over a rate limit: wait Retry-After seconds, then send the same body. The faucet has one grant a minute for a wallet.
limited = None
while limited is None:  # twice if a new minute has just begun
    try:
        venue.request("POST", "/faucet", {"wallet": venue.wallet})
    except VenueError as error:
        limited = error
check(limited.status == 429 and int(limited.headers["Retry-After"]) > 0, f"no rate limit: {limited}")
print(f"limited: {limited.body['code']}, retry after {limited.headers['Retry-After']} seconds")
for window in venue.get("/rate-limits", wallet=venue.wallet)["data"]["windows"]:
    seconds = window["reset"] - int(time.time())
    print(f"{window['category']}: {window['remaining']} of {window['limit']} left for {seconds} seconds")

canceled = venue.write("POST", "/cancel-all", {"scope": "all"})["data"]["canceled"]
check(canceled == 2, f"{canceled} orders instead of 2 were working")
