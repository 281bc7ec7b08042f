// Written by `npm run generate -- examples`: what end-to-end tests were told, with one row of each list.
import type { RecordedExamples } from '../examples.js'

export const recordedExamples: RecordedExamples = {
  answers: {
    "DELETE /bulk_order": {
      "answered": {"results":[{"index":0,"success":false,"data":{"timestamp":1795486305836,"info":{"symbol":"","price":"0","size":"0","side":"Buy","tif":"gtc","client_id":null,"underlying":null,"builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":null,"signature":null},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":63},"error":"Order 4096 not found","code":"order_not_found"}]},
      "rejected": {"results":[{"index":0,"success":false,"data":{"timestamp":1795486971855,"info":{"symbol":"","price":"0","size":"0","side":"Buy","tif":"gtc","client_id":null,"underlying":null,"builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":null,"signature":null},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":48},"error":"Order 4096 not found","code":"order_not_found"}]},
    },
    "DELETE /bulk_order_cloid": {
      "answered": {"results":[{"index":0,"success":true,"data":{"timestamp":1795486305892,"info":{"symbol":"BTC-20301227-100000-C","price":"1250","size":"0.5","side":"Buy","tif":"gtc","client_id":"first-1","underlying":"BTC","builder_code_address":null,"order_id":2048,"is_perp":false,"mmp_enabled":false,"reduce_only":false,"nonce":null,"signature":null},"status":"CANCELED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":2048,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":65}}]},
    },
    "DELETE /mmp-config": {
      "answered": {"success":true,"data":"deleted","error":null,"as_of_seq":151},
    },
    "DELETE /order": {
      "answered": {"timestamp":1795486537768,"info":{"symbol":"BTC-20261224-90000.5-P","price":"1","size":"1","side":"Buy","tif":"gtc","client_id":"again","underlying":"BTC","builder_code_address":null,"order_id":8192,"is_perp":false,"mmp_enabled":false,"reduce_only":false,"nonce":null,"signature":null},"status":"CANCELED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":8192,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":101,"success":true,"data":{"timestamp":1795486537768,"info":{"symbol":"BTC-20261224-90000.5-P","price":"1","size":"1","side":"Buy","tif":"gtc","client_id":"again","underlying":"BTC","builder_code_address":null,"order_id":8192,"is_perp":false,"mmp_enabled":false,"reduce_only":false,"nonce":null,"signature":null},"status":"CANCELED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":8192,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":101},"error":null},
      "rejected": {"timestamp":1795486303236,"info":{"symbol":"","price":"0","size":"0","side":"Buy","tif":"gtc","client_id":null,"underlying":null,"builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":null,"signature":null},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":48,"success":false,"data":{"timestamp":1795486303236,"info":{"symbol":"","price":"0","size":"0","side":"Buy","tif":"gtc","client_id":null,"underlying":null,"builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":null,"signature":null},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":48},"error":"Order 4096 not found"},
    },
    "DELETE /order_cloid": {
      "answered": {"success":true,"data":{"timestamp":1795486304296,"info":{"symbol":"BTC-20301227-100000-C","price":"1250","size":"0.5","side":"Buy","tif":"gtc","client_id":"first-1","underlying":"BTC","builder_code_address":null,"order_id":1024,"is_perp":false,"mmp_enabled":false,"reduce_only":false,"nonce":null,"signature":null},"status":"CANCELED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":1024,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":51},"error":null},
      "rejected": {"success":false,"data":{"timestamp":1795489578540,"info":{"symbol":"","price":"0","size":"0","side":"Buy","tif":"gtc","client_id":null,"underlying":null,"builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":null,"signature":null},"status":"REJECTED","reason":"Order not found for cancellation: alias","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":90},"error":"Order not found for cancellation: alias"},
    },
    "DELETE /revoke-agent": {
      "answered": {"success":true,"error":null,"wallet":"0x0123456789abcdef0123456789abcdef01234567","seq":100},
    },
    "DELETE /revoke-all-agents": {
      "answered": {"success":true,"error":null,"wallet":"0x0123456789abcdef0123456789abcdef01234567","seq":101},
    },
    "GET /": {
      "answered": {"name":"Strikebook","about":"An options exchange: signed orders (EIP-712) over HTTP and WebSocket, one sequence of events. Every endpoint is in /openapi.json, every message in /asyncapi.json; /docs shows both, to be read and tried.","preset":"development","version":"0.5.0","status":"ok","documents":["/app","/docs","/openapi.json","/asyncapi.json"],"health":["/health","/version","/ready"],"market":["/instruments","/instrument-specs","/markets","/orderbook?instrument_id={instrument_id}","/options-summary","/competitions","/trades","/historical-theos?instrument_name={instrument_name}"],"signing":{"enabled":true,"domain":{"name":"Strikebook","version":"1","chainId":31337,"verifyingContract":"0x0000000000000000000000000000000000000000"},"perp_source":"Strikebook/31337"},"funds":{"from":"faucet","how":"POST /faucet with {\"wallet\": \"0x...\"} opens an account with paper money: curl -d '{\"wallet\":\"0x...\"}' <this url>/faucet"},"streams":{"clients":"/ws","quote_providers":"/ws/quotes"}},
    },
    "GET /actions/outcome": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","digest":"0x0000000000000000000000000000000000000000000000000000000000000007","status":"unknown","action":null,"nonce":null,"timestamp":null,"seq":null,"outcome":null,"kept":{"count":0,"max":1000,"oldest_ms":null,"is_complete":true}},"error":null,"as_of_seq":15},
    },
    "GET /authorized-agents": {
      "answered": {"agents":["0x0123456789abcdef0123456789abcdef01234567"],"api_wallets":[{"name":"0x6465736b00000000000000000000000000000000000000000000000000000000","address":"0x89abcdef0123456789abcdef0123456789abcdef"}],"as_of_seq":104},
    },
    "GET /competition-metric-ranks": {
      "answered": {"success":true,"data":{"competition_id":1,"wallet":"0x0123456789abcdef0123456789abcdef01234567","participants":3,"ranks":{"pnl":{"rank":1,"value":"100"},"volume":{"rank":1,"value":"200000"},"efficiency":{"rank":1,"value":"0.016738"}}},"as_of_seq":58},
    },
    "GET /competition/account": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","username":"0x0582...197e","lifetime_realized_pnl":"100","competition":{"competition_id":1,"competition_name":"Spring","competition_state":"post","rank":1,"pnl":"100","volume":"200000","efficiency":"0.016738","medal":1}},"as_of_seq":93},
    },
    "GET /competition/leaderboard": {
      "answered": {"success":true,"data":[],"pagination":{"limit":50,"offset":0,"count":0},"competition_id":null,"sort_by":"pnl","sort_order":"desc","connected_user":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","username":"0x0123...4567","rank":null,"pnl":null,"volume":null,"efficiency":null,"medal":null},"as_of_seq":14},
    },
    "GET /competition/summary": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","lifetime_realized_pnl":"0","active_competition":null},"as_of_seq":14},
    },
    "GET /competitions": {
      "answered": {"success":true,"data":[],"pagination":{"limit":50,"offset":0,"count":0},"as_of_seq":13},
    },
    "GET /competitions/": {
      "answered": {"success":true,"data":{"id":1,"name":"Spring","description":"ein Frühling","rules_url":null,"rules_content":null,"win_conditions":["pnl","volume"],"primary_win_condition":"pnl","start_ts_ms":1795486535733,"end_ts_ms":1795490135733,"state":"active","created_at":"2026-11-24T02:15:34.242Z","updated_at":"2026-11-24T02:15:35.738Z"},"as_of_seq":32},
    },
    "GET /exchange-info": {
      "answered": {"exchange_address":"0x0000000000000000000000000000000000000000","chain_id":31337,"signing_domain":{"name":"Strikebook","version":"1"},"hl_builder_address":null,"deposit_router_address":null,"portfolio_margin_deposits_enabled":false,"preset":"development","perp_source":"Strikebook/31337","private_reads":"open","perps":[{"asset":2,"underlying":"BTC","symbol":"BTC-PERP"}],"push_public_key":"BJYHi74pJtdXOzjG2-SsCS0-2GcZ3HqAX-TY__d9aI_kMfgBOxl4R67-ZTysXdEdT4jTTDWSS0-HDdvqMGYGUw4","max_bulk_items":50,"max_rfq_legs":10,"as_of_seq":14},
    },
    "GET /fees": {
      "answered": {"enabled":false,"options":{"maker_rate":"0","taker_rate":"0","price_cap":"0.125"},"perps":{"maker_rate":"0","taker_rate":"0"},"settlement":{"rate":"0","payoff_cap":"0.125"},"liquidation":{"rate":"0"},"builder":{"share":"0"},"applied":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","tier":"default","options":{"maker_rate":"0","taker_rate":"0","price_cap":"0.125"},"perps":{"maker_rate":"0","taker_rate":"0"},"settlement":{"rate":"0","payoff_cap":"0.125"},"liquidation":{"rate":"0"}},"as_of_seq":1093},
    },
    "GET /fills": {
      "answered": {"success":true,"data":[{"fill_id":10,"trade_id":5,"order_id":9216,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","symbol":"ETH-20261224-3500-C","side":"Sell","price":"100","size":"1","fee":"0.64","is_taker":false,"timestamp":1795486967832,"created_at":"2026-11-24T02:22:47.832Z","builder_code_address":"0x89abcdef0123456789abcdef0123456789abcdef","builder_code_fee":"0.32","realized_pnl":"0","explorer_url":null,"instrument_type":"option","fill_source":{"type":"orderbook"}}],"pagination":{"limit":50,"offset":0,"count":1},"as_of_seq":155},
    },
    "GET /health": {
      "answered": {"status":"ok"},
    },
    "GET /historical-pnl": {
      "answered": {"success":true,"data":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","interval":"1d","points":[]},"error":null,"as_of_seq":947},
    },
    "GET /historical-theos": {
      "answered": {"success":true,"data":{"instrument_name":"BTC-20301227-100000-C","interval":"1h","points":[]},"error":null,"as_of_seq":14},
    },
    "GET /historical-theos/batch": {
      "answered": {"success":true,"data":{"BTC-20301227-100000-C":{"instrument_name":"BTC-20301227-100000-C","interval":"1h","points":[]}},"error":null,"as_of_seq":14},
    },
    "GET /instrument-specs": {
      "answered": {"jsonrpc":"2.0","result":[{"instrument_id":"BTC-20261224-100000-C","instrument_numeric_id":1,"exchange_symbol":"BTC-20261224-100000-C","sym":"BTC-USD","exchange":"STRIKEBOOK","delivery":"CASH","settle_asset":"USDC","base_asset":"BTC","quote_asset":"USD","contract_size":1,"min_trade_size":1e-8,"tick_size":0.000001,"price_decimals":6,"size_decimals":8,"min_price_increment_bands":[{"above_price":0.1,"tick_size":0.00001}],"state":"OPEN","is_tradable":true,"listed_time_ns":1795486649289000000,"event_ts_ns":1795486649289000000,"position_limit":null,"option_token_address":null,"settlement_oracle":null,"condition_id":null,"underlying_resolution_source":null,"instrument_kind":"OPTION","option_kind":"C","strike":"100000","expiry_ns":1798099200000000000,"settlement_hour_utc":8,"settlement_time_utc":"08:00","maker_fee_bps":0,"taker_fee_bps":0,"initial_margin_fraction":0.1,"maintenance_margin_fraction":0.075}],"testnet":true,"usIn":1795486657096000,"usOut":1795486657096000,"usDiff":0,"as_of_seq":154},
    },
    "GET /instruments": {
      "answered": {"jsonrpc":"2.0","result":[{"instrument_name":"BTC-20261224-110000-C","instrument_id":1,"kind":"option","instrument_type":"linear","option_type":"call","price_index":"btc_usd","settlement_period":"day","settlement_currency":"USDC","base_currency":"BTC","counter_currency":"USD","quote_currency":"USD","expiration_timestamp":1798099200000,"creation_timestamp":1795486260986,"option_token_address":null,"rfq":true,"orderbook":true,"is_active":true,"strike":110000,"contract_size":1,"tick_size":0.000001,"tick_size_steps":[{"above_price":0.1,"tick_size":0.00001}],"min_trade_amount":1e-8,"maker_commission":0,"taker_commission":0,"block_trade_commission":0,"block_trade_min_trade_amount":1e-8,"block_trade_tick_size":0.000001}],"testnet":true,"usIn":1795486288501000,"usOut":1795486288505000,"usDiff":4000,"as_of_seq":45},
    },
    "GET /leaderboard": {
      "answered": {"success":true,"data":[{"rank":1,"wallet":"0x0123456789abcdef0123456789abcdef01234567","username":"0x0582...197e","pnl":"100","volume":"200000","efficiency":"0.016738","medal":null,"hyperliquid_name":null}],"pagination":{"limit":50,"offset":0,"count":3},"competition_id":1,"sort_by":"pnl","sort_order":"desc","connected_user":{"wallet":"0x89abcdef0123456789abcdef0123456789abcdef","username":"0x3ea4...0841","rank":2,"pnl":"0","volume":"100000","efficiency":"0","medal":null},"as_of_seq":58},
    },
    "GET /liquidation/history": {
      "answered": {"success":true,"data":[{"id":66,"wallet":"0x0123456789abcdef0123456789abcdef01234567","previous_state":"in_liquidation","new_state":"healthy","liquidation_mode":null,"margin_mode":"standard","equity":"11855.40759","mm_required":"10309.050209","maintenance_margin":"1546.357381","shortfall":"0","auction_id":"auction-1","request_id":"5b000000-0000-8000-8000-000000000001","tx_hash":null,"margin_needed":"0.000151","winner_address":"0x89abcdef0123456789abcdef0123456789abcdef","bonus":"107.912832","details":{"previous_liquidation_mode":"full","insurance_paid":"0","deleveraged":"0","shared":"0","uncovered":"0","fees_paid":"0"},"timestamp":1795486591338}],"pagination":{"limit":50,"offset":0,"count":4},"error":null,"as_of_seq":72},
    },
    "GET /liquidation/status": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","state":"in_liquidation","timers_stand":false,"liquidation_mode":"full","margin_mode":"standard","equity":"11963.313573","mm_required":"12296.279107","maintenance_margin":"-332.965534","shortfall":"332.965534","partial_liquidation":null,"full_liquidation":{"auction_id":"auction-1","request_id":"5b000000-0000-8000-8000-000000000001","tx_hash":null,"started_at":1795486570406,"chain_start_time":null,"margin_needed":"2177.420892","stop_request_id":null,"stop_tx_hash":null,"liquidated_at":null,"winner":null,"bonus":null,"resolution_tx_hash":null,"current_required_bid_usdc":"1826.013628","current_equity":"11963.313573","current_mm_required":"12296.279107","current_maintenance_margin":"-332.965534","current_positions":[{"symbol":"BTC-20261224-110000-C","quantity":"-1","entry_price":"3270"}],"current_portfolio_hash":"sha256:57b71eb63b2a4108dfaed107147cc1f73ff706625700a3156c654c036042f317","current_auction_terms_hash":"sha256:736f8187e8fe0ad9c2476d21904b2c1a97f1dec8616f66df66278e176bd3dedf","current_auction_version":4,"current_valuation_timestamp_ms":1795486585535}},"error":null,"as_of_seq":40},
    },
    "GET /liquidations": {
      "answered": {"success":true,"data":[],"page":{"limit":50,"next_cursor":null,"has_more":false},"error":null,"as_of_seq":14},
    },
    "GET /markets": {
      "answered": {"success":true,"data":[{"underlying":"BTC","expiry":1798099200,"index_price":"100000","atm_vol":"0.6","instruments":[{"instrument_id":2,"id":"BTC-20261224-90000.5-P","underlying":"BTC","strike":"90000.5","expiry":1798099200,"option_type":"put","option_token_address":null,"mark_iv":"0.6","volume_24h":"0","open_interest":"0","prev_day_px":null,"updated_at":"2026-11-24T02:17:41.669Z","status":"ACTIVE","trading_mode":"orderbook|rfq"}],"total_volume_24h":"250000","total_open_interest":"2.5","prev_day_px":null,"prev_day_price":null}],"as_of_seq":86},
    },
    "GET /mmp-config": {
      "answered": {"success":true,"data":[{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","currency":"BTC","interval_ms":86400000,"frozen_time_ms":86400000,"qty_limit":"10","delta_limit":"4","vega_limit":null,"enabled":true,"nonce":1001,"frozen":true,"frozen_until_ms":1795573023517,"window":{"qty":"0","delta":"0","vega":"0"}}],"error":null,"as_of_seq":75},
    },
    "GET /options-summary": {
      "answered": {"jsonrpc":"2.0","result":[{"instrument_id":1,"instrument_name":"BTC-20261224-110000-C","underlying_index":"BTC_USD","base_currency":"BTC","quote_currency":"USD","option_token_address":null,"expiration_timestamp":1798099200000,"creation_timestamp":1795486263277,"last":null,"high":null,"low":null,"price_change":null,"volume":0,"volume_usd":0,"open_interest":0,"underlying_price":100000,"estimated_delivery_price":100000,"interest_rate":0,"mark_price":2898.369729,"theoretical_price":2898.369729,"mark_iv":0.5611054236676926,"greeks":{"delta":0.30525085257098655,"gamma":0.000021695436546618263,"vega":100.8629673429538,"theta":-93.56953395796782,"rho":22.89012354331281},"bid_price":0,"ask_price":0,"mid_price":0,"indicative_bid_price":500,"indicative_ask_price":499.9,"indicative_bid_size":2,"indicative_ask_size":3.5,"rfq_provider_quotes":[{"wallet":"0x0123456789abcdef0123456789abcdef01234567","bid_price":"500.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001","ask_price":"499.90","max_bid_size":"2","max_ask_size":"2","updated_at":1795486278841}]}],"testnet":true,"usIn":1795486284425000,"usOut":1795486284426000,"usDiff":1000,"as_of_seq":66},
    },
    "GET /orderbook": {
      "answered": {"jsonrpc":"2.0","result":{"instrument_name":"BTC-20261224-110000-C","timestamp":1795486534378,"state":"open","change_id":85,"bids":[[3000,2.5]],"asks":[[3500,7.5]],"best_bid_price":3000,"best_ask_price":3500,"best_bid_amount":2.5,"best_ask_amount":7.5,"last_price":3500,"mark_price":3294.734904,"theoretical_price":3294.734904,"mark_iv":0.6,"bid_iv":0.571179585879895,"ask_iv":0.6198274460069986,"index_price":100000,"underlying_price":100000,"underlying_index":"BTC_USD","settlement_price":0,"min_price":0.000001,"max_price":1000000000,"open_interest":2.5,"interest_rate":0,"estimated_delivery_price":100000,"option_token_address":null,"stats":{"high":3500,"low":3500,"price_change":0,"volume":2.5,"volume_usd":250000},"greeks":{"delta":0.3207732867075979,"gamma":0.000020728104313141643,"vega":103.0354670965707,"theta":-102.22078839357522,"rho":23.845467231425367}},"testnet":true,"usIn":1795486542897000,"usOut":1795486542897000,"usDiff":0,"as_of_seq":126},
    },
    "GET /orders": {
      "answered": {"success":true,"data":[{"order_id":12288,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","symbol":"BTC-20261224-90000-P","side":"Sell","price":"3500","size":"50","tif":"gtc","status":"canceled","created_at":1795486591754,"updated_at":"2026-11-24T02:16:32.214Z","filled_size":"4","client_id":null,"reduce_only":false,"mmp_enabled":true,"instrument_type":"option","reason":"Order canceled by MMP trigger","reason_code":"mmp_canceled","avg_fill_price":"3500"}],"pagination":{"limit":50,"offset":0,"count":4},"as_of_seq":163},
    },
    "GET /orders/status": {
      "answered": {"success":true,"data":{"order_id":17408,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","symbol":"BTC-20261225-140000-C","side":"Buy","price":"100","size":"1","tif":"gtc","status":"canceled","created_at":1795486653234,"updated_at":"2026-11-24T02:17:33.285Z","filled_size":"0","client_id":null,"reduce_only":false,"mmp_enabled":false,"instrument_type":"option","reason":"Instrument was delisted","reason_code":"instrument_delisted","avg_fill_price":null},"as_of_seq":205},
    },
    "GET /orders/why": {
      "answered": {"success":true,"data":{"order_id":2048,"wallet":"0x0123456789abcdef0123456789abcdef01234567","nonce":1001,"action":"PlaceOrder","symbol":"BTC-20261225-110000-C","seq":36,"status":"ACKED","reason":null,"source":"measured","gateway":0,"received_at":1795488657161,"stages":{"socket_micros":4212,"recovery_micros":3118,"ring_micros":368,"batch_micros":3532,"match_micros":1560,"flush_micros":3533,"pump_micros":2865,"total_micros":19188},"batch":{"number":15,"first_seq":34,"last_seq":49,"commands":4,"place":1,"time":1795488657169},"neighbours":[{"seq":41,"place":2,"order_id":3072,"action":"PlaceOrder","gateway":0,"status":"ACKED"}],"check":null,"margin":null},"error":null,"as_of_seq":49},
      "rejected": {"success":true,"data":{"order_id":null,"wallet":"0x0123456789abcdef0123456789abcdef01234567","nonce":1001,"action":"PlaceOrder","symbol":"BTC-20261225-110000-C","seq":24,"status":"REJECTED","reason":"insufficient_margin","source":"measured","gateway":0,"received_at":1795488656797,"stages":{"socket_micros":547,"recovery_micros":647,"ring_micros":60,"batch_micros":4161,"match_micros":3983,"flush_micros":8710,"pump_micros":2422,"total_micros":20530},"batch":{"number":11,"first_seq":24,"last_seq":25,"commands":1,"place":1,"time":1795488656798},"neighbours":[],"check":{"name":"insufficient_margin","has":"10","needs":"10708.218756","details":{"required":"10708.218756","equity":"10","shortfall":"10698.218756","consumed_im":"0","incremental_im":"10708.218756","consumed_mm":"0","incremental_mm":"8566.575005","scenario":{"kind":"VolChange","id":"V4"},"bound_by":"scenario"},"note":null},"margin":{"model":"standard","scenario":{"kind":"VolChange","id":"V4","spot_shift":0.15,"vol_shift":0.5,"skew":0,"kurtosis":0,"weight":1,"loss":"10708.218756"},"binding":"scenario"}},"error":null,"as_of_seq":25},
    },
    "GET /portfolio": {
      "answered": {"success":true,"data":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","positions":[{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","symbol":"BTC-20261224-100000-C","amount":"-1","entry_price":"6572","margin_posted":"14651.361473","realized_pnl":"0","unrealized_pnl":"-0.468879","updated_at":"2026-11-24T02:15:37.024Z","instrument_type":"option","notional_value":"-6572.468879","maintenance_margin":"11721.089179","liquidation_price":"0","margin_ratio":"0.01172109467477515"}],"equity":"999999.531121","total_margin_used":"14651.361473","available_balance":"985348.169648","withdrawable_usdc":"985348.169648","scanning_risk":"0","option_floor":"0","gamma_overlay":"0","margin_mode":"standard","portfolio_snapshot_timestamp_ms":1795486537174,"span_margin":{"equity":"999999.531121","initial_margin_required":"14651.361473","maintenance_margin_required":"11721.089179","open_orders_initial_margin":"0","option_margin_required":"14651.361473","scanning_risk":"0","option_floor":"0","gamma_overlay":"0","hypercore_margin_required":"0"},"margin_summary":{"mode":"standard","equity":"999999.531121","position_im":"14651.361473","open_orders_im":"0","initial_margin":"985348.169648","maintenance_margin":"988278.441942","open_orders_premium_reserved":"0"}},"error":null,"as_of_seq":58},
    },
    "GET /profile": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","account_wallet":"0x0123456789abcdef0123456789abcdef01234567","username":"0x4294...6acd","account_first_seen_ts_ms":1795486646074,"account_age_days":0,"margin":{"in_use":"0","available":"1000000","total":"1000000","deposits":"1000000","withdraws":"0"},"pnl":{"unrealized":"0","pnl_24h":"0","lifetime_realized":"0"}},"error":null,"as_of_seq":817},
    },
    "GET /profile/historical-pnl": {
      "answered": {"success":true,"data":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","interval":"1d","points":[]},"error":null,"as_of_seq":947},
    },
    "GET /profile/realized-pnl": {
      "answered": {"success":true,"data":[{"symbol":"BTC-20261224-100000-C","realized_pnl":"10","event_count":1}],"error":null,"as_of_seq":186},
    },
    "GET /profile/trades": {
      "answered": {"success":true,"data":[{"fill_id":16,"trade_id":8,"order_id":15360,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","symbol":"BTC-20261224-100000-C","side":"Sell","price":"6582","size":"1","fee":"0","is_taker":false,"timestamp":1795486563920,"created_at":"2026-11-24T02:16:03.920Z","builder_code_address":null,"builder_code_fee":null,"realized_pnl":"10","explorer_url":null,"instrument_type":"option","fill_source":{"type":"orderbook"}}],"pagination":{"limit":1,"offset":0,"count":1},"as_of_seq":172},
    },
    "GET /rate-limits": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","tier":"default","windows":[{"category":"OrderPlacement","limit":60,"remaining":60,"reset":1795486320}],"reads":{"category":"ApiRequest","limit":600,"remaining":498,"reset":1795486320}},"error":null,"as_of_seq":22},
    },
    "GET /ready": {
      "answered": {"status":"ready","components":[{"name":"engine","ready":true}]},
    },
    "GET /referrals/binding": {
      "answered": {"referred_wallet":"0x0123456789abcdef0123456789abcdef01234567","referrer_wallet":"0x89abcdef0123456789abcdef0123456789abcdef","as_of_seq":1015},
    },
    "GET /referrals/code": {
      "answered": {"code":"TEST-15364-1","owner_wallet":"0x0123456789abcdef0123456789abcdef01234567","created_at":"2026-11-24T02:17:34.297Z","as_of_seq":961},
    },
    "GET /referrals/code/": {
      "answered": {"code":"TEST-15364-1","owner_wallet":"0x0123456789abcdef0123456789abcdef01234567","created_at":"2026-11-24T02:17:34.297Z","as_of_seq":961},
    },
    "GET /referrals/referred": {
      "answered": {"referrer_wallet":"0x0123456789abcdef0123456789abcdef01234567","data":[{"referred_wallet":"0x89abcdef0123456789abcdef0123456789abcdef","volume_usd":"0"}],"pagination":{"limit":2,"offset":0,"count":2},"as_of_seq":1089},
    },
    "GET /rfq": {
      "answered": {"rfqs":[{"rfq_id":"fa2cefee-8aa6-4d47-8826-2054ad83e4d1","status":"executed","underlying":"BTC","legs":[{"instrument":"BTC-20261224-100000-C","side":"Buy","size":"1"}],"quotes":[{"quote_id":"01a20b58-6bd0-7000-8000-000000000002","net_premium":"-3595","legs":[{"instrument":"BTC-20261224-100000-C","side":"Buy","price":"6900","size":"1"}],"expires_at":1795486693872}],"created_at":1795486673072,"expires_at":1795486703072,"reason":null,"reason_code":null,"fill_id":"1"}],"as_of_seq":46},
    },
    "GET /rfq/": {
      "answered": {"rfq_id":"9bb0f845-43eb-49c7-8c8b-0c92bcbf9528","status":"executed","underlying":"BTC","legs":[{"instrument":"BTC-20261224-100000-C","side":"Buy","size":"2"}],"quotes":[{"quote_id":"01a20b58-8110-7000-8000-000000000009","net_premium":"-14000","legs":[{"instrument":"BTC-20261224-100000-C","side":"Buy","price":"7000","size":"2"}],"expires_at":1795486699312}],"created_at":1795486679283,"expires_at":1795486709283,"reason":null,"reason_code":null,"fill_id":"7","as_of_seq":292},
    },
    "GET /risk/grid": {
      "answered": {"success":true,"data":{"model":"standard","parameters":{"im_factor":1,"mm_factor":0.8,"short_minimum_im":0.1,"short_minimum_mm":0.075,"vol_floor":0.01,"z_clip":3,"mm_ratio":0.8,"option_floor_factor":0.015,"gamma_overlay_factor":0.01,"overlay_hours":48,"floor_netting":"instrument","perp_initial_fraction":0.1,"perp_maintenance_fraction":0.05},"equity":"0","position_initial_margin":"0","position_maintenance_margin":"0","open_orders_initial_margin":"0","total_initial_margin":"0","scanning_risk":"0","option_floor":"0","gamma_overlay":"0","underlyings":[{"underlying":"BTC","scenarios":[{"id":"SP1","kind":"SpotChange","spot_shock_pct":"-0.4","vol_shock_pct":"0","skew_shock":"0","kurtosis_shock":"0","pnl_weight":"0.35","is_tail":false,"total_pnl":"0"}],"extended_risk_matrix":{"scenarios":[{"id":"SP1","kind":"SpotChange","spot_shock_pct":"-0.4","vol_shock_pct":"0","skew_shock":"0","kurtosis_shock":"0","pnl_weight":"0.35","is_tail":false}],"instruments":[],"total_pnls":["0","0","0","0","0","0","0","0"],"worst_scenario_index":0,"worst_scenario_pnl":"0"}}]},"error":null,"as_of_seq":13},
    },
    "GET /self-trade-prevention": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","mode":"cancel_taker"},"error":null,"as_of_seq":13},
    },
    "GET /settlement-payouts": {
      "answered": {"success":true,"data":[{"id":1,"wallet":"0x0123456789abcdef0123456789abcdef01234567","symbol":"FULL100-20261224-100000-C","expiry_ts":1795486671,"position_size":"-2","settlement_price":"5000","settlement_value":"-10000","settlement_entry_price":"3000","cost_basis":"-6000","net_pnl":"-4000","ledger_applied":true,"is_seen":false,"created_at":1795486671008,"underlying_price":"105000","fee":"0","borne":"0"}],"pagination":{"limit":50,"offset":0,"count":1},"as_of_seq":43},
    },
    "GET /trades": {
      "answered": {"success":true,"data":[{"trade_id":1,"symbol":"BTC-20261224-110000-C","price":"3500","size":"0.5","taker_side":"Buy","maker_address":"0x0123456789abcdef0123456789abcdef01234567","taker_address":"0x89abcdef0123456789abcdef0123456789abcdef","maker_fee":"0","taker_fee":"0","timestamp":1795486533772,"created_at":"2026-11-24T02:15:33.772Z"}],"pagination":{"limit":2,"offset":0,"count":2},"as_of_seq":110},
    },
    "GET /trades/": {
      "answered": {"success":true,"data":{"trade_id":5,"symbol":"BTC-20261224-110000-C","price":"3500","size":"0.5","taker_side":"Buy","maker_address":"0x0123456789abcdef0123456789abcdef01234567","taker_address":"0x89abcdef0123456789abcdef0123456789abcdef","maker_fee":"0","taker_fee":"0","timestamp":1795486534260,"created_at":"2026-11-24T02:15:34.260Z"},"as_of_seq":111},
    },
    "GET /user-tier": {
      "answered": {"success":true,"data":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","tier":"default","limits":{"max_open_orders":100,"max_open_positions":50,"orders_per_minute":60,"cancels_per_minute":120,"api_requests_per_minute":600}},"error":null,"as_of_seq":113},
    },
    "GET /username": {
      "answered": {"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","username":"ann_4294397fc8","as_of_seq":820},
    },
    "GET /v1/directives/": {
      "answered": {"directive_id":"0bc7505a-3856-8a79-adc9-325e55d7d220","action_key":"hl_send_asset","domain_status":"failed","delivery_status":"reverted","tx_hash":"0x45e991349745a53d8e1c17501634c228895bd4f7fe1562f48e391f8879b0334d","created_at":"2026-11-24T02:18:32.868Z","as_of_seq":101},
    },
    "GET /v1/transfers": {
      "answered": {"success":true,"data":[{"id":"7e2bdcd8-c2d2-8b1a-957d-b2a84c70e6fb","transaction_type":"withdrawal","subtype":"usdc_withdrawal","asset_type":"token","asset_symbol":"USDC","amount":"100","status":"manual_review","domain_status":"pending_manual_review","delivery_status":"dead_lettered","tx_hash":"0x9def32a0bfff3268496b1889c0bdba100dca842ae5c8aad0fd82b3ac0f178d42","tx_hash_type":"hypercore","created_at":"2026-11-24T02:18:36.059Z"}],"page":{"limit":50,"next_cursor":null,"has_more":false},"error":null,"as_of_seq":123},
    },
    "GET /v1/withdrawals": {
      "answered": {"withdrawals":[{"directive_id":"7f6f1628-48f0-8e48-8127-793a125b2d60","action_key":"hl_send_asset","domain_status":"completed","delivery_status":"finalized","tx_hash":"0xe987abb49ca0b897249717354ac28b792987837ec0a6bfef5313073958e0cee5","created_at":"2026-11-24T02:18:19.768Z"}],"as_of_seq":9},
    },
    "GET /version": {
      "answered": {"version":"0.5.0","commit":"937061d6eaf0735f4e895aea75fdd6f2936ac96a","ref":"refs/heads/w-docs","build_time":"2026-11-24T02:21:26.756Z","signing_chain_id":31337},
    },
    "POST /approve-agent": {
      "answered": {"success":true,"error":null,"wallet":"0x0123456789abcdef0123456789abcdef01234567","seq":121},
    },
    "POST /bulk_order": {
      "answered": {"results":[{"index":0,"success":true,"data":{"timestamp":1795486305115,"info":{"symbol":"BTC-20301227-100000-C","price":"1250","size":"0.5","side":"Buy","tif":"gtc","client_id":"first-1","underlying":"BTC","builder_code_address":null,"order_id":2048,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1013,"signature":"0xd06dad808b8733758260e6ef7f32a8dd064e95f9cbe52efe069bbab986163db65b29c72e8578cb86a75d4e488f2a943d2e29c35571c4c31fa1ce0edc92e765dd1c"},"status":"ACKED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":2048,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":59}}]},
      "rejected": [{"index":0,"success":false,"data":{"timestamp":1795486965988,"info":{"symbol":"BTC-20261224-110000-C","price":"9000","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1009,"signature":"0x0d89242ccb8a09554d69f780b7cef33d2b6e9e207a0b490912f038db4c1d772f6aa573f3939892f875b9174c1558a50fdb8209dde81cc247b6b8f84f63788d681b"},"status":"REJECTED","reason":"Price outside band: 1418.312177 to 5034.250774","reason_code":"price_band","details":{"lower":"1418.312177","upper":"5034.250774"},"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":51},"error":"Price outside band: 1418.312177 to 5034.250774","code":"price_band"}],
    },
    "POST /cancel-all": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","scope":"all","canceled":0},"error":null,"as_of_seq":76},
    },
    "POST /dead-man": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","timeout_ms":60000,"fires_at":1795486368716},"error":null,"as_of_seq":93},
    },
    "POST /faucet": {
      "answered": {"wallet":"0x0123456789abcdef0123456789abcdef01234567","amount":"100000","seq":30},
    },
    "POST /liquidation/standard-margin": {
      "answered": {"success":true,"data":{"request_id":"5b000000-0000-8000-8000-000000000001","auction_id":"auction-1","liquidated_wallet":"0x0123456789abcdef0123456789abcdef01234567","liquidator_wallet":"0x89abcdef0123456789abcdef0123456789abcdef"},"error":null,"as_of_seq":64},
    },
    "POST /margin-mode": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","margin_mode":"portfolio","previous_mode":"standard"},"error":null,"as_of_seq":75},
    },
    "POST /mmp-config": {
      "answered": {"success":true,"data":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","currency":"BTC","interval_ms":86400000,"frozen_time_ms":86400000,"qty_limit":"0.000001","delta_limit":"4","vega_limit":null,"enabled":true,"nonce":1024,"frozen":false,"frozen_until_ms":null,"window":{"qty":"0","delta":"0","vega":"0"}},"error":null,"as_of_seq":161},
    },
    "POST /mmp-config/reset": {
      "answered": {"success":true,"data":"reset","error":null,"as_of_seq":127},
    },
    "POST /order": {
      "acked": {"timestamp":1795489578228,"info":{"symbol":"BTC-20261225-110000-C","price":"10","size":"1","side":"Buy","tif":"gtc","client_id":"mine","underlying":"BTC","builder_code_address":null,"order_id":3072,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1003,"signature":"0xe55c9e01e36df1d9f65cd5595236b34bd5e621e528549a293092f28d543039bb5a14786bd746e1075904387546ac54fcfe5291ad5d67263cb224816127f6166b1c"},"status":"ACKED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":3072,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":38},
      "filled": {"timestamp":1795489578360,"info":{"symbol":"BTC-20261225-110000-C","price":"6500","size":"1","side":"Buy","tif":"ioc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":5120,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1002,"signature":"0x4eeb227277c3fb8db46d1f9cea7947ffea07e84c3654f99a28c2fc813c7bf93c03616b643dac876c55356f67f0857d94a041579e5b37904630222fd4d0b3dc6c1b"},"status":"FILLED","reason":null,"reason_code":null,"details":null,"filled_size":1,"order_id":5120,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":59},
      "partially_filled": {"timestamp":1795489876126,"info":{"symbol":"BTC-20261225-110000-C","price":"5000","size":"3","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":7168,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1003,"signature":"0x2aeb78e19d05b8d402c6764e2aa9bc40a428409856b1221450e26edfd50a8eb13f4fd8647919768984b3769dd4de511494fa4f2bb0524657454ccb25ed6e50cd1c"},"status":"PARTIALLY_FILLED","reason":null,"reason_code":null,"details":null,"filled_size":1,"order_id":7168,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":64},
      "canceled": {"timestamp":1795890854378,"info":{"symbol":"BTC-20261229-110000-C","price":"5900","size":"2","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":5120,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1002,"signature":"0x9d9a62580c5cba0494d16ba54bce28bcb7fee568187c060f4da25a83cd6fbdc06197d4c853c9c380c515a1340454ddb01e1f065d985d1d102050622bb979ad881b"},"status":"CANCELED","reason":"Self-trade prevention","reason_code":"self_trade_prevention","details":null,"filled_size":0,"order_id":5120,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":100},
      "account_in_liquidation": {"timestamp":1795555088076,"info":{"symbol":"GRACE-20261224-22000-C","price":"9000","size":"0.1","side":"Sell","tif":"gtc","client_id":null,"underlying":"GRACE","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1005,"signature":"0x5c0865885b133d1c1c4caa11dcc0021264c4e4a886a5e6542f912963d725c0f054a9631454e519c0050f67a2e4d7f2119f032fef58812b8e0a7516215566299c1c"},"status":"REJECTED","reason":"Account is in liquidation","reason_code":"account_in_liquidation","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":85},
      "duplicate_client_id": {"timestamp":1795486301095,"info":{"symbol":"BTC-20301227-100000-C","price":"1250","size":"0.5","side":"Buy","tif":"gtc","client_id":"first-1","underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1007,"signature":"0xb1279ce3d9aed7166f75769db130bd3519332641c0de4902198d237446daee6d445088b2523b0c32b8154ac5f0676f43382bf74135cd811bb2fc59d7d39394f91c"},"status":"REJECTED","reason":"Duplicate client id: first-1","reason_code":"duplicate_client_id","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":42},
      "instrument_expired": {"timestamp":1830046550266,"info":{"symbol":"BTC-20261224-110000-C","price":"19","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1012,"signature":"0xe89afc8061e594a52ac89e3270c0994b0dd3a862f139db74ec8e6f2a6222e2253fd48ac701da81e1c6f84246938390eb852f8c5f689fd8d81c18f609ecdbe6101b"},"status":"REJECTED","reason":"Instrument has expired","reason_code":"instrument_expired","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":96},
      "insufficient_cash": {"timestamp":1795890850706,"info":{"symbol":"BTC-20261229-110000-C","price":"5000","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1003,"signature":"0xf777e8da13f1346dd0e83ac4c27069ed1944fc0dbc833328672d8f956a255ea87eab573c2d44b2e5b2b09b084b25c8fbcf4ece2c1f8f6f54505c4e0b38f354961c"},"status":"REJECTED","reason":"Insufficient cash (Standard): needed=5000, available=2000","reason_code":"insufficient_cash","details":{"needed":"5000","available":"2000"},"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":59},
      "insufficient_margin": {"timestamp":1795486642978,"info":{"symbol":"BTC-20261225-110000-C","price":"5000","size":"1","side":"Sell","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1001,"signature":"0x0c6d950785ab5a04e0f2bb8222d99f7d93b8431be1c93ecc2c9fdb351b03f86f3b805440cff1422f1aeeb7a4e0d653faa9644978890758e77cd53a3bb2ceaa741c"},"status":"REJECTED","reason":"Insufficient margin: required=10710.086618, equity=10, shortfall=10700.086618, consumed_im=0, incremental_im=10710.086618, consumed_mm=0, incremental_mm=8568.069295","reason_code":"insufficient_margin","details":{"required":"10710.086618","equity":"10","shortfall":"10700.086618","consumed_im":"0","incremental_im":"10710.086618","consumed_mm":"0","incremental_mm":"8568.069295","scenario":{"kind":"VolChange","id":"V4"},"bound_by":"scenario"},"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":27},
      "invalid_symbol": {"timestamp":1795486645054,"info":{"symbol":"BTC-20261225-99999.5-P","price":"100","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1001,"signature":"0x900778b78607ec1fbc6c5f71d79aaf073f5a0d31cce8023a860093baa1ff3fbe5d3cd613a04e7296bbb182436da2f5d45e3634296bb36bdcbc2fa7baa4f4d4f81b"},"status":"REJECTED","reason":"Invalid symbol: BTC-20261225-99999.5-P","reason_code":"invalid_symbol","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":67},
      "limit_exceeded": {"timestamp":1795890841073,"info":{"symbol":"BTC-20261228-110000-C","price":"100","size":"0.00000001","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1001,"signature":"0x603c53a9d56d68dbe4cf2633638a1f92c9bd22246d273401c836bdc4980fa265066f39036cf0b869dcda82e9f327dc03b7d111f077d8b01560aeaf5788ce30ec1b"},"status":"REJECTED","reason":"Limit exceeded: price times size is 0.000001, and the wallet has 9000000000 in cash; cash, positions and working orders at their highest values, now 9000000000, would reach 4503599627.370496","reason_code":"limit_exceeded","details":{"used":"9000000000","bound":"4503599627.370496","cost":"0.000001","cash":"9000000000"},"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":89},
      "mmp_frozen": {"timestamp":1795486624236,"info":{"symbol":"BTC-20261225-110000-C","price":"5000","size":"1","side":"Sell","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":true,"reduce_only":null,"nonce":1006,"signature":"0xf01afff81dd0068533d22af03ce9f428972752c8aee91bbf7ab6198cd5f76eb14ac558806b51413dffed40d5fc02a63a7d9b1af69102742afe2b0851a898e6db1c"},"status":"REJECTED","reason":"MMP is frozen for BTC until 1795573023517","reason_code":"mmp_frozen","details":{"underlying":"BTC","until":1795573023517},"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":77},
      "no_funds": {"timestamp":1795890853080,"info":{"symbol":"BTC-20261229-110000-C","price":"100","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1001,"signature":"0x2608f6cf9a2f8bc01c2be06c0d3dade95656a36d982de64ec3ebe2461b220c7c7f60b28e3f4ba8229e93be9579809080bde7cba124b7307bd7686321d80b76f01b"},"status":"REJECTED","reason":"Account has no funds. Please deposit before trading. POST /faucet {\"wallet\": \"0x...\"} credits paper money here.","reason_code":"no_funds","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":22},
      "no_spot_price": {"timestamp":1795486643283,"info":{"symbol":"ETH-20261225-3000-C","price":"100","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"ETH","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1001,"signature":"0x78e64522c992fe3a0c7b6886dbe17f0afaac5a547d45d3e13240074bd79479045b2af422d210e69fe01b4877cc3eabd1fb107f59555da84447d576d302c5bc851c"},"status":"REJECTED","reason":"Failed to get portfolio: No spot price available for underlying: ETH","reason_code":"no_spot_price","details":{"underlying":"ETH"},"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":35},
      "nonce_used": {"timestamp":1795489579448,"info":{"symbol":"BTC-20261225-110000-C","price":"100","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1001,"signature":"0x13a994b4df364d4f0e72bd8cfe68da218e7587eaf7819b0dc0f8cadbbcd8ef1d42397a32dabf60d5db820f80a49dd8d2a8daace11cb58e8f0408a30c6f2843c81b"},"status":"REJECTED","reason":"Nonce 1001 already used","reason_code":"nonce_used","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":141},
      "orderbook_not_found": {"timestamp":1795486645610,"info":{"symbol":"BTC-20261225-130000-C","price":"100","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1001,"signature":"0xb140f2a704952da96fc0a6486e5f1f77815ab59448512f7a21a8e2fa0027140e5017fb356e8bb85ab27cdccf4e1b7a7d3688c99f49a2d2422b9daf3910b4561f1c"},"status":"REJECTED","reason":"Orderbook not found for symbol: BTC-20261225-130000-C","reason_code":"orderbook_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":77},
      "price_band": {"timestamp":1795486959815,"info":{"symbol":"BTC-20261224-110000-C","price":"9000","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1001,"signature":"0x9a35f446a193e8543d66dc15371bd0f41462eb7e594c75400f5a740611a8fb8e5d30680ecd2c9fddb829fff8e7526b1b2f7a0d2159557c0e6a9bd736afc044aa1c"},"status":"REJECTED","reason":"Price outside band: 1418.31683 to 5034.258987","reason_code":"price_band","details":{"lower":"1418.31683","upper":"5034.258987"},"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":21},
      "reduce_only": {"timestamp":1795486650983,"info":{"symbol":"BTC-20261225-110000-C","price":"100","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":true,"nonce":1001,"signature":"0x408315c98fdfdc50d07f78e5d9f44daf63aa5074e685a3720b668fd606d3c2fa45f4960c44ef9c86b8cae7b0eca17e76da4de191835fa21ecabb72e4b518f9ae1c"},"status":"REJECTED","reason":"Reduce-only order would increase the position","reason_code":"reduce_only","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":143},
      "route_not_supported": {"timestamp":1795486641847,"info":{"symbol":"BTC-20261225-110000-C","price":"100","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1001,"signature":"0xa67fbc6f260550d1b267813b0f034cde28e930336e5902f6a56c5472090f1f047755adc63f14ff8d358bcebf0aceed15200ce93611f4155b417c7dc5c2a094551b"},"status":"REJECTED","reason":"Route rfq_only is not supported here","reason_code":"route_not_supported","details":{"route":"rfq_only"},"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":16},
      "tier_long_only": {"timestamp":1795486644770,"info":{"symbol":"BTC-20261225-110000-C","price":"8000","size":"1","side":"Sell","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1003,"signature":"0xf8639762ee70c67d1d0761e97aab1236c758d36c9b3d7490e937f427bbd55054485f7293fb24fdb271c7feb1344a3c2130c9a6e690c8a44a60514c1bd282e97f1c"},"status":"REJECTED","reason":"Tier1 users cannot go short. Long position 2, working sells 1.5, order size 1","reason_code":"tier_long_only","details":{"long_position":"2","working_sells":"1.5","order_size":"1"},"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":62},
      "trading_halted": {"timestamp":1795486294338,"info":{"symbol":"BTC-20261224-110000-C","price":"100","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1001,"signature":"0xb11f27885e797a43781653d15517d1b4b49df6af8a99a7b40b1d22ff040193522d48d32a1d33c68401c83195f34cb6c749cbf0419c1e6d744d66cdda3574b8301b"},"status":"REJECTED","reason":"Trading is halted for BTC","reason_code":"trading_halted","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":104},
    },
    "POST /order/debug": {
      "answered": {"layout":"PlaceOrder with route","fields":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","symbol":"BTC-20301227-100000-C","side":"Buy","size":"0.5","price":"1250","tif":"gtc","route":"book_only","clientId":"first-1","nonce":"1010"},"digest":"0xae39cf2327ec2e03a77bc971c302909a35737b91b27bd90f6fcdb1757349f259","recovered_address":"0x0123456789abcdef0123456789abcdef01234567","domain":{"name":"Strikebook","version":"1","chain_id":"31337"},"is_wallet":true,"matches_other_layout":null},
    },
    "POST /orders": {
      "answered": {"results":[{"index":0,"success":true,"data":{"timestamp":1795486298712,"info":{"symbol":"BTC-20301227-100000-C","price":"1250","size":"0.5","side":"Buy","tif":"gtc","client_id":"first-1","underlying":"BTC","builder_code_address":null,"order_id":1024,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1005,"signature":"0x6eccbd1f659ce7af12181043a9cb34860b84e4e9ec11e72063ee749db8bbfdd37760bbbd7cbcb1fb63386a4f2c99b5e780174fe00c7cfe5f398146b13af562b41c"},"status":"ACKED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":1024,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":33}}]},
    },
    "POST /orders/cancel": {
      "answered": {"results":[{"index":0,"success":false,"data":{"timestamp":1795486306018,"info":{"symbol":"","price":"0","size":"0","side":"Buy","tif":"gtc","client_id":null,"underlying":null,"builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":null,"signature":null},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":69},"error":"Order 4096 not found","code":"order_not_found"}]},
      "rejected": {"results":[{"index":0,"success":false,"data":{"timestamp":1795486971993,"info":{"symbol":"","price":"0","size":"0","side":"Buy","tif":"gtc","client_id":null,"underlying":null,"builder_code_address":null,"order_id":null,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":null,"signature":null},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":54},"error":"Order 4096 not found","code":"order_not_found"}]},
    },
    "POST /perp-order": {
      "answered": {"timestamp":1795486553768,"info":{"symbol":"BTC-PERP","price":"100","size":"1","side":"Buy","tif":"gtc","client_id":"0x80000000000000000000000000000005","underlying":"BTC","builder_code_address":null,"order_id":5120,"is_perp":true,"mmp_enabled":false,"reduce_only":false,"nonce":null,"signature":null},"status":"CANCELED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":5120,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":67,"success":true,"data":{"timestamp":1795486553768,"info":{"symbol":"BTC-PERP","price":"100","size":"1","side":"Buy","tif":"gtc","client_id":"0x80000000000000000000000000000005","underlying":"BTC","builder_code_address":null,"order_id":5120,"is_perp":true,"mmp_enabled":false,"reduce_only":false,"nonce":null,"signature":null},"status":"CANCELED","reason":null,"reason_code":null,"details":null,"filled_size":0,"order_id":5120,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":67},"error":null},
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
    "POST /referrals/set-referrer": {
      "answered": {"referred_wallet":"0x0123456789abcdef0123456789abcdef01234567","referrer_wallet":"0x89abcdef0123456789abcdef0123456789abcdef","as_of_seq":1007},
    },
    "POST /rfq/accept": {
      "answered": {"rfq_id":"9bb0f845-43eb-49c7-8c8b-0c92bcbf9528","quote_id":"01a20b58-8110-7000-8000-000000000009","status":"executed","fill_id":"7","seq":285},
    },
    "POST /rfq/request": {
      "answered": {"rfq_id":"b32b0ec1-0b9d-4bc4-98f1-a45bce9e61bb","status":"failed","underlying":"BTC","legs":[{"instrument":"BTC-20261224-5-C","side":"Buy","size":"1"}],"quotes":[],"created_at":1795486677079,"expires_at":1795486677079,"reason":"Invalid symbol in leg 1","reason_code":"invalid_symbol","details":{"leg":1},"seq":151},
    },
    "POST /risk/simulate/orders": {
      "answered": {"success":true,"data":{"admissible":false,"rejection_reason":"Account has no funds. Please deposit before trading.","required":"10100.05","equity":"0","consumed_im":"0","incremental_im":"10100.05","consumed_mm":"0","incremental_mm":"5050.025","scenario":null},"error":null,"as_of_seq":25},
    },
    "POST /self-trade-prevention": {
      "answered": {"success":true,"data":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","mode":"cancel_maker"},"error":null,"as_of_seq":17},
    },
    "POST /settlement-payouts/seen": {
      "answered": {"success":true,"requested":1,"affected":1,"error":null,"seq":357},
    },
    "POST /submitUsernameRequest": {
      "answered": {"success":true,"data":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","requested_username":"ann","status":"pending"},"error":null,"as_of_seq":12},
    },
    "POST /user-tier": {
      "answered": {"success":true,"data":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","tier":"market_maker","limits":{"max_open_orders":2000,"max_open_positions":-1,"orders_per_minute":600,"cancels_per_minute":1200,"api_requests_per_minute":6000}},"error":null,"as_of_seq":9},
    },
    "POST /v1/actions/hc_update_api_wallet": {
      "answered": {"stage":"submitted","directiveId":"12a5bb9a-7ceb-8499-867c-ed7cb2137c8e","actionKey":"hc_update_api_wallet","account":"0x0123456789abcdef0123456789abcdef01234567","nonce":1007,"recoveredSigner":"0x0123456789abcdef0123456789abcdef01234567","txHash":null,"rejection":null,"fills":null,"seq":166},
    },
    "POST /v1/actions/hl_cancel_by_cloid": {
      "answered": {"stage":"rejected","directiveId":"16be6575-a133-8657-9418-9b6bfe355663","actionKey":"hl_cancel_by_cloid","account":"0x0123456789abcdef0123456789abcdef01234567","nonce":1005,"recoveredSigner":"0x0123456789abcdef0123456789abcdef01234567","txHash":null,"rejection":{"code":"order_not_found","message":"Order not found for cancellation: 0x0000000000000000000000000000002a"},"fills":null,"seq":79},
    },
    "POST /v1/actions/hl_cancel_by_oid": {
      "answered": {"stage":"rejected","directiveId":"5ccf2b67-b28e-8d70-9bd6-25cd2251e26a","actionKey":"hl_cancel_by_oid","account":"0x0123456789abcdef0123456789abcdef01234567","nonce":1021,"recoveredSigner":"0x0123456789abcdef0123456789abcdef01234567","txHash":null,"rejection":{"code":"perp_missing_underlying","message":"Perp order missing underlying symbol"},"fills":null,"seq":79},
    },
    "POST /v1/actions/hl_limit_order": {
      "answered": {"stage":"submitted","directiveId":"985e8cc0-93c7-8c34-84cb-41711b1fb7b1","actionKey":"hl_limit_order","account":"0x0123456789abcdef0123456789abcdef01234567","nonce":1001,"recoveredSigner":"0x0123456789abcdef0123456789abcdef01234567","txHash":null,"rejection":null,"fills":[{"coin":"BTC","side":"Buy","size":"0.5","price":"100100","time":1795486553590}],"orderId":4096,"orderStatus":"FILLED","seq":55},
    },
    "POST /v1/actions/hl_set_abstraction": {
      "answered": {"stage":"submitted","directiveId":"67b2e134-5df9-84be-b4ac-052a76e5c08f","actionKey":"hl_set_abstraction","account":"0x0123456789abcdef0123456789abcdef01234567","nonce":1023,"recoveredSigner":"0x0123456789abcdef0123456789abcdef01234567","txHash":null,"rejection":null,"fills":null,"seq":69},
    },
    "POST /withdraw/usdc": {
      "answered": {"success":true,"request_id":"0bc7505a-3856-8a79-adc9-325e55d7d220","directive_id":"0bc7505a-3856-8a79-adc9-325e55d7d220","domain_status":"pending_chain_effect","delivery_status":"pending","balance_after":"800","message":"USDC withdrawal accepted","seq":96},
    },
    "PUT /bulk_order": {
      "answered": {"results":[{"index":0,"success":false,"data":{"timestamp":1795486305647,"info":{"symbol":"BTC-20301227-100000-C","price":"1240","size":"0.5","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":4096,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1014,"signature":"0xd36b4678477fa1ad7aab55fa99318641cfa5f58f70a4a5901184a757ee94fb8b1c792477d1595681848b7b4d80cdc96508e566970cd249474842259437e82e6c1b"},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":61},"error":"Order 4096 not found","code":"order_not_found"}]},
      "rejected": {"results":[{"index":0,"success":false,"data":{"timestamp":1795486971794,"info":{"symbol":"BTC-20301227-100000-C","price":"1240","size":"0.5","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":4096,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1014,"signature":"0x9eadb2adebe4dadb782a9219c7ff8be6307ae68b9867db4956313e87a41f29957855f961065cf5020bac5a69519571e8ebc4518adced6feda03d36dda4e7039c1c"},"status":"REJECTED","reason":"Order 4096 not found","reason_code":"order_not_found","details":null,"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":46},"error":"Order 4096 not found","code":"order_not_found"}]},
    },
    "PUT /order": {
      "answered": {"timestamp":1795486600495,"info":{"symbol":"BTC-20261224-111000-C","price":"3305","size":"2","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":23552,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1002,"signature":"0xcdc25e50e63fe2fea83225c1e3bda62d62a917006bd2dcc60a5493c5a0a99dff7d5f5afc787980d4b6e84b1e6a6a96badb1396e05248589f7f93ebc662c7c21f1b"},"status":"FILLED","reason":null,"reason_code":null,"details":null,"filled_size":2,"order_id":24576,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":542},
      "rejected": {"timestamp":1795486965522,"info":{"symbol":"BTC-20261224-110000-C","price":"9000","size":"1","side":"Buy","tif":"gtc","client_id":null,"underlying":"BTC","builder_code_address":null,"order_id":3072,"is_perp":false,"mmp_enabled":false,"reduce_only":null,"nonce":1008,"signature":"0x0d77803f41d89f5dc814d7826c54c17e687806143691ff0ee25e178da00615d23a384593ca5223c466a1e1bed8bf372741447c6acd8089e35fc678a3f5608d5c1b"},"status":"REJECTED","reason":"Price outside band: 1418.312177 to 5034.250774","reason_code":"price_band","details":{"lower":"1418.312177","upper":"5034.250774"},"filled_size":0,"order_id":null,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","mmp_triggered":false,"seq":49},
    },
  },
  errors: {
    "Error": {
      "conflict": {"code":"conflict","message":"Conflict: rfq_id is already used","error":"conflict"},
      "invalid_field": {"code":"invalid_field","message":"Invalid action.abstraction: must be 2","error":"invalid_field"},
      "invalid_parameter": {"code":"invalid_parameter","message":"Invalid client_id: must be a string","error":"invalid_parameter"},
      "invalid_wallet": {"code":"invalid_wallet","message":"Invalid wallet: ","error":"invalid_wallet"},
      "limit_exceeded": {"code":"limit_exceeded","message":"Limit exceeded","error":"limit_exceeded"},
      "missing_field": {"code":"missing_field","message":"Missing field: code","error":"missing_field"},
      "no_account": {"code":"no_account","message":"Wallet has no account. Please deposit first.","error":"no_account"},
      "not_found": {"code":"not_found","message":"Quote not found","error":"not_found"},
      "not_ready": {"code":"not_ready","message":"the answer does not include the wanted sequence yet","error":"not_ready"},
      "rate_limit_exceeded": {"code":"rate_limit_exceeded","message":"Rate limit exceeded for Faucet: 1 per minute, retry after 54 seconds","error":"rate_limit_exceeded","retry_after_secs":54,"limit":1},
      "rfq_already_filled": {"code":"rfq_already_filled","message":"RFQ is already filled","error":"rfq_already_filled"},
      "signature_verification_failed": {"code":"signature_verification_failed","message":"Signature verification failed","error":"signature_verification_failed","details":{"layout":"PlaceOrder with route","fields":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","symbol":"BTC-20261226-110000-C","side":"Buy","size":"1","price":"100","tif":"gtc","route":"book_only","clientId":"","nonce":"1002"},"digest":"0x60f484be48417b607f739a96bb86b6bb76f7f9b402f6a43a16d395d45c9c716a","recovered_address":null,"domain":{"name":"Strikebook","version":"1","chain_id":"31337"},"is_wallet":false,"matches_other_layout":null}},
      "unauthorized": {"code":"unauthorized","message":"Signer is not authorized for this wallet","error":"unauthorized","details":{"layout":"PlaceOrder with route","fields":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","symbol":"BTC-20261226-110000-C","side":"Buy","size":"1","price":"100","tif":"gtc","route":"book_only","clientId":"other","nonce":"1006"},"digest":"0xb3afd97a91b25f492c69106c4b09803e836ead08a62d4ce892a80bcb04d10175","recovered_address":"0x89abcdef0123456789abcdef0123456789abcdef","domain":{"name":"Strikebook","version":"1","chain_id":"31337"},"is_wallet":false,"matches_other_layout":null}},
    },
    "ErrorOfData": {
      "conflict": {"success":false,"data":null,"code":"conflict","message":"Conflict","error":"conflict"},
      "insufficient_balance": {"success":false,"data":null,"code":"insufficient_balance","message":"Insufficient balance","error":"insufficient_balance"},
      "invalid_field": {"success":false,"data":null,"code":"invalid_field","message":"A value is outside of what the engine takes","error":"invalid_field"},
      "invalid_parameter": {"success":false,"data":null,"code":"invalid_parameter","message":"Invalid currency: must be a string","error":"invalid_parameter"},
      "invalid_wallet": {"success":false,"data":null,"code":"invalid_wallet","message":"Invalid wallet: 0x12","error":"invalid_wallet"},
      "missing_field": {"success":false,"data":null,"code":"missing_field","message":"Missing field: currency","error":"missing_field"},
      "no_account": {"success":false,"data":null,"code":"no_account","message":"Wallet has no account. Please deposit first.","error":"no_account"},
      "not_found": {"success":false,"data":null,"code":"not_found","message":"No MMP config for BTC","error":"not_found"},
      "rate_limit_exceeded": {"success":false,"data":null,"code":"rate_limit_exceeded","message":"Rate limit exceeded for ApiRequest: 3 per minute, retry after 42 seconds","error":"rate_limit_exceeded","retry_after_secs":42,"limit":3},
      "trading_halted": {"success":false,"data":null,"code":"trading_halted","message":"Trading is halted","error":"trading_halted"},
      "unauthorized": {"success":false,"data":null,"code":"unauthorized","message":"Signer is not authorized for this wallet","error":"unauthorized","details":{"layout":"StandardMarginLiquidationOrder","fields":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","liquidatedWallet":"0x89abcdef0123456789abcdef0123456789abcdef","requestId":"5b000000-0000-8000-8000-000000000001","auctionId":"auction-1","bidUsdc":"1826.013628","portfolioHash":"sha256:57b71eb63b2a4108dfaed107147cc1f73ff706625700a3156c654c036042f317","auctionTermsHash":"sha256:736f8187e8fe0ad9c2476d21904b2c1a97f1dec8616f66df66278e176bd3dedf","bidIntentHash":"another","auctionVersion":"4","nonce":"1004"},"digest":"0x3465e6803d896066ac80e6f59e5d6c0b8eb5092d7e3d7c09a5d5394d0f4a2b76","recovered_address":"0xfedcba9876543210fedcba9876543210fedcba98","domain":{"name":"Strikebook","version":"1","chain_id":"31337"}}},
    },
    "ErrorOfList": {
      "conflict": {"success":false,"code":"conflict","message":"Nonce 1001 already used","error":"conflict"},
      "insufficient_balance": {"success":false,"code":"insufficient_balance","message":"Insufficient balance: 123.456789 can be withdrawn","error":"insufficient_balance","details":{"withdrawable":"123.456789"}},
      "invalid_field": {"success":false,"code":"invalid_field","message":"Invalid amount: must be at least 5","error":"invalid_field","details":{"bound":"5"}},
      "invalid_parameter": {"success":false,"code":"invalid_parameter","message":"Invalid amount: must be a string","error":"invalid_parameter"},
      "missing_field": {"success":false,"code":"missing_field","message":"Missing field: ids","error":"missing_field"},
      "no_account": {"success":false,"code":"no_account","message":"Wallet has no account. Please deposit first.","error":"no_account"},
      "not_found": {"success":false,"code":"not_found","message":"no competition 1","error":"not_found"},
      "not_ready": {"success":false,"code":"not_ready","message":"standings are being read","error":"not_ready"},
      "signature_verification_failed": {"success":false,"code":"signature_verification_failed","message":"Signature verification failed","error":"signature_verification_failed","details":{"layout":"ApproveAgent","fields":{"agent":"0x0123456789abcdef0123456789abcdef01234567","nonce":"0"},"digest":"0xe33d5856f84c3f1a3b54e09e9501cd98f1e49e7bceed76778a546ac8116b0f2a","recovered_address":null,"domain":{"name":"Strikebook","version":"1","chain_id":"31337"}}},
      "unauthorized": {"success":false,"code":"unauthorized","message":"Signer is not authorized for this wallet","error":"unauthorized","details":{"layout":"WithdrawUsdc","fields":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","account":"0x0123456789abcdef0123456789abcdef01234567","destination":"0x89abcdef0123456789abcdef0123456789abcdef","amount":"10","nonce":"1008"},"digest":"0xd6270547e8b5b81a3e381be6b4a50ab32016158d21e5a09957af63ca73f64691","recovered_address":"0xfedcba9876543210fedcba9876543210fedcba98","domain":{"name":"Strikebook","version":"1","chain_id":"31337"}}},
      "withdrawal_destination_inactive": {"success":false,"code":"withdrawal_destination_inactive","message":"Destination is not activated","error":"withdrawal_destination_inactive"},
      "withdrawal_destination_mode_unsupported": {"success":false,"code":"withdrawal_destination_mode_unsupported","message":"Destination transfer mode is not supported","error":"withdrawal_destination_mode_unsupported"},
      "withdrawal_preflight_unavailable": {"success":false,"code":"withdrawal_preflight_unavailable","message":"Verification temporarily unavailable","error":"withdrawal_preflight_unavailable"},
      "withdrawal_source_unavailable": {"success":false,"code":"withdrawal_source_unavailable","message":"Sending account or route unavailable","error":"withdrawal_source_unavailable"},
    },
  },
  messages: {
    "Authenticated": {
      "told": {"type":"Authenticated","wallet":"0x0123456789abcdef0123456789abcdef01234567"},
    },
    "CancelAllResult": {
      "told": {"type":"CancelAllResult","wallet":"0x0123456789abcdef0123456789abcdef01234567","scope":"all","canceled":0,"nonce":1047,"seq":114},
    },
    "CancelOnDisconnectResult": {
      "told": {"type":"CancelOnDisconnectResult","wallet":"0x0123456789abcdef0123456789abcdef01234567","enabled":true,"bound":true,"nonce":1049,"seq":116},
    },
    "ClockSynced": {
      "told": {"type":"ClockSynced","nonce":"now-1","server_at":1795486310370},
    },
    "CompetitionFinalStanding": {
      "told": {"type":"CompetitionFinalStanding","wallet_address":"0x0123456789abcdef0123456789abcdef01234567","competition_id":2,"rank":2,"pnl":"-100","volume":"200000","efficiency":"-0.016738","medal":2,"timestamp":1795486563042,"seq":138},
    },
    "CompetitionFinalStats": {
      "told": {"type":"CompetitionFinalStats","wallet_address":"0x0123456789abcdef0123456789abcdef01234567","competition_id":2,"rank":2,"pnl":"-100","volume":"200000","efficiency":"-0.016738","medal":2,"timestamp":1795486563042,"seq":138},
    },
    "CompetitionGapUpdate": {
      "told": {"type":"CompetitionGapUpdate","wallet_address":"0x0123456789abcdef0123456789abcdef01234567","competition_id":2,"rank":2,"next_rank":1,"gap_metric_value":"0","timestamp":1795486557104,"seq":117},
    },
    "CompetitionPnlSummary": {
      "told": {"type":"CompetitionPnlSummary","wallet_address":"0x0123456789abcdef0123456789abcdef01234567","lifetime_realized_pnl":"0","active_competition":{"competition_id":2,"competition_name":"Stream","competition_state":"active","rank":null,"pnl":"0","volume":"0","efficiency":"0","medal":null},"timestamp":1795486556275,"seq":104},
    },
    "CompetitionRankChange": {
      "told": {"type":"CompetitionRankChange","wallet_address":"0x0123456789abcdef0123456789abcdef01234567","competition_id":2,"from_rank":1,"to_rank":2,"delta_places":-1,"pnl":"-100","timestamp":1795487083077,"seq":127},
    },
    "CompetitionUpdate": {
      "told": {"type":"CompetitionUpdate","wallet_address":"0x0123456789abcdef0123456789abcdef01234567","competition_id":2,"rank":2,"pnl":"-100","volume":"200000","efficiency":"-0.016738","timestamp":1795486558105,"seq":130},
    },
    "DeadManResult": {
      "told": {"type":"DeadManResult","wallet":"0x0123456789abcdef0123456789abcdef01234567","timeout_ms":60000,"fires_at":1795486370842,"nonce":1048,"seq":132},
    },
    "Error": {
      "told": {"type":"Error","message":"Signer is not authorized for this wallet","code":"unauthorized","details":{"layout":"PlaceOrder with route","fields":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","symbol":"BTC-20261226-110000-C","side":"Buy","size":"2","price":"100","tif":"gtc","route":"book_only","clientId":"c-9","nonce":"1005"},"digest":"0xfd846543eb6cec6d37f5d2432f99abc1b26941a30d4ee632459735aa8f0514b4","recovered_address":"0x89abcdef0123456789abcdef0123456789abcdef","domain":{"name":"Strikebook","version":"1","chain_id":"31337"},"is_wallet":false,"matches_other_layout":null},"request_type":"PlaceOrder","client_id":"c-9","nonce":1005},
    },
    "Fill": {
      "told": {"type":"Fill","order_id":3072,"fill_id":3,"symbol":"BTC-20261224-105000-C","side":"Buy","price":"3296","size":"5","timestamp":1795486541989,"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","fee":"0","trade_id":1,"is_taker":true,"builder_code_address":null,"builder_code_fee":null,"instrument_type":"option","fill_source":{"type":"rfq","rfq_id":"01a20b56-5aa5-7000-8000-000000000001","quote_id":"01a20b56-5c35-7000-8000-000000000001"},"client_id":"improved","seq":117},
    },
    "IndexPriceUpdate": {
      "told": {"type":"IndexPriceUpdate","prices":[{"underlying":"BTC","price":"100000","timestamp":1795486676315}],"timestamp":1795486676315,"seq":214,"snapshot":true,"as_of_seq":214},
    },
    "IndicativeMarketData": {
      "told": {"type":"IndicativeMarketData","instrument":"BTC-20261224-105000-C","best_bid":"3000","best_ask":"3299","bid_iv":0.4350375947376518,"ask_iv":0.46238715251951884,"indicative_bid_size":"10","indicative_ask_size":"10","num_providers":1,"rfq_provider_quotes":[{"wallet":"0x0123456789abcdef0123456789abcdef01234567","bid_price":"3000","ask_price":"3299","max_bid_size":"10","max_ask_size":"10","updated_at":1795486537029}],"published_at":1795486537083,"timestamp":1795486537029,"snapshot":true,"as_of_seq":77},
    },
    "LiquidationStateChange": {
      "told": {"type":"LiquidationStateChange","wallet_address":"0x0123456789abcdef0123456789abcdef01234567","previous_state":"in_liquidation","new_state":"in_liquidation","timers_stand":false,"liquidation_mode":"full","margin_mode":"standard","equity":"11963.293333","mm_required":"12296.273239","maintenance_margin":"-332.979906","shortfall":"332.979906","partial_liquidation":null,"full_liquidation":{"auction_id":"auction-1","request_id":"5b000000-0000-8000-8000-000000000001","tx_hash":null,"started_at":1795486570406,"chain_start_time":null,"margin_needed":"2177.420892","stop_request_id":null,"stop_tx_hash":null,"liquidated_at":null,"winner":null,"bonus":null,"resolution_tx_hash":null,"current_required_bid_usdc":"1827.327159","current_equity":"11963.293333","current_mm_required":"12296.273239","current_maintenance_margin":"-332.979906","current_positions":[{"symbol":"BTC-20261224-110000-C","quantity":"-1","entry_price":"3270"}],"current_portfolio_hash":"sha256:57b71eb63b2a4108dfaed107147cc1f73ff706625700a3156c654c036042f317","current_auction_terms_hash":"sha256:a870cc84e42c628a47ac30dddcd8f73c39c5ba7dfb353ce3724c35533ede59ac","current_auction_version":1,"current_valuation_timestamp_ms":1795486570406},"timestamp":1795486570406,"seq":35},
    },
    "MarketUpdate": {
      "told": {"type":"MarketUpdate","action":"Created","symbol":"BTC-20261224-150000-C","strike":"150000","is_call":true,"underlying":"BTC","expiry":1798099200,"timestamp":1795486676410,"seq":13},
    },
    "OptionsChainUpdate": {
      "told": {"type":"OptionsChainUpdate","action":"Upsert","currency":"BTC","expiry":1798099200,"row":{"strike":100000,"call":{"symbol":"BTC-20261224-100000-C","option_token_address":null,"bid_price_usd":123.4,"bid_iv":0.010746740296297881,"bid_size_contracts":1,"bid_size_usd_notional":100000,"ask_price_usd":null,"ask_iv":null,"ask_size_contracts":null,"ask_size_usd_notional":null,"greeks_abs":{"delta":0.5328615992194545,"gamma":0.000024106419839225772,"theta":-108.43116070847354,"vega":114.4357888171035},"greeks_cash":{"delta_1pct_usd":532.8615992194545,"gamma_1pct_usd":24.106419839225772,"theta_1d_usd":-108.43116070847354,"vega_1vol_usd":114.4357888171035}},"put":{"symbol":"BTC-20261224-100000-P","option_token_address":null,"bid_price_usd":null,"bid_iv":null,"bid_size_contracts":null,"bid_size_usd_notional":null,"ask_price_usd":null,"ask_iv":null,"ask_size_contracts":null,"ask_size_usd_notional":null,"greeks_abs":{"delta":-0.4671384007805456,"gamma":0.000024106419839225772,"theta":-108.43116070847354,"vega":114.4357888171035},"greeks_cash":{"delta_1pct_usd":-467.13840078054557,"gamma_1pct_usd":24.106419839225772,"theta_1d_usd":-108.43116070847354,"vega_1vol_usd":114.4357888171035}}},"timestamp":1795486656250,"seq":145},
    },
    "OrderResult": {
      "told": {"type":"OrderResult","order_id":null,"status":"REJECTED","symbol":"BTC-20261224-110000-C","side":"Buy","price":"9000","size":"1","reason":"Price outside band: 1418.311421 to 5034.249438","nonce":1013,"client_id":null,"filled_size":"0","reason_code":"price_band","details":{"lower":"1418.311421","upper":"5034.249438"},"mmp_triggered":false,"seq":64},
    },
    "OrderUpdate": {
      "told": {"type":"OrderUpdate","order_id":null,"request":{"price":"5000","size":"1","symbol":"BTC-20261225-110000-C","side":"Sell","tif":"gtc"},"status":"REJECTED","filled_size":"0","timestamp":1795486624236,"reason":"MMP is frozen for BTC until 1795573023517","wallet_address":"0x0123456789abcdef0123456789abcdef01234567","instrument_type":"option","client_id":null,"nonce":1006,"reason_code":"mmp_frozen","details":{"underlying":"BTC","until":1795573023517},"mmp_triggered":false,"seq":77},
    },
    "OrderbookUpdate": {
      "told": {"type":"OrderbookUpdate","symbol":"BTC-20261224-110000-C","option_token_address":null,"bids":[["1000","2"]],"asks":[["9000","0.5"]],"timestamp":1795486676557,"seq":28,"snapshot":true,"as_of_seq":28},
    },
    "PortfolioUpdate": {
      "BalanceUpdate": {"type":"PortfolioUpdate","kind":"BalanceUpdate","total_margin_used":"0","cash":"998469.1358","equity":"998469.1358","timestamp":1795486675107,"seq":86},
      "GreeksUpdate": {"type":"PortfolioUpdate","kind":"GreeksUpdate","per_leg":[{"symbol":"BTC-20261224-100000-C","quantity":"1","delta":0.5328616181133277,"gamma":0.00002410640585324606,"theta":-108.43109779925582,"vega":114.43585431319075,"iv":0.5730230942032272}],"aggregate":{"delta":0.5328616181133277,"gamma":0.00002410640585324606,"theta":-108.43109779925582,"vega":114.43585431319075,"iv":0.5730230942032272},"timestamp":1795486652871,"seq":33},
      "Initial": {"type":"PortfolioUpdate","kind":"Initial","positions":[{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","symbol":"BTC-20261224-100000-C","amount":"-1","entry_price":"6000","margin_posted":"14651.420357","realized_pnl":"0","unrealized_pnl":"-572.323623","updated_at":"2026-11-24T02:17:32.058Z","instrument_type":"option","notional_value":"-6572.323623","maintenance_margin":"11721.136286","liquidation_price":"0","margin_ratio":"0.011727848410692403"}],"timestamp":1795486652871,"seq":33,"snapshot":true,"as_of_seq":33},
      "MarginUpdate": {"type":"PortfolioUpdate","kind":"MarginUpdate","span_margin":{"equity":"1000000","initial_margin_required":"0","maintenance_margin_required":"0","open_orders_initial_margin":"0","option_margin_required":"0","scanning_risk":"0","option_floor":"0","gamma_overlay":"0","hypercore_margin_required":"0"},"margin_summary":{"mode":"standard","equity":"1000000","position_im":"0","open_orders_im":"0","initial_margin":"1000000","maintenance_margin":"1000000","open_orders_premium_reserved":"0"},"margin_mode":"standard","total_margin_used":"0","available_balance":"1000000","timestamp":1795486650424,"seq":18,"snapshot":true,"as_of_seq":18},
      "PositionUpdate": {"type":"PortfolioUpdate","kind":"PositionUpdate","position":{"wallet_address":"0x0123456789abcdef0123456789abcdef01234567","symbol":"BTC-20261224-100000-C","amount":"1","entry_price":"6000","margin_posted":"5974.284582","realized_pnl":"0","unrealized_pnl":"572.324884","updated_at":"2026-11-24T02:17:32.058Z","instrument_type":"option","notional_value":"6572.324884","maintenance_margin":"4779.427666","liquidation_price":"0","margin_ratio":"0.004776693845249114"},"timestamp":1795486652058,"seq":32},
    },
    "PositionExpired": {
      "told": {"type":"PositionExpired","wallet_address":"0x0123456789abcdef0123456789abcdef01234567","symbol":"HEARD101-20261224-101000-P","position_size":"2","settlement_price":"2234.5679","settlement_value":"4469.1358","settlement_entry_price":"3000","cost_basis":"6000","net_pnl":"-1530.8642","timestamp":1795486675107,"underlying_price":"98765.4321","fee":"0","borne":"0","seq":83},
    },
    "RateLimits": {
      "told": {"type":"RateLimits","wallet":"0x0123456789abcdef0123456789abcdef01234567","tier":"default","windows":[{"category":"OrderPlacement","limit":60,"remaining":60,"reset":1795486320}],"reads":{"category":"ApiRequest","limit":600,"remaining":495,"reset":1795486320},"as_of_seq":118},
    },
    "Resumed": {
      "told": {"type":"Resumed","channel":"fills","from_seq":25,"as_of_seq":52},
    },
    "RfqAcceptResult": {
      "told": {"type":"RfqAcceptResult","rfq_id":"1054b6d5-24ae-4b3f-a6cc-0dd28fc5303e","quote_id":"01a20b58-761f-7000-8000-000000000005","status":"executed","fill_id":"4","reason":null,"reason_code":null,"seq":126},
    },
    "RfqQuotes": {
      "told": {"type":"RfqQuotes","rfq_id":"1054b6d5-24ae-4b3f-a6cc-0dd28fc5303e","quotes":[{"quote_id":"01a20b58-75fb-7000-8000-000000000004","net_premium":"-3620","expires_at":1795486696475}],"status":"quotes_received","taker_wallet":"0x0123456789abcdef0123456789abcdef01234567","seq":114},
    },
    "RfqStatusUpdate": {
      "told": {"type":"RfqStatusUpdate","rfq_id":"b32b0ec1-0b9d-4bc4-98f1-a45bce9e61bb","status":"failed","taker_wallet":"0x0123456789abcdef0123456789abcdef01234567","reason":"Invalid symbol in leg 1","reason_code":"invalid_symbol","details":{"leg":1},"timestamp":1795486677079,"seq":151},
    },
    "Subscribed": {
      "told": {"type":"Subscribed","channel":"orderbook","unknown_symbols":["BTC"],"unknown_symbol_count":1},
    },
    "Trade": {
      "told": {"type":"Trade","symbol":"BTC-20261226-110000-C","price":"3300","size":"1.5","side":"buy","timestamp":1795486674107,"trade_id":7,"seq":227},
    },
    "Unsubscribed": {
      "told": {"type":"Unsubscribed","channel":"orderbook"},
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
    "qp_margin_rejection": {
      "told": {"type":"qp_margin_rejection","rfq_id":"01a20b56-747c-7000-8000-000000000003","quote_id":"01a20b56-74b7-7000-8000-000000000004","reason":"Insufficient margin: required=126546.38528, equity=75947.98738, shortfall=50598.3979, consumed_im=61247.18633, incremental_im=65299.19895, consumed_mm=48997.749064, incremental_mm=48997.749064"},
    },
    "rfq_already_filled": {
      "told": {"type":"rfq_already_filled","rfq_id":"01a20b56-5aa5-7000-8000-000000000001","filled_by_quote_id":"01a20b56-5c35-7000-8000-000000000001"},
    },
    "rfq_request": {
      "told": {"type":"rfq_request","rfq_id":"01a20b57-19eb-7000-8000-000000000007","legs":[{"instrument":"BTC-20261224-108000-C","side":"buy","size":"2.5"}],"taker_wallet":"0x0000000000000000000000000000000000000000","request_timestamp":1795486587371,"response_deadline_ms":30000,"auto_accept_limit":"8275","auto_execute":true,"taker_limit_price":"3310","reference_price":"3310","min_improvement_tick":"1","auction_deadline_ms":30000,"requires_price_improvement":false},
    },
  },
  frames: {
    "connect_quote_provider": {
      "told": {"type":"connect_quote_provider","wallet":"0x0123456789abcdef0123456789abcdef01234567","timestamp":"1795486213825","nonce":1003,"signature":"0x76ae966d4e9195d5e80e575a7797cbb29d2a12face703ffab5b86e61f14bbbcc0623bc435ee3b44d84e090f25e1795ef72044f9718a647ae8f1a6aeb679eb01a1c"},
    },
    "indicative_quote_update": {
      "told": {"type":"indicative_quote_update","quotes":[{"instrument":"BTC-20261224-104000-C","bid_price":"0","ask_price":"3299","max_bid_size":"10","max_ask_size":"10"}]},
    },
    "rfq_response": {
      "told": {"type":"rfq_response","rfq_id":"01a20b56-5aa5-7000-8000-000000000001","action":"quote","legs":[{"instrument":"BTC-20261224-105000-C","side":"buy","size":"3","price":"3294"}],"net_premium":"-9882","valid_for_ms":20000,"nonce":1002,"signature":"0x65d4867c75080c551aab2fee065bf27f102b17a3771607cb9fb082bc39ae254b63706309be684b9fac698159f82d5b665abc8e258c6bd2604bd94a1d008a95af1c"},
    },
    "scoped_indicative_quote_update": {
      "told": {"type":"scoped_indicative_quote_update","scope":"0123456789abcdef0123456789abcdef","quotes":[{"instrument":"BTC-20261224-90000-P","bid_price":"1","ask_price":"2","max_bid_size":"5","max_ask_size":"5"}]},
    },
  },
  operator: {
    "DELETE /operator/instruments": {
      "answered": {"ok":true,"seq":149,"timestamp":1795486974841,"result":"MARKET_DELETED","changed":true,"symbol":"BTC-20301227-100000-C","instrument_id":1},
    },
    "GET /livez": {
      "answered": {"status":"ok","failing":[]},
    },
    "GET /operator/approvals": {
      "answered": {"ok":true,"data":[{"approval_id":"6b289b5f-65b4-4f06-8403-9a1ac9209900","method":"POST","path":"/operator/deposits","body":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","amount":"12","deposit_id":"wire-1"},"requested_by":"alice","requested_ts_ms":1795530495922,"expires_ts_ms":1795534095922}]},
    },
    "GET /operator/audit": {
      "answered": {"ok":true,"data":[{"id":5,"time_ms":1795530501784,"identity":"bob","address":"127.0.0.1","method":"POST","path":"/operator/approvals","body":{"approval_id":"6b289b5f-65b4-4f06-8403-9a1ac9209900","verdict":"approved"},"requested":{"approval_id":"6b289b5f-65b4-4f06-8403-9a1ac9209900","identity":"alice","method":"POST","path":"/operator/deposits","body":{"wallet":"0x0123456789abcdef0123456789abcdef01234567","amount":"12","deposit_id":"wire-1"}},"outcome":"done","status":200,"code":null,"seq":4,"left_out":0}],"page":{"limit":2,"next_cursor":"1582","has_more":true}},
    },
    "GET /operator/identity": {
      "answered": {"ok":true,"identity":"operator","scopes":["all"]},
    },
    "GET /operator/liquidations": {
      "answered": {"ok":true,"data":[{"wallet":"0x0123456789abcdef0123456789abcdef01234567","state":"pre_liquidation","liquidation_mode":null,"waits_for_mark":false,"timers_stand":false,"entered_ts_ms":1795555086526,"deadline_ts_ms":1795558686526,"equity":"9400","mm_required":"9600","shortfall":"200"}],"pagination":{"limit":50,"offset":0,"count":1,"total":1}},
    },
    "GET /operator/quote-providers": {
      "answered": {"ok":true,"data":[{"wallet":"0x0123456789abcdef0123456789abcdef01234567","status":"active","sessions":0}]},
    },
    "GET /operator/state": {
      "answered": {"ok":true,"ready":true,"draining":false,"seq":104,"batch_number":49,"state_hash":"93c86f45ea3866c5","threads":[{"role":"core","thread_id":21121,"heartbeat_ms":1795544351289,"work_seconds":0.12291347699999892,"processor_seconds":0.310984213}],"rings":{"commands-0":0,"commands-1":0,"orders-0":0,"results-0":0,"journal":0,"reads-0":0,"replies-0":0,"notices":0},"journal":{"batch_number":49,"bytes":7832,"segments_finished":0,"snapshot_batch_number":0,"flushes":33,"flush_ms":29.22821300000054,"flush_ms_max":7.795094000000063},"event_log":{"head":2232,"durable":2232},"history":{"seq":81},"clock":{"alarm":false,"ahead_ms":0,"offset_ms":0},"invariants":{"looks":0,"batch_number":0,"breaches":[]},"halts":[{"underlying":"BTC","mode":"open"}],"venue":{"funds":{"fees":"0","insurance":"0","dust":"0","clearing":"0","in_transit":"0","insurance_deposits":"0"},"liquidations":{"pre_liquidation":0,"partial":0,"full":0,"waiting":0},"expiries_pending":{"count":0,"expiries":[]}}},
    },
    "GET /operator/usernames": {
      "answered": {"ok":true,"data":[{"wallet":"0x0123456789abcdef0123456789abcdef01234567","requested_username":"anna","username":"ann"}],"pagination":{"limit":50,"offset":0,"count":1,"total":1}},
    },
    "GET /readyz": {
      "answered": {"status":"ready","failing":[]},
    },
    "POST /operator/approvals": {
      "answered": {"ok":true,"seq":4,"timestamp":1795530501714,"verdict":"approved","approval_id":"6b289b5f-65b4-4f06-8403-9a1ac9209900","requested_by":"alice","approved_by":"bob","answer":{"result":"DEPOSIT_CREDITED","changed":true,"wallet":"0x0123456789abcdef0123456789abcdef01234567","amount":"12","deposit_id":"wire-1"}},
    },
    "POST /operator/builders": {
      "answered": {"ok":true,"seq":134,"timestamp":1795486967525,"changed":true,"builder":"0x0123456789abcdef0123456789abcdef01234567","status":"active"},
    },
    "POST /operator/clock": {
      "answered": {"ok":true,"seq":134,"timestamp":1795486974682,"result":"CLOCK_NOT_IN_ALARM","changed":false,"accept":"engine","clock":1795486974681,"waits_ms":0},
    },
    "POST /operator/competitions": {
      "answered": {"ok":true,"seq":143,"timestamp":1795486974771,"result":"COMPETITION_SET","changed":true,"id":1,"name":"First week","start_ts_ms":1924560000000,"end_ts_ms":1925164800000,"win_conditions":["pnl","volume"]},
    },
    "POST /operator/deposits": {
      "answered": {"ok":true,"seq":117,"timestamp":1795486294612,"result":"DEPOSIT_CREDITED","changed":true,"wallet":"0x0123456789abcdef0123456789abcdef01234567","amount":"77","deposit_id":"kept"},
    },
    "POST /operator/halts": {
      "answered": {"ok":true,"seq":121,"timestamp":1795486294624,"underlying":"BTC","mode":"cancel_only"},
    },
    "POST /operator/index-prices": {
      "answered": {"ok":true,"seq":10,"timestamp":1795486669044,"changed":true,"prices":[{"underlying":"FULL100","price":"105100","timestamp":1795485771000}]},
    },
    "POST /operator/instruments": {
      "answered": {"ok":true,"seq":1001,"timestamp":1795486311932,"result":"MARKET_CREATED","changed":true,"symbol":"BTC-20261224-240900-C","instrument_id":412,"expiry":1798099200},
    },
    "POST /operator/insurance-fund": {
      "answered": {"ok":true,"seq":123,"timestamp":1795486974534,"result":"DEPOSIT_CREDITED","changed":true,"amount":"1000","deposit_id":"fund-1"},
    },
    "POST /operator/max-index": {
      "answered": {"ok":true,"seq":133,"timestamp":1795486974664,"changed":true,"underlying":"BTC","max_index":"2000000"},
    },
    "POST /operator/quote-providers": {
      "answered": {"ok":true,"seq":106,"timestamp":1795486288710,"changed":true,"wallet":"0x0123456789abcdef0123456789abcdef01234567","status":"active"},
    },
    "POST /operator/settlement-prices": {
      "answered": {"ok":true,"seq":132,"timestamp":1795486678122,"result":"SETTLEMENT_PRICE_SET","changed":true,"underlying":"SOFAR102","expiry":1795486678,"price":"104000"},
    },
    "POST /operator/tiers": {
      "answered": {"ok":true,"seq":102,"timestamp":1795486590438,"wallet":"0x0123456789abcdef0123456789abcdef01234567","tier":"market_maker"},
    },
    "POST /operator/usernames": {
      "answered": {"ok":true,"seq":18,"timestamp":1795486268774,"changed":true,"wallet":"0x0123456789abcdef0123456789abcdef01234567","verdict":"approved"},
    },
    "POST /operator/vol-surfaces": {
      "answered": {"ok":true,"seq":10,"timestamp":1795486266771,"underlying":"BTC","expiry":1798099200,"kind":"points"},
    },
    "POST /operator/wallet-halts": {
      "answered": {"ok":true,"seq":74,"timestamp":1795878867554,"changed":false,"wallet":"0x0123456789abcdef0123456789abcdef01234567","mode":"open"},
    },
    "POST /operator/withdrawals": {
      "answered": {"ok":true,"seq":112,"timestamp":1795486715036,"changed":true,"directive_id":"b3db8129-5a64-8cb5-9edc-a9b10ca0d681","verdict":"returned"},
    },
    "POST /user-tier": {
      "answered": {"ok":true,"seq":138,"timestamp":1795486974721,"wallet":"0x0123456789abcdef0123456789abcdef01234567","tier":"tier1"},
    },
  },
}
