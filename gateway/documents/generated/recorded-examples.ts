// Written by `npm run record-examples`: what end-to-end tests were told, with one row of each list.
import type { RecordedExamples } from '../examples.js'

export const recordedExamples: RecordedExamples = {
  answers: {
    "DELETE /bulk_order": {
      "answered": {"results":[{"index":0,"success":false,"data":{"timestamp":1795486305836,"info":{"symbol":"","price":"0","size":"0","side":"Buy","tif":"gtc","client_id":null,"underlying":null,"builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":null,"signature":null},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":63},"error":"Order 4096 not found","code":"order_not_found"}]},
    },
    "DELETE /bulk_order_cloid": {
      "answered": {"results":[{"index":0,"success":true,"data":{"timestamp":1795486305892,"info":{"symbol":"BTC-20301227-100000-C","price":"1250","size":"0.5","side":"Buy","tif":"gtc","client_id":"first-1","underlying":"BTC","builder_code_address":null,"order_id":2048,"is_perp":false,"mmp_enabled":false,"reduce_only":false,"nonce":null,"signature":null},"status":"CANCELED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":2048,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":65}}]},
    },
    "DELETE /mmp-config": {
      "answered": {"success":true,"data":"deleted","error":null,"as_of_seq":30},
    },
    "DELETE /order": {
      "rejected": {"timestamp":1795486303236,"info":{"symbol":"","price":"0","size":"0","side":"Buy","tif":"gtc","client_id":null,"underlying":null,"builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":null,"signature":null},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":48,"success":false,"data":{"timestamp":1795486303236,"info":{"symbol":"","price":"0","size":"0","side":"Buy","tif":"gtc","client_id":null,"underlying":null,"builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":null,"signature":null},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":48},"error":"Order 4096 not found"},
    },
    "DELETE /order_cloid": {
      "answered": {"success":true,"data":{"timestamp":1795486304296,"info":{"symbol":"BTC-20301227-100000-C","price":"1250","size":"0.5","side":"Buy","tif":"gtc","client_id":"first-1","underlying":"BTC","builder_code_address":null,"order_id":1024,"is_perp":false,"mmp_enabled":false,"reduce_only":false,"nonce":null,"signature":null},"status":"CANCELED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":1024,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":51},"error":null},
    },
    "DELETE /revoke-agent": {
      "answered": {"success":true,"error":null,"wallet":"0x0123456789abcdef0123456789abcdef01234567","seq":100},
    },
    "DELETE /revoke-all-agents": {
      "answered": {"success":true,"error":null,"wallet":"0x0123456789abcdef0123456789abcdef01234567","seq":101},
    },
    "GET /": {
      "answered": {"name":"Strikebook","about":"An options exchange: signed orders (EIP-712) over HTTP and WebSocket, one sequence of events.","preset":"development","version":"0.5.0","documents":["/docs","/openapi.json"],"health":["/health","/version"],"market":[{"path":"/trades","required":[],"optional":["after_trade_id","limit"]}],"account":[{"path":"/leaderboard","required":[],"optional":["competition_id","sort_by"]}],"streams":{"clients":"/ws","quote_providers":"/ws/quotes"},"signing":{"enabled":true,"domain":{"name":"Strikebook","version":"1","chainId":31337,"verifyingContract":"0x0000000000000000000000000000000000000000"},"perp_source":"Strikebook/31337","endpoints":["POST /order","PUT /order"]},"funds":{"from":"faucet","how":"POST /faucet with {\"wallet\": \"0x...\"} opens an account with paper money: curl -d '{\"wallet\":\"0x...\"}' <this url>/faucet"}},
    },
    "GET /actions/outcome": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","digest":"0x0000000000000000000000000000000000000000000000000000000000000007","status":"unknown","action":null,"nonce":null,"timestamp":null,"seq":null,"outcome":null,"kept":{"count":0,"max":1000,"oldest_ms":null,"is_complete":true}},"error":null,"as_of_seq":22},
    },
    "GET /authorized-agents": {
      "answered": {"agents":[],"api_wallets":[],"as_of_seq":17},
    },
    "GET /competition-metric-ranks": {
      "answered": {"success":true,"data":{"competition_id":null,"wallet":"0x0123456789abcdef0123456789abcdef01234567","participants":0,"ranks":{"pnl":{"rank":null,"value":"0"},"volume":{"rank":null,"value":"0"},"efficiency":{"rank":null,"value":"0"}}},"as_of_seq":20},
    },
    "GET /competition/leaderboard": {
      "answered": {"success":true,"data":[],"pagination":{"limit":50,"offset":0,"count":0},"competition_id":null,"sort_by":"pnl","sort_order":"desc","connected_user":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","username":"0x0123...4567","rank":null,"pnl":null,"volume":null,"efficiency":null,"medal":null},"as_of_seq":20},
    },
    "GET /competition/summary": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","lifetime_realized_pnl":"0","active_competition":null},"as_of_seq":20},
    },
    "GET /competitions": {
      "answered": {"success":true,"data":[],"pagination":{"limit":50,"offset":0,"count":0},"as_of_seq":20},
    },
    "GET /exchange-info": {
      "answered": {"exchange_address":"0x0000000000000000000000000000000000000000","chain_id":31337,"signing_domain":{"name":"Strikebook","version":"1"},"hl_builder_address":null,"deposit_router_address":null,"portfolio_margin_deposits_enabled":false,"preset":"development","perp_source":"Strikebook/31337","perps":[],"push_public_key":"BNNU4PU6ZRGggj1dIFrjkIxjJolOZnusAopmEXUBGZh194C93_SIMjjbcR_viVWK7fa9jZi7AGtGqRE_RHdMtZk","max_bulk_items":50,"max_rfq_legs":10,"as_of_seq":21},
    },
    "GET /fees": {
      "answered": {"enabled":false,"options":{"maker_rate":"0","taker_rate":"0","price_cap":"0.125"},"perps":{"maker_rate":"0","taker_rate":"0"},"settlement":{"rate":"0","payoff_cap":"0.125"},"liquidation":{"rate":"0"},"builder":{"share":"0"},"applied":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","tier":"default","options":{"maker_rate":"0","taker_rate":"0","price_cap":"0.125"},"perps":{"maker_rate":"0","taker_rate":"0"},"settlement":{"rate":"0","payoff_cap":"0.125"},"liquidation":{"rate":"0"}},"as_of_seq":20},
    },
    "GET /fills": {
      "answered": {"success":true,"data":[],"pagination":{"limit":50,"offset":0,"count":0},"as_of_seq":20},
    },
    "GET /health": {
      "answered": {"status":"ok"},
    },
    "GET /historical-pnl": {
      "answered": {"success":true,"data":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","interval":"1h","points":[]},"error":null,"as_of_seq":21},
    },
    "GET /historical-theos": {
      "answered": {"success":true,"data":{"instrument_name":"BTC-20301227-100000-C","interval":"1h","points":[]},"error":null,"as_of_seq":21},
    },
    "GET /historical-theos/batch": {
      "answered": {"success":true,"data":{"BTC-20301227-100000-C":{"instrument_name":"BTC-20301227-100000-C","interval":"1h","points":[]}},"error":null,"as_of_seq":21},
    },
    "GET /instrument-specs": {
      "answered": {"jsonrpc":"2.0","result":[{"instrument_id":"BTC-20301227-100000-C","instrument_numeric_id":1,"exchange_symbol":"BTC-20301227-100000-C","sym":"BTC-USD","exchange":"STRIKEBOOK","delivery":"CASH","settle_asset":"USDC","base_asset":"BTC","quote_asset":"USD","contract_size":1,"min_trade_size":1e-8,"tick_size":0.000001,"price_decimals":6,"size_decimals":8,"min_price_increment_bands":[{"above_price":0.1,"tick_size":0.00001}],"state":"OPEN","is_tradable":true,"listed_time_ns":1795486280888000000,"event_ts_ns":1795486280888000000,"position_limit":null,"option_token_address":null,"settlement_oracle":null,"condition_id":null,"underlying_resolution_source":null,"instrument_kind":"OPTION","option_kind":"C","strike":"100000","expiry_ns":1924588800000000000,"settlement_hour_utc":8,"settlement_time_utc":"08:00","maker_fee_bps":0,"taker_fee_bps":0,"initial_margin_fraction":0.1,"maintenance_margin_fraction":0.075}],"testnet":true,"usIn":1795486286480000,"usOut":1795486286482000,"usDiff":2000,"as_of_seq":12},
    },
    "GET /instruments": {
      "answered": {"jsonrpc":"2.0","result":[{"instrument_name":"BTC-20261224-110000-C","instrument_id":1,"kind":"option","instrument_type":"linear","option_type":"call","price_index":"btc_usd","settlement_period":"day","settlement_currency":"USDC","base_currency":"BTC","counter_currency":"USD","quote_currency":"USD","expiration_timestamp":1798099200000,"creation_timestamp":1795486260986,"option_token_address":null,"rfq":true,"orderbook":true,"is_active":true,"strike":110000,"contract_size":1,"tick_size":0.000001,"tick_size_steps":[{"above_price":0.1,"tick_size":0.00001}],"min_trade_amount":1e-8,"maker_commission":0,"taker_commission":0,"block_trade_commission":0,"block_trade_min_trade_amount":1e-8,"block_trade_tick_size":0.000001}],"testnet":true,"usIn":1795486288501000,"usOut":1795486288505000,"usDiff":4000,"as_of_seq":45},
    },
    "GET /leaderboard": {
      "answered": {"success":true,"data":[],"pagination":{"limit":50,"offset":0,"count":0},"competition_id":null,"sort_by":"pnl","sort_order":"desc","connected_user":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","username":"0x0123...4567","rank":null,"pnl":null,"volume":null,"efficiency":null,"medal":null},"as_of_seq":20},
    },
    "GET /liquidation/history": {
      "answered": {"success":true,"data":[],"pagination":{"limit":50,"offset":0,"count":0},"error":null,"as_of_seq":21},
    },
    "GET /liquidation/status": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","state":"healthy","timers_stand":false,"liquidation_mode":null,"margin_mode":"standard","equity":"0","mm_required":"0","maintenance_margin":"0","shortfall":"0","partial_liquidation":null,"full_liquidation":null},"error":null,"as_of_seq":19},
    },
    "GET /liquidations": {
      "answered": {"success":true,"data":[],"page":{"limit":50,"next_cursor":null,"has_more":false},"error":null,"as_of_seq":21},
    },
    "GET /markets": {
      "answered": {"success":true,"data":[{"underlying":"BTC","expiry":1798099200,"index_price":"100000","atm_vol":"0.6017302238929004","instruments":[{"instrument_id":2,"id":"BTC-20261224-95000.5-P","underlying":"BTC","strike":"95000.5","expiry":1798099200,"option_type":"put","option_token_address":null,"mark_iv":"0.610061204486621","volume_24h":"0","open_interest":"0","prev_day_px":null,"updated_at":"2026-11-24T02:11:32.684Z","status":"ACTIVE","trading_mode":"orderbook|rfq"}],"total_volume_24h":"100000","total_open_interest":"1","prev_day_px":null,"prev_day_price":null}],"as_of_seq":87},
    },
    "GET /mmp-config": {
      "answered": {"success":true,"data":[],"error":null,"as_of_seq":19},
    },
    "GET /options-summary": {
      "answered": {"jsonrpc":"2.0","result":[{"instrument_id":1,"instrument_name":"BTC-20261224-110000-C","underlying_index":"BTC_USD","base_currency":"BTC","quote_currency":"USD","option_token_address":null,"expiration_timestamp":1798099200000,"creation_timestamp":1795486263277,"last":null,"high":null,"low":null,"price_change":null,"volume":0,"volume_usd":0,"open_interest":0,"underlying_price":100000,"estimated_delivery_price":100000,"interest_rate":0,"mark_price":2898.369729,"theoretical_price":2898.369729,"mark_iv":0.5611054236676926,"greeks":{"delta":0.30525085257098655,"gamma":0.000021695436546618263,"vega":100.8629673429538,"theta":-93.56953395796782,"rho":22.89012354331281},"bid_price":0,"ask_price":0,"mid_price":0,"indicative_bid_price":500,"indicative_ask_price":499.9,"indicative_bid_size":2,"indicative_ask_size":3.5,"rfq_provider_quotes":[{"wallet":"0x0123456789abcdef0123456789abcdef01234567","bid_price":"500.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001","ask_price":"499.90","max_bid_size":"2","max_ask_size":"2","updated_at":1795486278841}]}],"testnet":true,"usIn":1795486284425000,"usOut":1795486284426000,"usDiff":1000,"as_of_seq":66},
    },
    "GET /orderbook": {
      "answered": {"jsonrpc":"2.0","result":{"instrument_name":"BTC-20301227-100000-C","timestamp":1795486287648,"state":"open","change_id":0,"bids":[],"asks":[],"best_bid_price":0,"best_ask_price":0,"best_bid_amount":0,"best_ask_amount":0,"last_price":null,"mark_price":0,"index_price":100000,"underlying_price":100000,"underlying_index":"BTC_USD","settlement_price":0,"min_price":0.000001,"max_price":1000000000,"open_interest":0,"interest_rate":0,"estimated_delivery_price":100000,"option_token_address":null,"stats":{"high":null,"low":null,"price_change":null,"volume":0,"volume_usd":0}},"testnet":true,"usIn":1795486288241000,"usOut":1795486288241000,"usDiff":0,"as_of_seq":14},
    },
    "GET /orders": {
      "answered": {"success":true,"data":[],"pagination":{"limit":50,"offset":0,"count":0},"as_of_seq":20},
    },
    "GET /orders/status": {
      "answered": {"success":true,"data":null,"as_of_seq":20},
    },
    "GET /portfolio": {
      "answered": {"success":true,"data":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","positions":[],"equity":"0","total_margin_used":"0","available_balance":"0","withdrawable_usdc":"0","scanning_risk":"0","option_floor":"0","gamma_overlay":"0","margin_mode":"standard","portfolio_snapshot_timestamp_ms":1795486287989,"span_margin":{"equity":"0","initial_margin_required":"0","maintenance_margin_required":"0","open_orders_initial_margin":"0","option_margin_required":"0","scanning_risk":"0","option_floor":"0","gamma_overlay":"0","hypercore_margin_required":"0"},"margin_summary":{"mode":"standard","equity":"0","position_im":"0","open_orders_im":"0","initial_margin":"0","maintenance_margin":"0","open_orders_premium_reserved":"0"}},"error":null,"as_of_seq":39},
    },
    "GET /profile": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","account_wallet":"0x0123456789abcdef0123456789abcdef01234567","username":"0x0123...4567","account_first_seen_ts_ms":null,"account_age_days":null,"margin":{"in_use":"0","available":"0","total":"0","deposits":"0","withdraws":"0"},"pnl":{"unrealized":"0","pnl_24h":"0","lifetime_realized":"0"}},"error":null,"as_of_seq":18},
    },
    "GET /profile/historical-pnl": {
      "answered": {"success":true,"data":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","interval":"1h","points":[]},"error":null,"as_of_seq":20},
    },
    "GET /profile/realized-pnl": {
      "answered": {"success":true,"data":[],"error":null,"as_of_seq":19},
    },
    "GET /profile/trades": {
      "answered": {"success":true,"data":[],"pagination":{"limit":50,"offset":0,"count":0},"as_of_seq":20},
    },
    "GET /rate-limits": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","tier":"default","windows":[{"category":"OrderPlacement","limit":60,"remaining":60,"reset":1795486320}],"reads":{"category":"ApiRequest","limit":600,"remaining":498,"reset":1795486320}},"error":null,"as_of_seq":22},
    },
    "GET /ready": {
      "answered": {"status":"ready","components":[{"name":"engine","ready":true}]},
    },
    "GET /referrals/binding": {
      "answered": {"referred_wallet":"0x0123456789abcdef0123456789abcdef01234567","referrer_wallet":null,"as_of_seq":21},
    },
    "GET /referrals/code": {
      "answered": null,
    },
    "GET /referrals/referred": {
      "answered": {"referrer_wallet":"0x0123456789abcdef0123456789abcdef01234567","data":[],"pagination":{"limit":50,"offset":0,"count":0},"as_of_seq":21},
    },
    "GET /rfq": {
      "answered": {"rfqs":[],"as_of_seq":21},
    },
    "GET /risk/grid": {
      "answered": {"success":true,"data":{"model":"standard","parameters":{"im_factor":1,"mm_factor":0.8,"short_minimum_im":0.1,"short_minimum_mm":0.075,"vol_floor":0.01,"z_clip":3,"mm_ratio":0.8,"option_floor_factor":0.015,"gamma_overlay_factor":0.01,"overlay_hours":48,"floor_netting":"instrument","perp_initial_fraction":0.1,"perp_maintenance_fraction":0.05},"equity":"0","position_initial_margin":"0","position_maintenance_margin":"0","open_orders_initial_margin":"0","total_initial_margin":"0","scanning_risk":"0","option_floor":"0","gamma_overlay":"0","underlyings":[{"underlying":"BTC","scenarios":[{"id":"SP1","kind":"SpotChange","spot_shock_pct":"-0.4","vol_shock_pct":"0","skew_shock":"0","kurtosis_shock":"0","pnl_weight":"0.35","is_tail":false,"total_pnl":"0"}],"extended_risk_matrix":{"scenarios":[{"id":"SP1","kind":"SpotChange","spot_shock_pct":"-0.4","vol_shock_pct":"0","skew_shock":"0","kurtosis_shock":"0","pnl_weight":"0.35","is_tail":false}],"instruments":[],"total_pnls":["0","0"],"worst_scenario_index":0,"worst_scenario_pnl":"0"}}]},"error":null,"as_of_seq":19},
    },
    "GET /self-trade-prevention": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","mode":"cancel_taker"},"error":null,"as_of_seq":19},
    },
    "GET /settlement-payouts": {
      "answered": {"success":true,"data":[],"pagination":{"limit":50,"offset":0,"count":0},"as_of_seq":21},
    },
    "GET /trades": {
      "answered": {"success":true,"data":[],"pagination":{"limit":100,"offset":0,"count":0},"as_of_seq":21},
    },
    "GET /user-tier": {
      "answered": {"success":true,"data":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","tier":"default","limits":{"max_open_orders":100,"max_open_positions":50,"orders_per_minute":60,"cancels_per_minute":120,"api_requests_per_minute":600}},"error":null,"as_of_seq":17},
    },
    "GET /v1/transfers": {
      "answered": {"success":true,"data":[],"page":{"limit":50,"next_cursor":null,"has_more":false},"error":null,"as_of_seq":21},
    },
    "GET /v1/withdrawals": {
      "answered": {"withdrawals":[],"as_of_seq":21},
    },
    "GET /version": {
      "answered": {"version":"0.5.0","commit":"unknown","ref":"unknown","build_time":"2026-11-24T02:10:32.020Z","signing_chain_id":31337},
    },
    "POST /approve-agent": {
      "answered": {"success":true,"error":null,"wallet":"0x0123456789abcdef0123456789abcdef01234567","seq":127},
    },
    "POST /bulk_order": {
      "answered": {"results":[{"index":0,"success":true,"data":{"timestamp":1795486305115,"info":{"symbol":"BTC-20301227-100000-C","price":"1250","size":"0.5","side":"Buy","tif":"gtc","client_id":"first-1","underlying":"BTC","builder_code_address":null,"order_id":2048,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1013,"signature":"0xd06dad808b8733758260e6ef7f32a8dd064e95f9cbe52efe069bbab986163db65b29c72e8578cb86a75d4e488f2a943d2e29c35571c4c31fa1ce0edc92e765dd1c"},"status":"ACKED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":2048,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":59}}]},
    },
    "POST /cancel-all": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","scope":"all","canceled":0},"error":null,"as_of_seq":92},
    },
    "POST /dead-man": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","timeout_ms":60000,"fires_at":1795486368716},"error":null,"as_of_seq":93},
    },
    "POST /faucet": {
      "answered": {"wallet":"0x0123456789abcdef0123456789abcdef01234567","amount":"100000","seq":40},
    },
    "POST /margin-mode": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","margin_mode":"portfolio","previous_mode":"standard"},"error":null,"as_of_seq":91},
    },
    "POST /mmp-config": {
      "answered": {"success":true,"data":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","currency":"BTC","interval_ms":1000,"frozen_time_ms":5000,"qty_limit":"10","delta_limit":null,"vega_limit":null,"enabled":true,"nonce":1003,"frozen":false,"frozen_until_ms":null,"window":{"qty":"0","delta":"0","vega":"0"}},"error":null,"as_of_seq":28},
    },
    "POST /order": {
      "answered": {"timestamp":1795486285036,"info":{"symbol":"BTC-20261224-90000-P","price":"20","size":"3","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":1024,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1001,"signature":"0xce82d0ccface6a18505c4ab25fb53faa50b452c35b6e8accba81e449df6f87d10728e864b02f18f86872d3049238ff6c607bfaa9df9c800a9867fab23422c0791b"},"status":"ACKED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":1024,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":82},
      "duplicate_client_id": {"timestamp":1795486301095,"info":{"symbol":"BTC-20301227-100000-C","price":"1250","size":"0.5","side":"Buy","tif":"gtc","client_id":"first-1","underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1007,"signature":"0xb1279ce3d9aed7166f75769db130bd3519332641c0de4902198d237446daee6d445088b2523b0c32b8154ac5f0676f43382bf74135cd811bb2fc59d7d39394f91c"},"status":"REJECTED","reason":"Duplicate client id: first-1","reason_code":"duplicate_client_id","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":42},
      "trading_halted": {"timestamp":1795486294338,"info":{"symbol":"BTC-20261224-110000-C","price":"100","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1001,"signature":"0xb11f27885e797a43781653d15517d1b4b49df6af8a99a7b40b1d22ff040193522d48d32a1d33c68401c83195f34cb6c749cbf0419c1e6d744d66cdda3574b8301b"},"status":"REJECTED","reason":"Trading is halted for BTC","reason_code":"trading_halted","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":104},
    },
    "POST /order/debug": {
      "answered": {"layout":"PlaceOrder with route","fields":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","symbol":"BTC-20301227-100000-C","side":"Buy","size":"0.5","price":"1250","tif":"gtc","route":"book_only","clientId":"first-1","nonce":"1010"},"digest":"0xbb866975efe3967a17ef890451d855f6e564687a2da1a3379fa54740f1bea116","recovered_address":"0x0123456789abcdef0123456789abcdef01234567","domain":{"name":"Strikebook","version":"1","chain_id":"31337"},"is_wallet":true,"matches_other_layout":null},
    },
    "POST /orders": {
      "answered": {"results":[{"index":0,"success":true,"data":{"timestamp":1795486298712,"info":{"symbol":"BTC-20301227-100000-C","price":"1250","size":"0.5","side":"Buy","tif":"gtc","client_id":"first-1","underlying":"BTC","builder_code_address":null,"order_id":1024,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1005,"signature":"0x6eccbd1f659ce7af12181043a9cb34860b84e4e9ec11e72063ee749db8bbfdd37760bbbd7cbcb1fb63386a4f2c99b5e780174fe00c7cfe5f398146b13af562b41c"},"status":"ACKED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":1024,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":33}}]},
    },
    "POST /orders/cancel": {
      "answered": {"results":[{"index":0,"success":false,"data":{"timestamp":1795486306018,"info":{"symbol":"","price":"0","size":"0","side":"Buy","tif":"gtc","client_id":null,"underlying":null,"builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":null,"signature":null},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":69},"error":"Order 4096 not found","code":"order_not_found"}]},
    },
    "POST /perp-order": {
      "rejected": {"timestamp":1795486304681,"info":{"symbol":"","price":"100000","size":"0.01","side":"Buy","tif":"gtc","client_id":"0x00000000000000000000000000000007","underlying":null,"builder_code_address":null,"order_id":null,"is_perp":true,"mmp_enabled":false,"reduce_only":false,"nonce":1012,"signature":"0x8f594050ca7b141aef19c3e44889642fd6ef316965fdc006872e66fe6e45eb4348c0d4d1151689327751b269909983be7e2b1222781ee011e3b05f8a4444d25b1b"},"status":"REJECTED","reason":"Perp order missing underlying symbol","reason_code":"perp_missing_underlying","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":54},
    },
    "POST /push/preferences": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","preferences":{"fills":true,"liquidations":false,"settlements":true}},"error":null,"as_of_seq":112},
    },
    "POST /push/subscribe": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","endpoint":"https://fcm.googleapis.com/fcm/send/example","preferences":{"fills":true,"liquidations":true,"settlements":true}},"error":null,"as_of_seq":108},
    },
    "POST /push/unsubscribe": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","removed":1},"error":null,"as_of_seq":110},
    },
    "POST /referrals/code": {
      "answered": {"code":"DESK-1","owner_wallet":"0x0123456789abcdef0123456789abcdef01234567","created_at":"2026-11-24T02:11:39.827Z","as_of_seq":38},
    },
    "POST /rfq/request": {
      "answered": {"rfq_id":"6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001","status":"no_quotes","underlying":"BTC","legs":[{"instrument":"BTC-20301227-100000-C","side":"Buy","size":"1"}],"quotes":[],"created_at":1795486306245,"expires_at":1795486336245,"seq":73},
    },
    "POST /risk/simulate/orders": {
      "answered": {"success":true,"data":{"admissible":true,"rejection_reason":null,"required":"625","equity":"100000","consumed_im":"0","incremental_im":"625","consumed_mm":"0","incremental_mm":"0","scenario":null},"error":null,"as_of_seq":30},
    },
    "POST /self-trade-prevention": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","mode":"cancel_maker"},"error":null,"as_of_seq":25},
    },
    "POST /settlement-payouts/seen": {
      "answered": {"success":true,"requested":2,"affected":0,"error":null,"seq":105},
    },
    "POST /submitUsernameRequest": {
      "answered": {"success":true,"data":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","requested_username":"ann","status":"pending"},"error":null,"as_of_seq":12},
    },
    "POST /v1/actions/hc_update_api_wallet": {
      "answered": {"stage":"submitted","directiveId":"e8cfc9a8-37af-8504-a1a6-b5fdf149caa0","actionKey":"hc_update_api_wallet","account":"0x0123456789abcdef0123456789abcdef01234567","nonce":1024,"recoveredSigner":"0x0123456789abcdef0123456789abcdef01234567","txHash":null,"rejection":null,"fills":null,"seq":89},
    },
    "POST /v1/actions/hl_cancel_by_cloid": {
      "answered": {"stage":"rejected","directiveId":"7ad73a51-9876-81b6-bcfc-1f1d875c4952","actionKey":"hl_cancel_by_cloid","account":"0x0123456789abcdef0123456789abcdef01234567","nonce":1022,"recoveredSigner":"0x0123456789abcdef0123456789abcdef01234567","txHash":null,"rejection":{"code":"perp_missing_underlying","message":"Perp order missing underlying symbol"},"fills":null,"seq":82},
    },
    "POST /v1/actions/hl_cancel_by_oid": {
      "answered": {"stage":"rejected","directiveId":"5ccf2b67-b28e-8d70-9bd6-25cd2251e26a","actionKey":"hl_cancel_by_oid","account":"0x0123456789abcdef0123456789abcdef01234567","nonce":1021,"recoveredSigner":"0x0123456789abcdef0123456789abcdef01234567","txHash":null,"rejection":{"code":"perp_missing_underlying","message":"Perp order missing underlying symbol"},"fills":null,"seq":79},
    },
    "POST /v1/actions/hl_limit_order": {
      "answered": {"stage":"rejected","directiveId":"f4d7a369-0a91-8922-a949-f2c48b109750","actionKey":"hl_limit_order","account":"0x0123456789abcdef0123456789abcdef01234567","nonce":1020,"recoveredSigner":"0x0123456789abcdef0123456789abcdef01234567","txHash":null,"rejection":{"code":"perp_missing_underlying","message":"Perp order missing underlying symbol"},"fills":null,"seq":76},
    },
    "POST /v1/actions/hl_set_abstraction": {
      "answered": {"stage":"submitted","directiveId":"87ab719b-4146-85e8-bdcb-8b2667abe15d","actionKey":"hl_set_abstraction","account":"0x0123456789abcdef0123456789abcdef01234567","nonce":1023,"recoveredSigner":"0x0123456789abcdef0123456789abcdef01234567","txHash":null,"rejection":null,"fills":null,"seq":86},
    },
    "POST /withdraw/usdc": {
      "answered": {"success":true,"request_id":"5753c0fe-6ac4-856a-a7e0-bf9d47b1d574","directive_id":"5753c0fe-6ac4-856a-a7e0-bf9d47b1d574","domain_status":"pending_chain_effect","delivery_status":"pending","balance_after":"199975","message":"USDC withdrawal accepted","seq":116},
    },
    "PUT /bulk_order": {
      "answered": {"results":[{"index":0,"success":false,"data":{"timestamp":1795486305647,"info":{"symbol":"BTC-20301227-100000-C","price":"1240","size":"0.5","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":4096,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1014,"signature":"0xd36b4678477fa1ad7aab55fa99318641cfa5f58f70a4a5901184a757ee94fb8b1c792477d1595681848b7b4d80cdc96508e566970cd249474842259437e82e6c1b"},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":61},"error":"Order 4096 not found","code":"order_not_found"}]},
    },
    "PUT /order": {
      "rejected": {"timestamp":1795486302156,"info":{"symbol":"BTC-20301227-100000-C","price":"1240","size":"0.5","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":4096,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1008,"signature":"0xf8631a083c451f4f9ec345eec4e9990df6e095168dff8d172f2c5a909c672fd976ea891b9e2d74afcd8e7c1580e1c64ec018f310c52fde7bc5cb800e806615de1b"},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":45},
    },
  },
  errors: {
    "Error": {
      "invalid_field": {"code":"invalid_field","message":"Invalid referrer: does not own the code","error":"invalid_field"},
      "not_found": {"code":"not_found","message":"Quote not found","error":"not_found"},
    },
    "ErrorOfData": {
      "conflict": {"success":false,"data":null,"code":"conflict","message":"auction terms are not current","error":"conflict"},
      "not_found": {"success":false,"data":null,"code":"not_found","message":"No MMP config for BTC","error":"not_found"},
      "unauthorized": {"success":false,"data":null,"code":"unauthorized","message":"Signer is not authorized for this wallet","error":"unauthorized","details":{"layout":"SetUserTier","fields":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","tier":"tier2","nonce":"1001"},"digest":"0x4df3629cdadf83b504aeeed83ee3438ad5f62287c8ca2a403f677ac1f07d676e","recovered_address":"0x0123456789abcdef0123456789abcdef01234567","domain":{"name":"Strikebook","version":"1","chain_id":"31337"}}},
    },
    "ErrorOfList": {
      "not_found": {"success":false,"code":"not_found","message":"no competition 1","error":"not_found"},
    },
  },
  messages: {
    "Authenticated": {
      "told": {"type":"Authenticated","wallet":"0x0123456789abcdef0123456789abcdef01234567"},
    },
    "CancelAllResult": {
      "told": {"type":"CancelAllResult","wallet":"0x0123456789abcdef0123456789abcdef01234567","scope":"all","canceled":0,"nonce":1047,"seq":131},
    },
    "CancelOnDisconnectResult": {
      "told": {"type":"CancelOnDisconnectResult","wallet":"0x0123456789abcdef0123456789abcdef01234567","enabled":true,"bound":true,"nonce":1049,"seq":133},
    },
    "ClockSynced": {
      "told": {"type":"ClockSynced","nonce":"now-1","server_at":1795486310370},
    },
    "DeadManResult": {
      "told": {"type":"DeadManResult","wallet":"0x0123456789abcdef0123456789abcdef01234567","timeout_ms":60000,"fires_at":1795486370842,"nonce":1048,"seq":132},
    },
    "Error": {
      "told": {"type":"Error","message":"Signer is not authorized for this wallet","code":"unauthorized","details":{"layout":"SubmitAutoExecuteRfq","fields":{"rfqId":"0x000000000000000000000000000000006f1c3f0e8f0f4d579b1c2a4be2f0a001","legsHash":"0x534cf193a59ef198fd5b16efa558ed6482f69d1c208dd12116d17f1dd43495e0","limitPrice":"500000000","wallet":"0x0123456789abcdef0123456789abcdef01234567","nonce":"1045"},"digest":"0x247a9b80eed09a06303b1299d4be9fe93fe46f5bf14fb7c4f50b852bacc763c4","recovered_address":"0x89abcdef0123456789abcdef0123456789abcdef","domain":{"name":"Strikebook","version":"1","chain_id":"31337"}},"request_type":"SubmitAutoExecuteRfq","rfq_id":"6f1c3f0e-8f0f-4d57-9b1c-2a4be2f0a001","nonce":1045},
    },
    "IndicativeMarketData": {
      "told": {"type":"IndicativeMarketData","instrument":"BTC-20261224-90000-P","best_bid":"1","best_ask":"2","bid_iv":0.11953714287949446,"ask_iv":0.12701648532223708,"indicative_bid_size":"5","indicative_ask_size":"5","num_providers":1,"rfq_provider_quotes":[{"wallet":"0x0123456789abcdef0123456789abcdef01234567","bid_price":"1","ask_price":"2","max_bid_size":"5","max_ask_size":"5","updated_at":1795486287951}],"published_at":1795486288118,"timestamp":1795486287951,"snapshot":true,"as_of_seq":101},
    },
    "OptionsChainUpdate": {
      "told": {"type":"OptionsChainUpdate","action":"Upsert","currency":"BTC","expiry":1798099200,"row":{"strike":90000,"put":{"symbol":"BTC-20261224-90000-P","option_token_address":null,"bid_price_usd":20.25,"bid_iv":0.16430419404283492,"bid_size_contracts":4,"bid_size_usd_notional":400000,"ask_price_usd":900,"ask_iv":0.37619352575416115,"ask_size_contracts":4,"ask_size_usd_notional":400000,"greeks_abs":{"delta":-0.23914857391096014,"gamma":0.000018396978740483402,"theta":-86.5154213318624,"vega":89.3099771762291},"greeks_cash":{"delta_1pct_usd":-239.14857391096015,"gamma_1pct_usd":18.3969787404834,"theta_1d_usd":-86.5154213318624,"vega_1vol_usd":89.3099771762291}}},"timestamp":1795486285864,"seq":84},
    },
    "OrderResult": {
      "told": {"type":"OrderResult","order_id":3072,"status":"ACKED","symbol":"BTC-20301227-100000-C","side":"Buy","price":"1250","size":"0.5","nonce":1040,"client_id":"first-1","filled_size":"0","reason_code":null,"details":null,"mmp_triggered":false,"seq":121},
    },
    "RateLimits": {
      "told": {"type":"RateLimits","wallet":"0x0123456789abcdef0123456789abcdef01234567","tier":"default","windows":[{"category":"OrderPlacement","limit":60,"remaining":60,"reset":1795486320}],"reads":{"category":"ApiRequest","limit":600,"remaining":495,"reset":1795486320},"as_of_seq":118},
    },
    "Subscribed": {
      "told": {"type":"Subscribed","channel":"indicative_market_data"},
    },
    "Unsubscribed": {
      "told": {"type":"Unsubscribed","channel":"trades"},
    },
    "auth_failed": {
      "told": {"type":"auth_failed","reason":"authentication timeout"},
    },
    "authenticated": {
      "told": {"type":"authenticated","wallet":"0x0123456789abcdef0123456789abcdef01234567","capabilities":["scoped_indicative"]},
    },
    "error": {
      "told": {"type":"error","message":"1 of 2 rows are left out","code":"invalid_field","rows":[{"instrument":"nothing","reason":"instrument is not listed"}]},
    },
  },
  frames: {
    "connect_quote_provider": {
      "told": {"type":"connect_quote_provider","wallet":"0x0123456789abcdef0123456789abcdef01234567","timestamp":"1795486213825","nonce":1003,"signature":"0x76ae966d4e9195d5e80e575a7797cbb29d2a12face703ffab5b86e61f14bbbcc0623bc435ee3b44d84e090f25e1795ef72044f9718a647ae8f1a6aeb679eb01a1c"},
    },
    "indicative_quote_update": {
      "told": {"type":"indicative_quote_update","quotes":[{"instrument":"BTC-20261224-110000-C","bid_price":"-1","ask_price":"2","max_bid_size":"5","max_ask_size":"5"}]},
    },
    "scoped_indicative_quote_update": {
      "told": {"type":"scoped_indicative_quote_update","scope":"0123456789abcdef0123456789abcdef","quotes":[{"instrument":"BTC-20261224-90000-P","bid_price":"1","ask_price":"2","max_bid_size":"5","max_ask_size":"5"}]},
    },
  },
  operator: {
    "GET /operator/state": {
      "answered": {"ok":true,"ready":true,"draining":false,"seq":111,"batch_number":61,"state_hash":"a9297b31ee0ba9a0","threads":[{"role":"core","thread_id":12170,"heartbeat_ms":1795486294522,"work_seconds":1.8899176380000138}],"rings":{"commands-0":0,"commands-1":0,"orders-0":0,"results-0":0,"journal":0,"reads-0":0,"replies-0":0,"notices":0},"journal":{"batch_number":61,"bytes":14288,"segments_finished":0,"snapshot_batch_number":0},"event_log":{"head":2433,"durable":2433},"history":{"seq":90},"clock":{"alarm":false,"ahead_ms":0,"offset_ms":0},"venue":{"funds":{"fees":"0","insurance":"0","dust":"0","clearing":"0","in_transit":"0","insurance_deposits":"0"},"liquidations":{"pre_liquidation":0,"partial":0,"full":0,"waiting":0},"expiries_pending":{"count":0,"expiries":[]}}},
    },
    "GET /operator/usernames": {
      "answered": {"ok":true,"data":[{"wallet":"0x0123456789abcdef0123456789abcdef01234567","requested_username":"anna","username":"ann"}],"pagination":{"limit":50,"offset":0,"count":1,"total":1}},
    },
    "POST /operator/deposits": {
      "answered": {"ok":true,"seq":117,"timestamp":1795486294612,"result":"DEPOSIT_CREDITED","changed":true,"wallet":"0x0123456789abcdef0123456789abcdef01234567","amount":"77","deposit_id":"kept"},
    },
    "POST /operator/halts": {
      "answered": {"ok":true,"seq":121,"timestamp":1795486294624,"underlying":"BTC","mode":"cancel_only"},
    },
    "POST /operator/index-prices": {
      "answered": {"ok":true,"seq":135,"timestamp":1795486307543,"changed":true,"prices":[{"underlying":"NEW","price":"100","timestamp":1795486307539}]},
    },
    "POST /operator/instruments": {
      "answered": {"ok":true,"seq":1001,"timestamp":1795486311932,"result":"MARKET_CREATED","changed":true,"symbol":"BTC-20261224-240900-C","instrument_id":412,"expiry":1798099200},
    },
    "POST /operator/quote-providers": {
      "answered": {"ok":true,"seq":106,"timestamp":1795486288710,"changed":true,"wallet":"0x0123456789abcdef0123456789abcdef01234567","status":"active"},
    },
    "POST /operator/tiers": {
      "answered": {"ok":true,"seq":119,"timestamp":1795486294619,"wallet":"0x0123456789abcdef0123456789abcdef01234567","tier":"tier2"},
    },
    "POST /operator/usernames": {
      "answered": {"ok":true,"seq":18,"timestamp":1795486268774,"changed":true,"wallet":"0x0123456789abcdef0123456789abcdef01234567","verdict":"approved"},
    },
    "POST /operator/vol-surfaces": {
      "answered": {"ok":true,"seq":10,"timestamp":1795486266771,"underlying":"BTC","expiry":1798099200,"kind":"points"},
    },
  },
}
