import type { EngineConfig } from '../../engine/state/market/engine-config.js'
import { barredMillis } from '../../engine/state/rfq/auction-table.js'
import {
  microsPerUsd,
  mmpIntervalMillisMax,
  quoteMillisMax,
  rfqLegsMax,
  rfqQuotesMax,
} from '../../schemas/bounds.js'
import type { Section } from './rules.js'

// Prose of both documents about procedures with several parties, in the order of their steps.

const secondsOf = (millis: number) => `${millis / 1000} seconds`

/** Returns the rules of trading, the same for HTTP and streams. */
export function tradingSections(engine: EngineConfig): readonly Section[] {
  return [
    orders,
    requestsForQuote(engine),
    acceptance(engine),
    auctions(engine),
    protection(engine),
    liquidations(engine),
    expiries(engine),
  ]
}

const orders: Section = {
  title: 'Orders',
  lines: [
    'Price, then time: an order trades at the prices of the resting orders. `x-states` has every move of an order, an ' +
      'instrument, a request for quote and an account in liquidation, and its cause.',
    'The first update of an accepted order is `ACKED`. Then each engine step that changes the order sends one update with ' +
      'the state after the step. Each fill has a message of its own. An `ioc` or `fok` order that does not trade is ' +
      '`CANCELED`, not `REJECTED`.',
    'The engine checks in this order: the signer; a duplicate, which gets the first result; the nonce; caps; a stop of the ' +
      'wallet or a halt of the underlying; instrument; route; tier; funds; margin. The first check that fails is the reason.',
    'A replacement is the new order or nothing. If the old order cannot be cancelled, or the new one is rejected, nothing ' +
      'changes. The size of the new order is its whole size.',
    'If an order would trade with another one of its wallet, the venue cancels the new order, the resting one or both, as ' +
      'POST /self-trade-prevention sets it. The default is the new order.',
    'When a position becomes smaller than a working reduce-only order, the same step cancels the excess of the order.',
  ],
}

function requestsForQuote({ rfq }: EngineConfig): Section {
  return {
    title: 'Requests for quote',
    lines: [
      `A request names 1 to ${rfqLegsMax} distinct instruments of one underlying. The venue checks in this order: shape; ` +
        'signature and signer; rate limit; nonce; an unused rfq_id (else `conflict`); halt and liquidation; instruments that ' +
        `are active and trade by requests; tier; funds; at most ${rfq.maxOpenPerWallet} open requests per wallet. A failure up to ` +
        'the rfq_id is an error. A later one is a request with status `failed`. A request reserves no margin.',
      'The net premium is the sum over the legs of -price x size where the taker buys, and +price x size where it sells, ' +
        'truncated to 6 decimals: buying 1 at 500 and selling 1 at 200 is -300. The larger one is better for the taker. Of ' +
        'equal ones the earlier wins.',
      'With a limit the request executes by itself. It is a buy when its first leg is one. For a buy, a limit above 0 is the ' +
        'most that the taker pays, and the bound is its negative. Otherwise the bound is the limit. A quote is eligible if ' +
        'its net premium is at least the bound. With several legs, a limit above 0 that contradicts the marks fails with ' +
        '`invalid_field`.',
      `Providers may quote for ${secondsOf(rfq.responseDeadlineMillis)}, replacements included. A request is open for ` +
        `${secondsOf(rfq.lifetimeMillis)}. A quote in the last millisecond is in time. A quote lives for its valid_for_ms, at most ` +
        `${quoteMillisMax}, and no longer than the request. A provider may answer ${rfqQuotesMax} times.`,
      'A firm quote that fails gets `error` with one code. The venue checks in this order: `not_found` (no such request), ' +
        '`rfq_closed` or `rfq_already_filled`, `not_found` (the provider was not invited), `deadline_passed`, `legs_mismatch`, ' +
        '`premium_mismatch`. Next come `invalid_field` (valid_for_ms), `signature_verification_failed`, `unauthorized`, ' +
        '`nonce_used`, `trading_halted` (the wallet of the provider is stopped), `self_trade_prevention`. Instruments, sides ' +
        'and sizes of the legs must be those of the request, in its order. Each price must be above 0 in micros. net_premium ' +
        'must be the sum over the legs, within one micro per leg and contract. A quote that the margin of the provider does not cover ' +
        'gets `qp_margin_rejection`. A quote reserves no margin.',
      'Without an eligible quote, a request with a limit and one leg becomes a `gtc` order on the book. Its price is limit / ' +
        'size, rounded to a legal price in favour of the taker, and its client_id is the rfq_id. There is no order if that ' +
        'price is not above 0. Requests with several legs never become orders.',
    ],
  }
}

