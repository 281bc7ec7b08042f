import { encodeEngineConfig } from '../../../engine/state/market/engine-config.js'
import { BuilderStatus, ClockChoice, HaltMode, Right } from '../../../schemas/domain.js'
import {
  AcceptClockCommand,
  CommandType,
  ConfigureCommand,
  DepositCommand,
  DropPushCommand,
  ListInstrumentCommand,
  SetBuilderCommand,
  SetHaltCommand,
  TickCommand,
} from '../../../schemas/generated/commands.js'
import { startMillis } from '../run/virtual-clock.js'
import { tierCommand } from './account-commands.js'
import { Action } from './action.js'
import { commandOf, setKey, setWallet } from './command-record.js'
import { dustOpening, dustPrices } from './dust-commands.js'
import {
  emptyWallet,
  expiryStepMillis,
  indexUsd,
  instrumentPlans,
  optionPlans,
  pickConfig,
  poorWallet,
  smallWallets,
  underlyings,
  walletCount,
} from './market-plan.js'
import {
  depositAction,
  indexAction,
  listAction,
  maxIndexAction,
  micros,
  settlementAction,
  surfaceAction,
} from './operator-actions.js'
import type { CommandGenerator, Trader } from './trader.js'

/** By wallet: the first can pay for a long option, but not for the short that it would cover. */
const smallUsd = [0, 8_000, 12_000, 36_000, 48_000] as const
const depositIdCount = 40
const { Open, CancelOnly, Halted } = HaltMode
/** Mostly open, since a halted market shows little. */
const haltModes = [Open, Open, Open, Open, Open, CancelOnly, Halted]

/** Commands that the operator sends through a ring of its own. */
export const operatorCommands: readonly CommandGenerator[] = [
  { weight: 10, make: indexPrices },
  { weight: 4, make: volSurface },
  { weight: 4, make: deposit },
  { weight: 3, make: listInstrument },
  { weight: 2, make: deleteInstrument },
  { weight: 5, make: settlementPrice },
  { weight: 10, make: dustPrices },
  { weight: 1, make: fundInsurance },
  { weight: 3, make: (trader) => new Action(tierCommand(trader, CommandType.SetTier)) },
  { weight: 3, make: setHalt },
  { weight: 1, make: maxIndex },
  { weight: 5, make: setBuilder },
  { weight: 1, make: dropPush },
  { weight: 1, make: configure },
  { weight: 1, make: () => new Action(commandOf(TickCommand, {})) },
  { weight: 6, make: acceptClock },
]

/** Returns the operator's first commands: instruments, prices, volatilities, deposits. */
export function openingActions(trader: Trader): Action[] {
  const actions = instrumentPlans.map((plan) => listAction(plan))
  actions.push(indexAction(pricesAround(trader, underlyings, indexUsd), trader.clock.now()))
  for (const plan of optionPlans) actions.push(surfaceAction(plan, 0.6))
  for (let wallet = 1; wallet <= walletCount; wallet++) {
    // Some wallets can pay for anything; others are soon in liquidation.
    const usd = wallet === poorWallet ? 500 : (smallUsd[wallet] ?? 2_000_000)
    if (trader.isRich && wallet > smallWallets && wallet < poorWallet) {
      actions.push(depositAction(wallet, richUsd(trader), `rich-${wallet}`))
    }
    if (wallet !== emptyWallet) actions.push(depositAction(wallet, usd, `first-${wallet}`))
  }
  if (trader.isDusty) actions.push(...dustOpening(trader))
  actions.push(fundInsurance(trader))
  return actions
}

function deposit(trader: Trader): Action {
  const { random } = trader
  // The id determines wallet and amount, so the same id is a duplicate. Sometimes another amount is tried under it.
  const id = random.below(depositIdCount)
  const wallet = 1 + (id % walletCount)
  if (random.below(12) === 0) return depositAction(wallet, 77, `d${id}`)
  if (trader.isRich && random.below(3) === 0) {
    const usd = richUsd(trader)
    return depositAction(wallet, usd, `rich-${wallet}-${usd}`)
  }
  return depositAction(wallet, 1000 + id, `d${id}`)
}

/** Returns an amount near the most a wallet may have to send orders, sometimes near the most it may have at all. */
function richUsd({ random }: Trader): number {
  return random.pick([4_400_000_000, 4_503_599_000, 4_503_590_000, 9_007_199_000])
}

function fundInsurance(trader: Trader): Action {
  const depositIdText = `f${trader.random.below(depositIdCount)}`
  const amountMicros = (1 + trader.random.below(trader.isStorm ? 20 : 1000)) * micros
  const fields = { amountMicros, depositIdText }
  return new Action(commandOf(DepositCommand, fields, CommandType.FundInsurance))
}

