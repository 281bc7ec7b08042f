#!/bin/sh
# Quick start: takes money from the faucet, buys an option, and reads its fill and its position.
#
# Start a venue with `npm start`, then run `sh quick-start.sh [URL]`; venue.sh names the packages it needs.
cd "$(dirname "$0")" && . ./venue.sh

grant=$(send POST /faucet "{\"wallet\": \"$wallet\"}")
echo "wallet $wallet has $(value "$grant" .amount) USD"

# The cheapest call that somebody offers
offer=$(get '/options-summary?currency=BTC' | jq -c '.result
  | map(select(.ask_price > 0 and (.instrument_name | endswith("-C")))) | min_by(.ask_price)')
[ "$offer" != null ] || fail 'nobody offers a call: try again in a moment, on the market of `npm start`'
symbol=$(value "$offer" .instrument_name)

# A limit above the offer, because the market moves. A price has at most five significant figures.
price=$(value "$offer" .ask_price | awk '{ printf "%.5g", $1 * 1.2 }')
order=$(write POST /order "{\"symbol\": \"$symbol\", \"side\": \"Buy\", \"size\": \"0.01\",
  \"price\": \"$price\", \"tif\": \"ioc\", \"route\": \"book_only\"}")
check "$order" '.status == "FILLED"'
value "$order" '"order \(.order_id): \(.status)"'

get "/fills?wallet=$wallet" | jq -r '.data[] | "\(.side) \(.size) \(.symbol) at \(.price)"'
portfolio=$(get "/portfolio?wallet=$wallet")
check "$portfolio" ".data.positions | map(.symbol) == [\"$symbol\"]"
value "$portfolio" '.data.positions[] | "holds \(.amount) \(.symbol)"'
