#!/bin/sh
# Margin: what an order would need, what a short position needs, and the same under portfolio margin.
#
# Start a venue with `npm start`, then run `sh margin.sh [URL]`; venue.sh names the packages it needs.
cd "$(dirname "$0")" && . ./venue.sh

send POST /faucet "{\"wallet\": \"$wallet\"}" >/dev/null
echo "wallet $wallet"

# MOMENT: prints the figures of the portfolio. All amounts are decimal text in USD.
show() {
  portfolio=$(get "/portfolio?wallet=$wallet" | jq -c .data)
  value "$portfolio" "\"$1: equity \(.equity), margin \(.total_margin_used), available \(.available_balance)\""
}
# ORDER: judges it as if it rested. Nothing is signed or placed.
simulate() { send POST /risk/simulate/orders "{\"wallet\": \"$wallet\", \"orders\": [$1]}" | jq -c .data; }

show before

# The call with a bid whose delta is closest to a third
call=$(get '/options-summary?currency=BTC' | jq -c '.result
  | map(select(.bid_price > 0 and (.instrument_name | endswith("-C")))) | min_by(.greeks.delta - 0.33 | fabs)')
[ "$call" != null ] || fail 'nobody bids for a call: try again in a moment, on the market of `npm start`'
price=$(value "$call" .bid_price | awk '{ printf "%.5g", $1 * 0.9 }')
symbol=$(value "$call" .instrument_name)
# SIZE [MORE]: the terms of a sale
sale() { echo "{\"symbol\": \"$symbol\", \"side\": \"Sell\", \"size\": \"$1\", \"price\": \"$price\" ${2:-}}"; }

# What the sale would need, and what a sale of 100 contracts would
small=$(simulate "$(sale 0.1)")
check "$small" .admissible
value "$small" '"preview: the sale adds \(.incremental_im) of initial margin"'
large=$(simulate "$(sale 100)")
check "$large" '.admissible | not'
value "$large" '"preview: a sale of 100 is rejected, because it adds \(.incremental_im)"'

sold=$(write POST /order "$(sale 0.1 ', "tif": "ioc", "route": "book_only"')")
check "$sold" '.status == "FILLED"'
show 'after the sale'
standard=$(value "$portfolio" .total_margin_used)
check "$portfolio" '(.total_margin_used | tonumber) > 0'

# Portfolio margin is the largest weighted loss over scenarios of index and volatility, at least a minimum.
changed=$(write POST /margin-mode '{"margin_mode": "portfolio"}')
check "$changed" '.data.margin_mode == "portfolio"'
value "$changed" '.data | "margin mode: \(.margin_mode) instead of \(.previous_mode)"'
show 'portfolio margin'
check "$portfolio" ".total_margin_used != \"$standard\""
get "/risk/grid?wallet=$wallet" | jq -r '.data.underlyings[0].scenarios
  | min_by((.total_pnl | tonumber) * (.pnl_weight | tonumber))
  | "worst scenario: index \(.spot_shock_pct | tonumber * 100) %, profit \(.total_pnl)"'

# A mode change fails if the account would not meet its initial margin.
restored=$(write POST /margin-mode '{"margin_mode": "standard"}')
check "$restored" '.data.margin_mode == "standard"'
