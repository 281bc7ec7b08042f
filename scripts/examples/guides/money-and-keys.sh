#!/bin/sh
# Money and keys: the faucet, an agent, an API wallet, a withdrawal, and what each key may not do.
#
# Start a venue with `npm start`, then run `sh money-and-keys.sh [URL]`; venue.sh names the packages it needs.
cd "$(dirname "$0")" && . ./venue.sh

grant=$(send POST /faucet "{\"wallet\": \"$wallet\"}")
echo "wallet $wallet has $(value "$grant" .amount) USD"
symbol=$(get '/options-summary?currency=BTC' | jq -r '.result[0].instrument_name')
terms="{\"wallet\": \"$wallet\", \"symbol\": \"$symbol\", \"side\": \"Buy\", \"size\": \"0.01\", \"price\": \"1\",
  \"tif\": \"gtc\", \"route\": \"book_only\"}"
account="\"account\": \"$wallet\""
withdrawal="{\"wallet\": \"$wallet\", $account, \"destination\": \"$wallet\", \"amount\": \"25\"}"

# Other keys of the same wallet. `as KEY COMMAND...` signs with one of them.
agent=$(python3 signer.py key)
robot=$(python3 signer.py key)
as() { (STRIKEBOOK_KEY=$1 && shift && "$@"); }
address() { as "$1" python3 signer.py address; }

# An agent is a key that trades for the wallet. Its actions name the wallet, and it signs them.
check "$(write POST /approve-agent "{\"agent\": \"$(address "$agent")\"}")" .success
order=$(as "$agent" write POST /order "$terms")
check "$order" '.order_id != null'
id=$(value "$order" .order_id)
check "$(as "$agent" write DELETE /order "{\"wallet\": \"$wallet\", \"order_id\": $id}")" '.status == "CANCELED"'
echo "agent $(address "$agent") placed and canceled order $id"
failed=$(as "$agent" write POST /withdraw/usdc "$withdrawal") # only the owner moves money
check "$failed" '.code == "unauthorized"'
echo "agent withdraws: $(value "$failed" .code)"

# An API wallet is a key that signs only directives, such as orders of perps, under one of eight names.
name=0x$(printf %-64s "$(printf robot | od -An -tx1 | tr -d ' ')" | tr ' ' 0)
update="{\"action\": {\"name\": \"$name\", \"addr\": \"$(address "$robot")\"}}"
check "$(write POST /v1/actions/hc_update_api_wallet "$update")" '.stage == "submitted"'
asset=$(get /exchange-info | jq '.perps[0].asset')
placed=$(as "$robot" write POST /v1/actions/hl_limit_order "{$account, \"action\": {\"asset\": $asset,
  \"isBuy\": true, \"limitPx\": 100000000, \"sz\": 1000000, \"reduceOnly\": false, \"encodedTif\": 2, \"cloid\": 1}}")
check "$placed" '.stage == "submitted"' # price and size are times 1e8
id=$(value "$placed" .orderId)
cancel="{$account, \"action\": {\"asset\": $asset, \"oid\": $id}}"
check "$(as "$robot" write POST /v1/actions/hl_cancel_by_oid "$cancel")" '.stage == "submitted"'
echo "API wallet $(address "$robot") placed and canceled order $id of a perp"

# Revoking all agents also ends the API wallets. Working orders of a revoked key stay.
check "$(write DELETE /revoke-all-agents '{}')" .success
check "$(get "/authorized-agents?wallet=$wallet")" '.agents == [] and .api_wallets == []'
failed=$(as "$agent" write POST /order "$terms")
check "$failed" '.code == "unauthorized"'
echo "revoked: the agent places an order: $(value "$failed" .code)"

# A withdrawal debits the wallet at once. Its delivery ends in a final status.
sent=$(write POST /withdraw/usdc "$withdrawal")
check "$sent" .success
until status=$(get "/v1/directives/$(value "$sent" .directive_id)") &&
  value "$status" .delivery_status | grep -qE 'finalized|core_rejected|reverted|expired|dead_lettered'; do
  sleep 0.2
done
check "$status" '.delivery_status == "finalized"'
echo "withdrawal of 25: finalized, $(value "$sent" .balance_after) USD are left"