function acceptance({ rfq, mmpIncludeRfq }: EngineConfig): Section {
  const prices = rfq.priceByMarks
    ? 'Legs trade at their marks, shifted so that they add up to the net premium.'
    : 'Legs trade at their quoted prices, truncated to micros. If one is outside the band of its mark, all trade at their ' +
      'marks, shifted so that they add up to the net premium.'
  return {
    title: 'Acceptance',
    lines: [
      'The signature covers the quote and its net premium. The venue first checks shape, signature, signer, rate limit and ' +
        'nonce. Then the request must be known and of this wallet (404 `not_found`). It must not be final (409 ' +
        '`rfq_already_filled` after a trade, 409 `rfq_closed` after any other end). The quote must be known (404) and not ' +
        'expired (409 `conflict`). These failures are errors. Then the instruments must be active and open, neither party in ' +
        'liquidation, and taker and provider different. The margin of the provider comes next, and at last margin, caps and ' +
        'tier of the taker for the whole combo. These failures have status `failed` and a reason. A provider that fails gets `qp_margin_rejection`, its quote is dropped, and the ' +
        'request continues. A taker that fails ends the request.',
      'All legs trade in one step, or none. Each leg has one trade and two fills; the fill of the taker has `is_taker`, and ' +
        '`fill_source` is `rfq`. The venue then sends RfqAcceptResult, RfqStatusUpdate, Trade and Fill. The other providers ' +
        'receive `rfq_already_filled`.',
      `${prices} Cash of a leg is price x size, rounded half-even to micros. The difference between their sum and the net ` +
        'premium is added to the leg with the most cash, so that exactly the net premium changes hands.',
      `Fills of requests ${mmpIncludeRfq ? 'count' : 'do not count'} for market-maker protection.`,
    ],
  }
}

function auctions({ rpi }: EngineConfig): Section {
  return {
    title: 'Auction of an order (retail price improvement)',
    lines: [
      'An order with one leg and route `best_execution` passes these steps. 1: it passes all its checks, is `ACKED`, has its ' +
        'id, and its margin stays reserved.',
      '2: it goes to the book at once if no connected provider other than the taker shows a live row for it. The row must not ' +
        'be crossed nor cross the book. It also goes to the book at once if the instrument does not trade by requests, or if ' +
        'its limit reaches neither the best price of the other side of the book nor the best such row. A row does not count for ' +
        `${secondsOf(barredMillis)} after its provider declined, did not answer, or answered worse than the row within its size.`,
      '3: if the limit reaches the best price of the other side of the book, that price is the `reference_price`, and a quote ' +
        'must better it. Otherwise the limit is the `reference_price`.',
      '4: those providers receive `rfq_request`, with the zero address as the taker, and without limits if the reference is a ' +
        `price of the book. They have ${rpi.auctionMillis} ms.`,
      '5: a provider does not see the quotes of others. The last valid one of each provider counts.',
      '6: a quote is eligible if it is for the whole size and valid at the decision. If the reference must be bettered, a buy ' +
        'needs `min(limit, reference - tick)` or less, and a sell `max(limit, reference + tick)` or more. Otherwise it must be ' +
        'within the limit. The tick is the price step at the reference, at least ' +
        `${rpi.minImprovementTick / microsPerUsd}.`,
      '7: the decision comes when the time has passed, or all have answered. The best price wins, of equal ones the earlier. If ' +
        'the book now fills the whole order at a mean price as good, the order goes to the book. A provider whose margin does ' +
        'not cover its quote receives `qp_margin_rejection`, and the next quote is taken.',
      '8: the winner gets the whole size at its price in one step, with `fill_source` `rfq`. The others receive ' +
        '`rfq_already_filled`.',
      '9: without a winner the order enters the book with its own tif, and its time priority begins there. If it has no book, ' +
        'it is `CANCELED` with `no_eligible_quote`.',
      'A cancel or a replacement before the decision ends the auction; so do expiry, a halt (`trading_halted`) and ' +
        'liquidation. POST /order and OrderResult are answered when auction and book have finished. Example with tick 1: buy ' +
        '5 at 3310, asks 2 at 3300 and 10 at 3305. The reference is 3300, the bound 3299. 5 at 3296 is eligible. 3 at 3294 ' +
        'and 5 at 3299.5 are not.',
    ],
  }
}

