import { Side } from '../../../schemas/domain.js'
import { DeclineRfqCommand, QuoteRfqCommand } from '../../../schemas/generated/commands.js'
import type { PublishedAuctioned, PublishedLeg, PublishedRfq } from '../published/published-rfqs.js'
import { Action } from './action.js'
import { commandOf, setKey } from './command-record.js'
import { addressOf, optionPlans, walletOf } from './market-plan.js'
import { providerCommands } from './provider-commands.js'
import type { CommandGenerator, Trader } from './trader.js'

/** Number of an address that belongs to no wallet. */
const stranger = 90
const contractScale = 100_000_000n

/** Answers of providers to a waiting order: mostly quotes, in time or late, single or repeated. */
export const auctionAnswers: readonly CommandGenerator[] = [
  { weight: 20, make: quote },
  { weight: 2, make: decline },
  { weight: 1, make: (trader) => trader.random.pickWeighted(providerCommands).make(trader) },
]

type Asked = PublishedRfq & { readonly auctioned: PublishedAuctioned }

function quote(trader: Trader): Action | null {
  const { random } = trader
  const asked = askedOf(trader)
  if (asked === null) return null
  const leg = asked.legs[0]
  const isWrong = random.below(12) === 0
  const count = isWrong && random.below(3) === 0 ? 2 : 1
  const command = commandOf(QuoteRfqCommand, { count }, QuoteRfqCommand.bytesWith(count))
  command.u8.set(asked.id, command.rfqIdAt)
  const priceMicros = Math.max(1, priceOf(trader, asked))
  for (let index = 0; index < count; index++) {
    const quoted = command.legs(index)
    setKey(quoted.key, (index === 0 ? leg.terms : undefined) ?? random.pick(optionPlans))
    quoted.priceMicros = priceMicros
    quoted.sizeLots = leg.sizeLots + (isWrong ? random.below(2) : 0)
    quoted.side = isWrong && random.below(3) === 0 ? Side.Buy : leg.side
  }
  command.netPremiumMicros = netOf(leg, priceMicros) + (random.below(25) === 0 ? 1 : 0)
  command.validForMillis = random.pick([1, 1, 40, 1000, 1000, 1e6, 1e6, random.below(2)])
  const action = trader.signed(command, providerOf(trader, asked))
  const forged = random.below(25)
  if (forged === 0) command.u8.fill(0, command.signerAt, command.signerAt + 20)
  if (forged === 1) command.u8.set(addressOf(stranger), command.signerAt)
  return action
}

function decline(trader: Trader): Action | null {
  const asked = askedOf(trader)
  if (asked === null) return null
  const command = commandOf(DeclineRfqCommand, {})
  command.u8.set(asked.id, command.rfqIdAt)
  command.u8.set(addressOf(providerOf(trader, asked)), command.walletAt)
  return new Action(command)
}

/** Returns mostly a waiting order, sometimes an ended one. */
function askedOf(trader: Trader): Asked | null {
  const { ended, open } = trader.rfqs()
  const rows = trader.random.below(15) === 0 ? ended : open
  const asked = rows.filter(isRequested)
  if (asked.length === 0) return null
  const row = trader.random.pick(asked)
  row.auctioned.answers++
  return row
}

/** Returns false for an order that has enough answers. */
function isRequested(row: PublishedRfq): row is Asked {
  return row.auctioned !== null && row.auctioned.answers < 2 + 2 * row.invited.length
}

/** Returns mostly an invited provider, sometimes the taker itself or any wallet. */
function providerOf(trader: Trader, { invited, wallet }: Asked): number {
  const { random } = trader
  const kind = random.below(25)
  if (kind === 0) return walletOf(wallet)
  return kind === 1 || invited.length === 0 ? trader.wallet() : walletOf(random.pick(invited))
}

/** Returns a price better than the reference, at the limit, a micro beyond it, or any. */
function priceOf({ random }: Trader, { auctioned, legs }: Asked): number {
  const { limitMicros, mustImprove, referenceMicros, tickMicros } = auctioned
  const better = legs[0].side === Side.Buy ? -1 : 1
  const bound = mustImprove ? referenceMicros + better * tickMicros : limitMicros
  const kind = random.below(10)
  if (kind < 4) return bound + better * tickMicros * random.below(4)
  if (kind === 4) return bound
  if (kind === 5) return bound - better
  if (kind === 6) return referenceMicros
  if (kind === 7) return limitMicros - better * random.below(2)
  return bound + better * random.between(-4, 12) * 5_000_001
}

/** Returns the net premium from the taker's view, truncated to micros. */
function netOf({ side, sizeLots }: PublishedLeg, priceMicros: number): number {
  const net = Number((BigInt(priceMicros) * BigInt(sizeLots)) / contractScale)
  return side === Side.Buy ? -net : net
}
