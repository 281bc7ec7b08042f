import { microsPerUsd } from '../../../schemas/bounds.js'
import { RfqKind, Side } from '../../../schemas/domain.js'
import {
  AcceptRfqQuoteCommand,
  DeclineRfqCommand,
  QuoteRfqCommand,
  SubmitRfqCommand,
} from '../../../schemas/generated/commands.js'
import type { PublishedRfq } from '../published/published-rfqs.js'
import { Action } from './action.js'
import { commandOf, setKey } from './command-record.js'
import { optionPlans, type PlannedInstrument, walletOf } from './market-plan.js'
import type { CommandGenerator, Trader } from './trader.js'

const idsKnown = 20

/** Requests and their answers: mostly valid, sometimes anything. */
export const rfqCommands: readonly CommandGenerator[] = [
  { weight: 8, make: submitRfq },
  { weight: 2, make: quoteRfq },
  { weight: 1, make: acceptQuote },
]
/** Sent while requests are open. */
export const rfqAnswers: readonly CommandGenerator[] = [
  { weight: 12, make: quoteRfq },
  { weight: 8, make: acceptQuote },
  { weight: 1, make: declineRfq },
]

/** Mostly for one underlying; sometimes under an id that was used. */
function submitRfq(trader: Trader): Action {
  const { random } = trader
  const first = random.pick(optionPlans)
  const isMixed = random.below(20) === 0
  const others = optionPlans.filter(
    (plan) => plan !== first && (isMixed || plan.underlyingText === first.underlyingText),
  )
  const plans = new Set<PlannedInstrument>([first])
  for (let more = random.below(3); more > 0; more--) plans.add(random.pick(others))
  const isAuto = random.chance(0.6)
  const limit = Math.round(10 ** random.below(5) * (1 + random.below(90) / 10) * microsPerUsd)
  const fields = {
    count: plans.size,
    kind: isAuto ? RfqKind.Auto : RfqKind.Plain,
    limitMicros: isAuto ? limit * (random.chance(0.2) ? -1 : 1) : 0,
  }
  const command = commandOf(SubmitRfqCommand, fields, SubmitRfqCommand.bytesWith(plans.size))
  const id = random.below(12) === 0 ? random.below(idsKnown) : random.next()
  new DataView(command.u8.buffer).setUint32(command.rfqIdAt + 12, id)
  for (const [index, plan] of [...plans].entries()) {
    const leg = command.legs(index)
    setKey(leg.key, plan)
    leg.sizeLots = 1 + random.below(10 ** (2 + random.below(7)))
    leg.side = random.chance(0.5) ? Side.Buy : Side.Sell
  }
  return trader.signed(command)
}

/** Mostly by an invited provider and for the requested legs, at prices from low to high. */
function quoteRfq(trader: Trader): Action | null {
  const { random } = trader
  const row = requestOf(trader)
  if (row === null) return null
  const { invited, legs } = row
  if (invited.length === 0) return null
  const isStranger = random.below(20) === 0
  const provider = isStranger ? null : random.pick(invited)
  const wallet = provider === null ? trader.wallet() : walletOf(provider)
  const count = random.below(20) === 0 ? Math.max(1, legs.length - 1) : legs.length
  const command = commandOf(QuoteRfqCommand, { count }, QuoteRfqCommand.bytesWith(count))
  command.u8.set(row.id, command.rfqIdAt)
  let netPremium = 0
  // Good for the taker, or random.
  const isGood = random.chance(0.7)
  for (const [index, { side, sizeLots, terms }] of legs.slice(0, count).entries()) {
    const leg = command.legs(index)
    if (terms !== undefined) setKey(leg.key, terms)
    leg.sizeLots = random.below(30) === 0 ? sizeLots + 1 : sizeLots
    leg.side = side
    const isLow = isGood ? side === Side.Buy : random.chance(0.5)
    leg.priceMicros = 1 + random.below(10 ** (isLow ? 4 : 8))
    const cash = (leg.priceMicros * leg.sizeLots) / 1e8
    netPremium += side === Side.Buy ? -cash : cash
  }
  command.netPremiumMicros = Math.trunc(netPremium) + (random.below(15) === 0 ? 50 : 0)
  command.validForMillis = random.below(20) === 0 ? 0 : random.pick([1, 1000, 10_000, 1e6])
  const action = trader.signed(command, wallet)
  if (random.below(20) === 0) command.u8.fill(0, command.signerAt, command.signerAt + 20)
  return action
}

/** Accepts a quote that its taker knows, live or not. Sometimes with another premium, or by another wallet. */
function acceptQuote(trader: Trader): Action | null {
  const { random } = trader
  const row = requestOf(trader, ({ quotes }) => quotes.length > 0)
  if (row === null) return null
  const quote = random.chance(0.7) ? row.quotes[row.quotes.length - 1] : random.pick(row.quotes)
  const netPremiumMicros = quote.netPremiumMicros + (random.below(20) === 0 ? 1 : 0)
  const command = commandOf(AcceptRfqQuoteCommand, { netPremiumMicros })
  command.u8.set(row.id, command.rfqIdAt)
  command.u8.set(quote.id, command.quoteIdAt)
  const wallet = random.below(15) === 0 ? trader.wallet() : walletOf(row.wallet)
  return trader.signed(command, wallet)
}

function declineRfq(trader: Trader): Action | null {
  const { random } = trader
  const row = requestOf(trader)
  if (row === null || row.invited.length === 0) return null
  const command = commandOf(DeclineRfqCommand, {})
  command.u8.set(row.id, command.rfqIdAt)
  command.u8.set(random.pick(row.invited), command.walletAt)
  return new Action(command)
}

/** Returns mostly an open request, sometimes an ended one. */
function requestOf(
  trader: Trader,
  isWanted: (row: PublishedRfq) => boolean = () => true,
): PublishedRfq | null {
  const { open, ended } = trader.rfqs()
  const wanted = open.filter(isWanted)
  const over = ended.filter(isWanted)
  const isLate = trader.random.below(20) === 0
  const rows = isLate ? over : wanted
  return rows.length === 0 ? null : trader.random.pick(rows)
}