function protection({ mmpCountTakerFills }: EngineConfig): Section {
  return {
    title: 'Market-maker protection',
    lines: [
      'It applies to a wallet and underlying after POST /mmp-config. A fill of an order with `mmp_enabled`, as maker' +
        `${mmpCountTakerFills ? ' or as taker' : ''}, adds its contracts, its signed contracts x delta and its signed ` +
        'contracts x vega, above 0 for a buy, by the marks of that moment. Fills that are interval_ms old or older no longer ' +
        `count. An interval is at most ${mmpIntervalMillisMax} ms.`,
      'It triggers when the sum of contracts reaches qty_limit, or the absolute value of the sum of delta or vega reaches ' +
        'delta_limit or vega_limit. The fill stays. In the same step, before the incoming order meets another order of the ' +
        'wallet, the engine cancels the rest of that order (`mmp_triggered`), then every other order of the wallet and ' +
        'underlying with `mmp_enabled` (`mmp_canceled`). The sums start again at 0.',
      'New orders with `mmp_enabled` are rejected (`mmp_frozen`) for frozen_time_ms, or with 0 until POST /mmp-config/reset. ' +
        'Other orders are not affected. The freeze survives a restart.',
      'Example: interval 5000, qty_limit 10, delta_limit 4. Selling 3 of delta 0.32 at 0, 4 of delta -0.25 at 2000 and 3.5 of ' +
        'delta 0.32 at 4000 makes 10.5 contracts and -1.08: it triggers by contracts. At 0, 6000 and 8000 it is 7.5 and ' +
        '-0.12: the first fill no longer counts.',
    ],
  }
}

function liquidations({ liquidation }: EngineConfig): Section {
  const { graceSeconds, partialSeconds, bonusBps, bonusBpsMax, bonusStepBps } = liquidation
  const { repriceSeconds, recoverRatio, targetRatio } = liquidation
  const { auctionFastEnd, auctionFastSeconds, auctionSlowSeconds, auctionStart } = liquidation
  return {
    title: 'Liquidation',
    lines: [
      'An account whose equity is below its maintenance margin has ' +
        `${graceSeconds} seconds of grace. Equity of ${recoverRatio} times the margin ends the grace early. Then orders close its ` +
        `positions for ${partialSeconds} seconds (\`partial\`), ${bonusBps} hundredths of a percent off the mark, ` +
        `${bonusStepBps} more every ${repriceSeconds} seconds up to ${bonusBpsMax}, until equity is ${targetRatio} times the ` +
        'margin. Then the whole account is in auction (`full`). An account without equity goes to auction at once.',
      `In the auction the required bid falls from ${auctionStart} of what the account is worth to ${auctionFastEnd} in ` +
        `${auctionFastSeconds} seconds, then to 0 in ${auctionSlowSeconds}. A bid copies its terms from one GET ` +
        '/liquidation/status. Outdated terms fail with 409 `conflict`. `x-hashes` describes its hashes.',
      'The account bears a loss first, then the insurance fund, then the positions of others on the other side ' +
        '(auto-deleveraging).',
    ],
  }
}

function expiries({ pricing, settlement }: EngineConfig): Section {
  return {
    title: 'Expiry and settlement',
    lines: [
      'Options are European and settle in cash automatically. At its expiry an option stops trading. Its settlement price ' +
        `is the mean index of the last ${pricing.settlementWindowSeconds / 60} minutes, one sample a second, if at least a ` +
        `share of ${settlement.minValidShare} of the samples exists. Otherwise the operator sets it.`,
      'Then every position is paid its value per contract: for a call max(0, price - strike), for a put max(0, strike - ' +
        'price).',
    ],
  }
}
