#!/bin/sh
# Quoting: two-sided quotes under market-maker protection, then a request for quote as its taker.
#
# Start a venue with `npm start`, then run `sh quoting.sh [URL]`; venue.sh names the packages it needs. A quote provider
# answers requests over a WebSocket: quoting.py and quoting.ts show that.
cd "$(dirname "$0")" && . ./venue.sh

send POST /faucet "{\"wallet\": \"$wallet\"}" >/dev/null
echo "wallet $wallet"

# The two calls of the last expiry whose delta is closest to 0.4
calls=$(get '/options-summary?currency=ETH' | jq -c '.result
  | (map(.expiration_timestamp) | max) as $last
  | map(select(.expiration_timestamp == $last and (.instrument_name | endswith("-C"))))
  | sort_by(.greeks.delta - 0.4 | fabs) | .[:2]')
check "$calls" 'all(.mark_price > 0)'

# Protection: 5 contracts within 5 seconds cancel all quotes of the underlying, and reject new ones for 10 seconds.
protection=$(write POST /mmp-config \
  '{"currency": "ETH", "interval_ms": 5000, "frozen_time_ms": 10000, "qty_limit": "5"}')
check "$protection" .data.enabled

# WIDTH: a bid and an ask for each call. The width is a share of the mark.
quotes() {
  value "$calls" "map(. as \$row | [\"Buy\", 1 - $1], [\"Sell\", 1 + $1] | {
    symbol: \$row.instrument_name, side: .[0], size: \"0.1\", tif: \"gtc\", mmp_enabled: true,
    price: (\$row.mark_price * .[1] * 10 | round / 10 | tostring)})"
}

# One bulk places all quotes, one moves them, one cancels them. They are wide here, so that nobody trades with them.
placed=$(write POST /bulk_order "$(quotes 0.2)")
check "$placed" 'all(.success)'
moves=$(printf '%s %s' "$(quotes 0.25)" "$placed" |
  jq -sc '[.[0], .[1]] | transpose | map(.[0] + {order_id: .[1].data.order_id})')
moved=$(write PUT /bulk_order "$moves")
check "$moved" 'all(.success)'
get "/mmp-config?wallet=$wallet&currency=ETH" | jq -r '.data[0]
  | "quotes: \(.window.qty) of \(.qty_limit) contracts filled, frozen: \(.frozen)"'
canceled=$(write DELETE /bulk_order "$(value "$moved" 'map({order_id: .data.order_id})')")
check "$canceled" 'all(.success)'

# A request for a call spread: both legs or none. The id is a UUID that works once.
id=$(cat /proc/sys/kernel/random/uuid)
legs=$(value "$calls" '[{instrument: .[0].instrument_name, side: "Buy", size: "0.1"},
  {instrument: .[1].instrument_name, side: "Sell", size: "0.1"}]')
request=$(write POST /rfq/request "{\"rfq_id\": \"$id\", \"legs\": $legs}")
check "$request" '.status | IN("created", "sent_to_qps", "quotes_received")'

# Providers answer within seconds. The best quote comes first.
until rfq=$(get "/rfq/$id?wallet=$wallet") && [ "$(value "$rfq" '.quotes | length')" != 0 ]; do
  check "$rfq" '.status | IN("created", "sent_to_qps")'
  sleep 0.2
done

# The signature covers the net premium of the quote, which the body leaves out.
quote=$(value "$rfq" '.quotes[0].quote_id')
premium=$(value "$rfq" '.quotes[0] | {net_premium}')
accepted=$(write POST /rfq/accept "{\"rfq_id\": \"$id\", \"quote_id\": \"$quote\"}" "$premium")
check "$accepted" '.status == "executed"'
echo "request for quote: executed at $(value "$premium" .net_premium) USD"
get "/fills?wallet=$wallet" | jq -r '.data[] | "taker: \(.side) \(.size) \(.symbol) at \(.price)"'
