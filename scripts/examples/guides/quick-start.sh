#!/bin/sh
# Quick start: takes money from the faucet, buys an option, and reads its fill and its position.
#
# Start a venue with `npm start`, then run `sh quick-start.sh [URL]`. Debian packages: curl jq python3-ecdsa
# python3-pycryptodome. signer.py signs with the key in STRIKEBOOK_KEY.
set -eu
cd "$(dirname "$0")"
export STRIKEBOOK_URL="${1:-${STRIKEBOOK_URL:-http://127.0.0.1:8080}}"
STRIKEBOOK_KEY=$(python3 signer.py key) && export STRIKEBOOK_KEY

fail() { echo "failed: $*" >&2; exit 1; }
get() { curl -sS "$STRIKEBOOK_URL$1"; }
# Signs a body and sends it: METHOD PATH BODY
write() { python3 signer.py sign "$1" "$2" "$3" | curl -sS -X "$1" -d @- "$STRIKEBOOK_URL$2"; }

wallet=$(python3 signer.py address) # the key is new, and so is its wallet
grant=$(curl -sS -d "{\"wallet\": \"$wallet\"}" "$STRIKEBOOK_URL/faucet")
echo "wallet $wallet has $(echo "$grant" | jq -r .amount) USD"

# The cheapest call that somebody offers
offer=$(get '/options-summary?currency=BTC' | jq -c '.result
  | map(select(.ask_price > 0 and (.instrument_name | endswith("-C")))) | min_by(.ask_price)')
[ "$offer" != null ] || fail 'nobody offers a call; is this the market of `npm start`?'
symbol=$(echo "$offer" | jq -r .instrument_name)

# A limit above the offer, because the market moves. A price has at most five significant figures.
price=$(echo "$offer" | jq .ask_price | awk '{ printf "%.5g", $1 * 1.2 }')
order=$(write POST /order "{\"symbol\": \"$symbol\", \"side\": \"Buy\", \"size\": \"0.01\",
  \"price\": \"$price\", \"tif\": \"ioc\", \"route\": \"book_only\"}")
[ "$(echo "$order" | jq -r .status)" = FILLED ] || fail "the order is $order"
echo "$order" | jq -r '"order \(.order_id): \(.status)"'

get "/fills?wallet=$wallet" | jq -r '.data[] | "\(.side) \(.size) \(.symbol) at \(.price)"'
positions=$(get "/portfolio?wallet=$wallet" | jq -c .data.positions)
[ "$(echo "$positions" | jq -r '.[].symbol')" = "$symbol" ] || fail "the position is missing: $positions"
echo "$positions" | jq -r '.[] | "holds \(.amount) \(.symbol)"'
