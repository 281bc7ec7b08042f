#!/bin/sh
# Market data: expiries, an option and its book; then the stream, with a snapshot and a resume after a lost connection.
#
# Start a venue with `npm start`, then run `sh market-data.sh [URL]`; venue.sh names the packages it needs, and this
# program also needs python3-websockets, because curl has no WebSocket.
cd "$(dirname "$0")" && . ./venue.sh

# One row for each expiry of each underlying, then one for each option of an underlying
get '/markets?include_instruments=false' | jq -r '.data[] | select(.underlying == "BTC")
  | "expiry \(.expiry): index \(.index_price), volatility \(.atm_vol)"'
option=$(get '/options-summary?currency=BTC' | jq -c '.result
  | map(select(.bid_price > 0 and .ask_price > 0)) | min_by(.greeks.delta - 0.5 | fabs)')
[ "$option" != null ] || fail 'nobody quotes: try again in a moment, on the market of `npm start`'
symbol=$(value "$option" .instrument_name)
value "$option" '"\(.instrument_name): bid \(.bid_price), ask \(.ask_price), delta \(.greeks.delta)"'

# `as_of_seq` is the sequence of the latest event that an answer includes.
get "/orderbook?instrument_id=$symbol&depth=3" |
  jq -r '"book as of \(.as_of_seq): bids \(.result.bids), asks \(.result.asks)"'

# Each message has the whole book. The first one is the snapshot; later ones have a higher sequence.
book="{\"type\": \"Subscribe\", \"channel\": \"orderbook\", \"symbols\": [\"$symbol\"]}"
snapshot=$(python3 signer.py stream OrderbookUpdate "$book" | tail -n 1)
check "$snapshot" .snapshot
value "$snapshot" '"stream: snapshot as of \(.as_of_seq)"'

# The sequence at which a subscription begins. A program then keeps the `seq` of each message.
trades="\"type\": \"Subscribe\", \"channel\": \"trades\", \"symbols\": [\"$symbol\"]"
seen=$(python3 signer.py stream Subscribed "{$trades, \"as_of_seq\": true}" | jq .as_of_seq)

# A trade while the connection is down
send POST /faucet "{\"wallet\": \"$wallet\"}" >/dev/null
price=$(value "$option" .ask_price | awk '{ printf "%.5g", $1 * 1.1 }')
order=$(write POST /order "{\"symbol\": \"$symbol\", \"side\": \"Buy\", \"size\": \"0.01\",
  \"price\": \"$price\", \"tif\": \"ioc\", \"route\": \"book_only\"}")
check "$order" '.status == "FILLED"'
echo "wallet $wallet bought $(value "$order" .filled_size) while the stream was down"

# The venue sends the missed messages, then Resumed, then live messages.
missed=$(python3 signer.py stream Resumed "{$trades, \"from_seq\": $seen}" | jq -c 'select(.type == "Trade")')
check "$missed" ".seq > $seen"
value "$missed" '"resumed: trade \(.trade_id) of \(.size) at \(.price)"'
