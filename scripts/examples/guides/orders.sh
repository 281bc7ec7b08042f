#!/bin/sh
# Orders: resting, replaced, in bulk, post-only, immediate-or-cancel, reduce-only; then all are canceled.
#
# Start a venue with `npm start`, then run `sh orders.sh [URL]`; venue.sh names the packages it needs.
cd "$(dirname "$0")" && . ./venue.sh

send POST /faucet "{\"wallet\": \"$wallet\"}" >/dev/null
echo "wallet $wallet"

# The quoted call whose delta is closest to a half
option=$(get '/options-summary?currency=BTC' | jq -c '.result
  | map(select(.bid_price > 0 and .ask_price > 0)) | min_by(.greeks.delta - 0.5 | fabs)')
[ "$option" != null ] || fail 'nobody quotes: try again in a moment, on the market of `npm start`'
symbol=$(value "$option" .instrument_name)

# FIELD FACTOR: a price as decimal text with at most five significant figures
price() { value "$option" ".$1" | awk "{ printf \"%.5g\", \$1 * $2 }"; }
# SIDE SIZE PRICE TIF [MORE]: the terms of an order
terms() {
  echo "{\"symbol\": \"$symbol\", \"side\": \"$1\", \"size\": \"$2\", \"price\": \"$3\", \"tif\": \"$4\" ${5:-}}"
}
book=', "route": "book_only"'

# A gtc order far below the market rests. The client id is ours; no two working orders share one.
low=$(price mark_price 0.5)
order=$(write POST /order "$(terms Buy 0.02 "$low" gtc "$book, \"client_id\": \"grid-1\"")")
check "$order" '.status == "ACKED"'
id=$(value "$order" .order_id)
echo "resting: order $id"

# A replacement is the new order or nothing. It has a new id, a new place in the queue, and the whole size.
replacement=$(terms Buy 0.03 "$low" gtc ", \"client_id\": \"grid-1\", \"order_id\": $id")
replaced=$(write PUT /order "$replacement")
check "$replaced" '.status == "ACKED"'
echo "replaced: order $id by $(value "$replaced" .order_id)"

# Each item of a bulk has its own signature and its own result. The second size is not above 0.
first=$(terms Buy 0.01 "$low" gtc ', "client_id": "grid-2"')
second=$(terms Buy 0 "$low" gtc ', "client_id": "grid-3"')
bulk=$(write POST /bulk_order "[$first, $second]")
check "$bulk" '.[0].success and .[1].code == "invalid_field"'
value "$bulk" '"bulk: order \(.[0].data.order_id), then \(.[1].error)"'

# Perps have post-only orders, options do not: encodedTif 1 rests, or is rejected if it would trade.
asset=$(get /exchange-info | jq '.perps[] | select(.underlying == "BTC").asset')
resting=$(write POST /v1/actions/hl_limit_order "{\"action\": {\"asset\": $asset, \"isBuy\": true,
  \"limitPx\": 5000000000000, \"sz\": 1000000, \"reduceOnly\": false, \"encodedTif\": 1, \"cloid\": 1}}")
check "$resting" '.stage == "submitted"' # price and size are times 1e8: 0.01 at 50,000
echo "post-only: order $(value "$resting" .orderId) of the perp"

# An ioc order trades on arrival. The part that does not trade is canceled.
bought=$(write POST /order "$(terms Buy 0.02 "$(price ask_price 1.1)" ioc "$book")")
check "$bought" '.filled_size > 0'
value "$bought" '"ioc: \(.status), \(.filled_size) contracts"'

# A reduce-only order sells no more than the position.
sold=$(write POST /order "$(terms Sell 0.01 "$(price bid_price 0.9)" ioc "$book, \"reduce_only\": true")")
check "$sold" '.filled_size > 0'
value "$sold" '"reduce-only: \(.status), \(.filled_size) contracts"'

# One order by its client id, then all others at once
canceled=$(write DELETE /order '{"client_id": "grid-1"}')
check "$canceled" '.status == "CANCELED"'
others=$(write POST /cancel-all '{"scope": "all"}')
check "$others" '.data.canceled == 2'
echo "canceled: order $(value "$canceled" .order_id) and $(value "$others" .data.canceled) others"
left=$(get "/orders?wallet=$wallet&status=open")
check "$left" '.data == []'
