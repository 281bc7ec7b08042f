import { sizeLotsMax } from '../../../schemas/bounds.js'
import { Right, Side, Tier } from '../../../schemas/domain.js'
import {
  CancelAllCommand,
  CommandType,
  SetTierCommand,
  SetWalletStopCommand,
} from '../../../schemas/generated/commands.js'
import { CancelScope } from '../../../schemas/record-values.js'
import type { Random } from '../run/random.js'
import { startMillis } from '../run/virtual-clock.js'
import { Action, bulkAction } from './action.js'
import { commandOf, setWallet } from './command-record.js'
import { capWallets, indexUsd, instrumentPlans, underlyings, walletCount } from './market-plan.js'
import { depositAction, indexAction, micros } from './operator-actions.js'
import type { CommandGenerator, Trader } from './trader.js'

// Wallets with as many working orders as the limit allows, of the smallest and largest sizes, while indexes move by
// half. Each of their amounts is rounded thousands of times.

/** USD by wallet: the first two have 50, the last can afford the largest orders. */
const depositsUsd = [50, 50, 40_000_000, 4_400_000_000] as const
/** Most items whose record fits the smallest ring. */
const itemsPerBulk = 15
/** Share of a run's orders from one wallet, which lets it reach its cap. */
const favouredShare = 0.8
/** One in this many orders crosses. The orders of one wallet and instrument are all on one side. */
const crossingIn = 40
const lowestPriceMicros = 3_000e6
const priceStepMicros = 0.5e6
const perpStepMicros = 10e6
const steps = 120
/** Factors of the first index price. */
const indexShares = [0.5, 0.75, 1, 1, 1.03, 1.5] as const

/** Instruments that do not expire within a run. */
const lastingPlans = instrumentPlans.filter(({ expiryMillis }) => expiryMillis > startMillis + 1e9)
/** The wallet that reaches its cap, by run. */
const favoured = new WeakMap<Trader, number>()

/** Returns deposits for these wallets, and the tier with the highest caps. */
export function openingCaps(): Action[] {
  return depositsUsd.flatMap((usd, index) => {
    const wallet = capWallets.first + index
    const tier = commandOf(SetTierCommand, { tier: Tier.MarketMaker }, CommandType.SetTier)
    setWallet(tier, wallet)
    return [depositAction(wallet, usd, `caps-${wallet}`), new Action(tier)]
  })
}

/** Commands that fill wallets to their caps, and events that affect them. */
export const capsCommands: readonly CommandGenerator[] = [
  { weight: 20, make: fillToCap },

  { weight: 2, make: moveIndexes },
  { weight: 1, make: cancelAll },
  { weight: 1, make: stopOrResume },
]

/** Returns orders of one wallet, most of which rest. */
export function fillToCap(trader: Trader): Action {
  const { random } = trader
  const known = favoured.get(trader) ?? random.between(capWallets.first, capWallets.last)
  favoured.set(trader, known)
  const isFavoured = random.chance(favouredShare)
  const wallet = isFavoured ? known : random.between(capWallets.first, capWallets.last)
  return bulkAction(Array.from({ length: itemsPerBulk }, () => orderOf(trader, wallet)))
}

function orderOf(trader: Trader, wallet: number): Action {
  const { random } = trader
  const plan = random.pick(lastingPlans)
  const isPerp = plan.right === Right.None
  // Buys are below one price and sells above it, except for a few.
  const isBuy = random.chance(0.5)
  const away = (random.below(crossingIn) === 0 ? -1 : 1) * (1 + random.below(steps))
  const sign = isBuy ? -1 : 1
  const priceMicros = isPerp
    ? Math.round(trader.lastShare * indexUsd) * micros + sign * away * perpStepMicros
    : lowestPriceMicros + (steps + sign * away) * priceStepMicros
  const side = isBuy ? Side.Buy : Side.Sell
  return trader.signedOrder(wallet, plan, { priceMicros, sizeLots: sizeOf(random, wallet), side })
}

/** Returns sizes by wallet: of one lot or a few, odd ones, up to the largest. */
function sizeOf(random: Random, wallet: number): number {
  if (wallet < capWallets.first + 2) return random.pick([1, 1, 1, 3, 7])
  if (wallet < capWallets.last) return 1 + random.below(10_000_000)
  return random.pick([1, sizeLotsMax, sizeLotsMax - 1, 4.5e10 + random.below(1000), 1e8])
}

function moveIndexes(trader: Trader): Action {
  const { clock, random } = trader
  trader.lastShare = random.pick(indexShares)
  const usd = indexUsd * trader.lastShare
  const prices = underlyings.map((name) => [name, (usd + random.below(50)) * micros] as const)
  return indexAction(prices, clock.now())
}

function cancelAll(trader: Trader): Action {
  const wallet = trader.random.between(capWallets.first, capWallets.last)
  return trader.signed(commandOf(CancelAllCommand, { scope: CancelScope.All }), wallet)
}

/** Stops or resumes any wallet, mostly the latter. */
function stopOrResume({ random }: Trader): Action {
  const command = commandOf(SetWalletStopCommand, { stopped: random.below(3) === 0 ? 1 : 0 })
  const isFull = random.chance(0.5)
  const wallet = isFull
    ? random.between(capWallets.first, capWallets.last)
    : random.between(1, walletCount)
  setWallet(command, wallet)
  return new Action(command)
}