function listInstrument(trader: Trader): Action {
  const plan = trader.random.pick(instrumentPlans)
  const isSoon = trader.random.below(3) === 0
  const soonMillis = expiryAround(trader, trader.random.below(60_000))
  if (plan.right === Right.None) return listAction(plan)
  return listAction(plan, isSoon ? soonMillis : plan.expiryMillis + 60_000)
}

function deleteInstrument(trader: Trader): Action {
  const command = commandOf(ListInstrumentCommand, {}, CommandType.DeleteInstrument)
  setKey(command.key, trader.random.pick(instrumentPlans))
  return new Action(command)
}

/** Returns a price for an expiry that may be waiting for one; mostly none is. */
function settlementPrice(trader: Trader): Action {
  const { random } = trader
  const near = optionPlans.filter(({ expiryMillis }) => expiryMillis < trader.clock.now() + 5000)
  const isKnown = near.length > 0 && random.chance(0.8)
  const plan = isKnown ? random.pick(near) : null
  const expiryMillis = plan?.expiryMillis ?? expiryAround(trader, 5000 - random.below(20_000))
  const name = plan?.underlyingText ?? random.pick(underlyings)
  // In a storm, the price is far from anything option writers expect.
  const [lowest, range] = trader.isStorm ? [20_000, 160_000] : [70_000, 50_000]
  return settlementAction(name, expiryMillis, lowest * micros + random.below(range) * 1_000_001)
}

/** Returns the expiry nearest to `inMillis` from now. */
function expiryAround(trader: Trader, inMillis: number): number {
  const steps = Math.round((trader.clock.now() + inMillis - startMillis) / expiryStepMillis)
  return startMillis + steps * expiryStepMillis
}

function indexPrices(trader: Trader): Action {
  const { random, clock } = trader
  // In a storm the last underlying has no feed: the operator sets its settlement price, which nobody expects.
  const fed = trader.isStorm ? underlyings.slice(0, -1) : underlyings
  const names = random.chance(0.5) ? fed : [random.pick(fed)]
  // With rich wallets, the index sometimes reaches or exceeds its maximum.
  const isHighest = trader.isRich && random.below(40) === 0
  const usd = isHighest ? indexUsd * random.between(9, 11) : indexUsd * trader.indexShare()
  // Sometimes too old to be accepted, sometimes ahead of engine time.
  const observedMillis = clock.now() + 5000 * ([-1, 1][random.below(16)] ?? 0)
  return indexAction(pricesAround(trader, names, Math.round(usd)), observedMillis)
}

function pricesAround({ random }: Trader, names: readonly string[], usd: number) {
  return names.map((name) => [name, (usd + random.below(50)) * micros] as const)
}

function volSurface({ random }: Trader): Action {
  const iv = random.below(10) === 0 ? -1 : 0.4 + 0.01 * random.below(60)
  return surfaceAction(random.pick(optionPlans), iv)
}

function setHalt({ random }: Trader): Action {
  const underlyingText = random.below(4) === 0 ? '' : random.pick(underlyings)
  return new Action(commandOf(SetHaltCommand, { underlyingText, mode: random.pick(haltModes) }))
}

/** Sometimes lowers the maximum, sometimes exceeds what rich wallets can bear. */
function maxIndex({ random }: Trader): Action {
  return maxIndexAction(random.pick(underlyings), indexUsd * random.between(5, 40))
}

/** Names agents that orders use as builders, and wallets. */
function setBuilder(trader: Trader): Action {
  const { random } = trader
  const command = commandOf(SetBuilderCommand, {})
  setWallet(command, random.chance(0.7) ? trader.agent() : trader.wallet())
  const { Active, Suspended } = BuilderStatus
  command.status = random.chance(0.7) ? Active : Suspended
  return new Action(command)
}

/** Drops a subscription that may exist, for the right wallet or another one. */
function dropPush(trader: Trader): Action {
  const command = commandOf(DropPushCommand, { subscriptionId: 1 + trader.random.below(60) })
  setWallet(command, trader.wallet())
  return new Action(command)
}

function configure({ random }: Trader): Action {
  const encoded = encodeEngineConfig(pickConfig(random))
  const { length: count } = encoded
  const command = commandOf(ConfigureCommand, { count }, ConfigureCommand.bytesWith(count))
  for (const [index, value] of encoded.entries()) command.setValues(index, value)
  return new Action(command)
}

/** Accepts a stepped clock; rarely sent without an alarm. */
function acceptClock({ random, clock }: Trader): Action | null {
  if (!clock.isAlarmed() && random.below(20) > 0) return null
  const choice = random.pick([ClockChoice.Wall, ClockChoice.Engine])
  return new Action(commandOf(AcceptClockCommand, { choice, wallMillis: clock.wallMillis() }))
}
