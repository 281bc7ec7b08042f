#!/bin/sh
# Errors and limits: failed and rejected requests, retries, lost answers, and rate limits.
#
# Start a venue with `npm start`, then run `sh errors-and-limits.sh [URL]`; venue.sh names the packages it needs.
cd "$(dirname "$0")" && . ./venue.sh

echo "wallet $wallet"
symbol=$(get '/options-summary?currency=BTC' | jq -r '.result[0].instrument_name')
# PRICE [MORE]: the terms of an order
terms() {
  echo "{\"wallet\": \"$wallet\", \"symbol\": \"$symbol\", \"side\": \"Buy\", \"size\": \"0.01\",
    \"price\": \"$1\", \"tif\": \"gtc\", \"route\": \"book_only\" ${2:-}}"
}
headers=$(mktemp) && trap 'rm -f "$headers"' EXIT
# METHOD PATH BODY: sends it, and keeps the headers of the answer
sends() { curl -sS -D "$headers" -X "$1" -d "$3" "$STRIKEBOOK_URL$2"; }
header() { tr -d '\r' <"$headers" | awk -F ': ' -v name="$1" 'tolower($1) == name { print $2 }'; }
status() { awk 'NR == 1 { print $2 }' "$headers"; }

# A request fails with an HTTP status and a stable `code`. Act on the code; the message is for people and may change.
failed=$(sends POST /order "$(python3 signer.py sign POST /order "$(terms 1.00001)")")
check "$failed" '.code == "invalid_field"'
echo "failed: $(status) $(value "$failed" '"\(.code): \(.message)"')"
# Another key, which is no agent of the wallet
stranger=$(STRIKEBOOK_KEY=$(python3 signer.py key) python3 signer.py sign POST /order "$(terms 1)")
failed=$(sends POST /order "$stranger")
check "$failed" '.code == "unauthorized"'
echo "failed: $(status) $(value "$failed" .code)"

# A trading rule rejects an order with HTTP 200, status REJECTED and a stable `reason_code`.
order=$(python3 signer.py sign POST /order "$(terms 1 ', "client_id": "once"')")
rejected=$(send POST /order "$order")
check "$rejected" '.status == "REJECTED" and .reason_code == "no_funds"'
echo "rejected: $(value "$rejected" .reason_code)"

# Only an accepted action uses up its nonce, so the same body works once there is money.
send POST /faucet "{\"wallet\": \"$wallet\"}" >/dev/null
accepted=$(sends POST /order "$order")
check "$accepted" '.status == "ACKED"'
id=$(value "$accepted" .order_id)
echo "accepted: order $id; $(header x-ratelimit-remaining) of $(header x-ratelimit-limit) orders are left in this minute"

# The same body again gets the first result. Another body with its nonce is rejected.
check "$(send POST /order "$order")" ".order_id == $id"
check "$(write POST /order "$(terms 1 ", \"nonce\": $(value "$order" .nonce)")")" '.reason_code == "nonce_used"'
echo 'retried: same order; another body with the nonce: nonce_used'

# A lost answer: curl gives up after a millisecond, perhaps before the request has left.
lost=$(python3 signer.py sign POST /order "$(terms 1 ', "client_id": "lost"')")
curl -s --max-time 0.001 -d "$lost" "$STRIKEBOOK_URL/order" >/dev/null || echo "lost: curl ends with $?"

# The client id tells what happened, as far as the venue has received it. A retry of the same body is safe in any case.
found=$(get "/orders/status?wallet=$wallet&order_id=lost")
echo "lost: the order is $(value "$found" '.data.status // "not there"')"
settled=$(send POST /order "$lost")
found=$(get "/orders/status?wallet=$wallet&order_id=lost")
check "$found" ".data.order_id == $(value "$settled" .order_id)"
value "$found" '.data | "settled: order \(.order_id) is \(.status)"'

# Over a rate limit: wait Retry-After seconds, then send the same body. The faucet has one grant a minute for a wallet.
until limited=$(sends POST /faucet "{\"wallet\": \"$wallet\"}") && [ "$(status)" != 200 ]; do
  : # once more if a new minute has just begun
done
check "$limited" '.code == "rate_limit_exceeded" and .retry_after_secs > 0'
echo "limited: $(status), retry after $(header retry-after) seconds"
get "/rate-limits?wallet=$wallet" | jq -r '.data.windows[]
  | "\(.category): \(.remaining) of \(.limit) left for \(.reset - now | ceil) seconds"'

check "$(write POST /cancel-all '{"scope": "all"}')" '.data.canceled == 2'
