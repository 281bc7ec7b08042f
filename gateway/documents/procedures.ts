import { intervalMillisMax } from '../../engine/matching/mmp-window.js'
import { barredMillis } from '../../engine/state/auction-table.js'
import type { EngineConfig } from '../../engine/state/engine-config.js'
import { microsPerUsd, quoteMillisMax, rfqLegsMax, rfqQuotesMax } from '../../schemas/bounds.js'
import type { Section } from './rules.js'

// What happens in which order where several have a part in it: told in the words of both documents.

const secondsOf = (millis: number) => `${millis / 1000} seconds`

/** What holds for trading itself, however it is asked for. */
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
    'Price, then time: an order trades at the prices of those that were there before it. `x-states` has every move of an ' +
      'order, an instrument, a request for quote and an account in liquidation, and when it happens.',
    'An accepted order is told as `ACKED` first, then once for each step of the engine that has changed it, with what it has ' +
      'come to by the end of that step; every fill is told by itself. `ioc` and `fok` that do not trade are `CANCELED`, not ' +
      '`REJECTED`.',
    'The engine looks at: the signer; a repeat, which is answered by the first outcome; the nonce; caps; the halt of the ' +
      'underlying; instrument; route; then tier, funds and margin. The first that fails is the reason.',
    'A replacement is the new order, or nothing: where the old one cannot be cancelled, or the new one is refused, all stays ' +
      'as it is. Its size is the whole of the new order.',
    'A wallet’s order that would trade with another of its own ends the new one, the resting one or both, as POST ' +
      '/self-trade-prevention has set it; unless set, the new one.',
    'Where a position becomes smaller than a working reduce-only order, what is too much of it is cancelled in that step.',
  ],
}

function requestsForQuote({ rfq }: EngineConfig): Section {
  return {
    title: 'Requests for quote',
    lines: [
      `A request names 1 to ${rfqLegsMax} distinct instruments of one underlying. Looked at in this order: its shape; ` +
        'signature and signer; window; nonce; an unused rfq_id (else `conflict`); halt and liquidation; instruments that are ' +
        `active and trade by requests; tier; funds; at most ${rfq.maxOpenPerWallet} open ones of a wallet. What fails up to ` +
        'the rfq_id is an error, what fails behind it a request with status `failed`. It reserves no margin.',
      'The net premium is the sum over the legs of -price x size where the taker buys, +price x size where it sells, further ' +
        'decimals than 6 cut off: buying 1 at 500 and selling 1 at 200 is -300. Larger is better for the taker; of equal ones ' +
        'the earlier.',
      'A limit makes it execute by itself. A request is a buy when its first leg is. Of a buy, a limit above 0 is the most ' +
        'that is paid: the bound is its negative. Else the limit is the bound. Eligible is a net premium of at least the ' +
        'bound. Of several legs, a limit above 0 that says the opposite of what the marks say is `invalid_field`.',
      `Quotes are taken for ${secondsOf(rfq.responseDeadlineMillis)}, a replacement too; a request is open for ` +
        `${secondsOf(rfq.lifetimeMillis)}. What comes in the last millisecond is in time. A quote lives for its valid_for_ms, ` +
        `at most ${quoteMillisMax}, and no longer than the request; a provider may answer ${rfqQuotesMax} times.`,
      'A firm quote is refused by `error` with one of these codes, in this order: `not_found` (no such request), ' +
        '`rfq_closed` or `rfq_already_filled`, `not_found` (it was not asked), `deadline_passed`, `legs_mismatch` ' +
        '(instruments, sides and sizes are those of the request, in its order), `premium_mismatch` (each price is above 0 in ' +
        'micros; net_premium is the sum over the legs but for one micro a leg and a contract of it), `invalid_field` ' +
        '(valid_for_ms), `signature_verification_failed`, `unauthorized`, `nonce_used`, `self_trade_prevention`; what its ' +
        'margin does not bear by `qp_margin_rejection`. It reserves no margin.',
      'Without an eligible quote a request with a limit and one leg becomes a `gtc` order on the book, at limit / size ' +
        'rounded to a legal price in favour of the taker, with client_id the rfq_id; none where that is not above 0. Several ' +
        'legs never become orders.',
    ],
  }
}

function acceptance({ rfq, mmpIncludeRfq }: EngineConfig): Section {
  const prices = rfq.priceByMarks
    ? 'Legs are priced by their marks, moved so that they come to the net premium.'
    : 'Legs trade at their quoted prices, cut off to micros; where one lies outside the band of its mark, at their marks, moved ' +
      'so that they come to the net premium.'
  return {
    title: 'Acceptance',
    lines: [
      'What is signed names the quote and its net premium. Looked at in this order: shape, signature, signer, window, nonce; ' +
        'the request is known and of this wallet (404 `not_found`), not final (409 `rfq_already_filled` after a trade, ' +
        '409 `rfq_closed` after any other end), the quote known (404), not expired (409 `conflict`): these are errors. Then the instruments are active and open, both parties not in liquidation, taker ' +
        'and provider differ, margin of the provider, then margin, caps and tier of the taker for the whole package: these ' +
        'come as status `failed` with the reason. A provider that fails is told `qp_margin_rejection`, its quote is ' +
        'dropped, and the request goes on; a taker that fails ends it.',
      'All legs trade in one step, or none does: of each a trade and two fills, the taker’s with `is_taker`, `fill_source` ' +
        '`rfq`. Then RfqAcceptResult, RfqStatusUpdate, Trade and Fill are told; the others that were asked hear ' +
        '`rfq_already_filled`.',
      `${prices} Cash of a leg is price x size, rounded half-even to micros; what their sum is off the net premium goes to the ` +
        'leg with the most cash, so that exactly the net premium changes hands.',
      `Fills of requests ${mmpIncludeRfq ? 'count' : 'do not count'} for market-maker protection.`,
    ],
  }
}

function auctions({ rpi }: EngineConfig): Section {
  return {
    title: 'Auction of an order (retail price improvement)',
    lines: [
      'Of an order with one leg and route `best_execution`, in these steps. 1: all its checks have passed; it is `ACKED`, has ' +
        'its id, and its margin stays reserved.',
      '2: it goes to the book at once where no connected provider other than the taker shows a live row for it that neither ' +
        'is crossed nor crosses the book, where the instrument does not trade by requests, or where its limit reaches ' +
        'neither the best price of the other side of the book nor the best such row. A row does not count for ' +
        `${secondsOf(barredMillis)} after its provider has declined, was silent, or answered worse than it within its size.`,
      '3: `reference_price` is the best price of the other side of the book where the limit reaches it, and then has to be ' +
        'bettered; else the limit.',
      '4: those providers are sent `rfq_request`, the taker as the zero address, without limits where the book gave the ' +
        `reference; they have ${rpi.auctionMillis} ms.`,
      '5: nobody sees the quotes of others; the last valid one of a provider counts.',
      '6: eligible is a quote for the whole size, valid at the decision, at `min(limit, reference - tick)` or less for a buy, ' +
        '`max(limit, reference + tick)` or more for a sell, where the reference has to be bettered; else within the limit. ' +
        `The tick is the step of prices at the reference, at least ${rpi.minImprovementTick / microsPerUsd}.`,
      '7: decided when the time is over, or all have answered: the best price, of equal ones the earlier. Where the book fills ' +
        'all of it now at a mean price as good, it goes there. A provider whose margin does not bear it is told ' +
        '`qp_margin_rejection`, and the next one is taken.',
      '8: the winner gets the whole size at its price in one step, `fill_source` `rfq`; the others hear `rfq_already_filled`.',
      '9: without a winner it enters the book with its own tif, its time priority beginning there; where it has no book it is ' +
        '`CANCELED`, `no_eligible_quote`.',
      'A cancel or replace before the decision ends it; so do expiry, halt (`trading_halted`) and liquidation. POST /order and ' +
        'OrderResult are answered when auction and book are through. Example, tick 1: buy 5 at 3310, asks 2 at 3300 and 10 at ' +
        '3305. The reference is 3300, the bound 3299. 5 at 3296 is eligible; 3 at 3294 is not, nor is 5 at 3299.5.',
    ],
  }
}

function protection({ mmpCountTakerFills }: EngineConfig): Section {
  return {
    title: 'Market-maker protection',
    lines: [
      'For each wallet and underlying that has set it (POST /mmp-config): a fill of an order with `mmp_enabled`, as maker' +
        `${mmpCountTakerFills ? ' or as taker' : ''}, adds its contracts, its signed contracts x delta and its signed ` +
        'contracts x vega, above 0 for a buy, by the marks of that moment. What is interval_ms old or older is dropped; an ' +
        `interval is at most ${intervalMillisMax} ms.`,
      'It strikes when the sum of contracts is qty_limit or more, or that of delta or vega, by its absolute value, delta_limit ' +
        'or vega_limit or more. The fill stands. In the same step, before the incoming order meets another one of the ' +
        'wallet, the rest of that order is cancelled (`mmp_triggered`), then every other order of wallet and underlying ' +
        'that has `mmp_enabled` (`mmp_canceled`); the sums begin anew.',
      'For frozen_time_ms, or with 0 until POST /mmp-config/reset, new orders with `mmp_enabled` are rejected (`mmp_frozen`); ' +
        'others are not touched. It survives a restart.',
      'Example: interval 5000, qty_limit 10, delta_limit 4. Selling 3 of delta 0.32 at 0, 4 of delta -0.25 at 2000 and 3.5 of ' +
        'delta 0.32 at 4000 makes 10.5 contracts and -1.08: it strikes by contracts. At 0, 6000 and 8000 it is 7.5 and ' +
        '-0.12: the first fill has gone.',
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
        `${graceSeconds} seconds of grace, which equity of ${recoverRatio} times the margin ends early. Then its positions ` +
        `are closed by orders for ${partialSeconds} seconds (\`partial\`), ${bonusBps} hundredths of a percent off the mark, ` +
        `${bonusStepBps} more every ${repriceSeconds} seconds up to ${bonusBpsMax}, until equity is ${targetRatio} times the ` +
        'margin. Then all of it is in auction (`full`). An account without equity goes there at once.',
      `In the auction the required bid falls from ${auctionStart} of what the account is worth to ${auctionFastEnd} in ` +
        `${auctionFastSeconds} seconds, then to 0 in ${auctionSlowSeconds}. A bid copies its terms from one GET ` +
        '/liquidation/status; terms that are not current any more are 409 `conflict`. `x-hashes` says how its hashes are made.',
      'A loss is borne by the account, then by the insurance fund, then by the positions of others on the other side ' +
        '(auto-deleveraging).',
    ],
  }
}

function expiries({ pricing, settlement }: EngineConfig): Section {
  return {
    title: 'Expiry and settlement',
    lines: [
      'Options are European and paid in cash by themselves. At its expiry an option stops trading; its price is made of the ' +
        `index of the last ${pricing.settlementWindowSeconds / 60} minutes, one sample a second, where ` +
        `${settlement.minValidShare} of them at least are there; else the operator names it.`,
      'When it is known every position is paid what it is worth: of a call max(0, price - strike) a contract, of a put ' +
        'max(0, strike - price).',
    ],
  }
}
