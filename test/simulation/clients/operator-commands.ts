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
import type { CommandGenerator, TradingDesk } from './trading-desk.js'

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
  { weight: 3, make: (desk) => new Action(tierCommand(desk, CommandType.SetTier)) },
  { weight: 3, make: setHalt },
  { weight: 1, make: maxIndex },
  { weight: 5, make: setBuilder },
  { weight: 1, make: dropPush },
  { weight: 1, make: configure },
  { weight: 1, make: () => new Action(commandOf(TickCommand, {})) },
  { weight: 6, make: acceptClock },
]

/** Returns the operator's first commands: instruments, prices, volatilities, deposits. */
export function openingActions(desk: TradingDesk): Action[] {
  const actions = instrumentPlans.map((plan) => listAction(plan))
  actions.push(indexAction(pricesAround(desk, underlyings, indexUsd), desk.clock.now()))
  for (const plan of optionPlans) actions.push(surfaceAction(plan, 0.6))
  for (let wallet = 1; wallet <= walletCount; wallet++) {
    // Some wallets can pay for anything; others are soon in liquidation.
    const usd = wallet === poorWallet ? 500 : (smallUsd[wallet] ?? 2_000_000)
    if (desk.isRich && wallet > smallWallets && wallet < poorWallet) {
      actions.push(depositAction(wallet, richUsd(desk), `rich-${wallet}`))
    }
    if (wallet !== emptyWallet) actions.push(depositAction(wallet, usd, `first-${wallet}`))
  }
  if (desk.isDusty) actions.push(...dustOpening(desk))
  actions.push(fundInsurance(desk))
  return actions
}

function deposit(desk: TradingDesk): Action {
  const { random } = desk
  // The id determines wallet and amount, so the same id is a duplicate. Sometimes another amount is tried under it.
  const id = random.below(depositIdCount)
  const wallet = 1 + (id % walletCount)
  if (random.below(12) === 0) return depositAction(wallet, 77, `d${id}`)
  if (desk.isRich && random.below(3) === 0) {
    const usd = richUsd(desk)
    return depositAction(wallet, usd, `rich-${wallet}-${usd}`)
  }
  return depositAction(wallet, 1000 + id, `d${id}`)
}

/** Returns an amount near the most a wallet may have to send orders, sometimes near the most it may have at all. */
function richUsd({ random }: TradingDesk): number {
  return random.pick([4_400_000_000, 4_503_599_000, 4_503_590_000, 9_007_199_000])
}

function fundInsurance(desk: TradingDesk): Action {
  const depositIdText = `f${desk.random.below(depositIdCount)}`
  const amountMicros = (1 + desk.random.below(desk.isStorm ? 20 : 1000)) * micros
  const fields = { amountMicros, depositIdText }
  return new Action(commandOf(DepositCommand, fields, CommandType.FundInsurance))
}

function listInstrument(desk: TradingDesk): Action {
  const plan = desk.random.pick(instrumentPlans)
  const isSoon = desk.random.below(3) === 0
  const soonMillis = expiryAround(desk, desk.random.below(60_000))
  if (plan.right === Right.None) return listAction(plan)
  return listAction(plan, isSoon ? soonMillis : plan.expiryMillis + 60_000)
}

function deleteInstrument(desk: TradingDesk): Action {
  const command = commandOf(ListInstrumentCommand, {}, CommandType.DeleteInstrument)
  setKey(command.key, desk.random.pick(instrumentPlans))
  return new Action(command)
}

/** Returns a price for an expiry that may be waiting for one; mostly none is. */
function settlementPrice(desk: TradingDesk): Action {
  const { random } = desk
  const near = optionPlans.filter(({ expiryMillis }) => expiryMillis < desk.clock.now() + 5000)
  const isKnown = near.length > 0 && random.chance(0.8)
  const plan = isKnown ? random.pick(near) : null
  const expiryMillis = plan?.expiryMillis ?? expiryAround(desk, 5000 - random.below(20_000))
  const name = plan?.underlyingText ?? random.pick(underlyings)
  // In a storm, the price is far from anything option writers expect.
  const [lowest, range] = desk.isStorm ? [20_000, 160_000] : [70_000, 50_000]
  return settlementAction(name, expiryMillis, lowest * micros + random.below(range) * 1_000_001)
}

/** Returns the expiry nearest to `inMillis` from now. */
function expiryAround(desk: TradingDesk, inMillis: number): number {
  const steps = Math.round((desk.clock.now() + inMillis - startMillis) / expiryStepMillis)
  return startMillis + steps * expiryStepMillis
}

function indexPrices(desk: TradingDesk): Action {
  const { random, clock } = desk
  // In a storm the last underlying has no feed: the operator sets its settlement price, which nobody expects.
  const fed = desk.isStorm ? underlyings.slice(0, -1) : underlyings
  const names = random.chance(0.5) ? fed : [random.pick(fed)]
  // With rich wallets, the index sometimes reaches or exceeds its maximum.
  const isHighest = desk.isRich && random.below(40) === 0
  const usd = isHighest ? indexUsd * random.between(9, 11) : indexUsd * desk.indexShare()
  // Sometimes too old to be accepted, sometimes ahead of engine time.
  const observedMillis = clock.now() + 5000 * ([-1, 1][random.below(16)] ?? 0)
  return indexAction(pricesAround(desk, names, Math.round(usd)), observedMillis)
}

function pricesAround({ random }: TradingDesk, names: readonly string[], usd: number) {
  return names.map((name) => [name, (usd + random.below(50)) * micros] as const)
}

function volSurface({ random }: TradingDesk): Action {
  const iv = random.below(10) === 0 ? -1 : 0.4 + 0.01 * random.below(60)
  return surfaceAction(random.pick(optionPlans), iv)
}

function setHalt({ random }: TradingDesk): Action {
  const underlyingText = random.below(4) === 0 ? '' : random.pick(underlyings)
  return new Action(commandOf(SetHaltCommand, { underlyingText, mode: random.pick(haltModes) }))
}

/** Sometimes lowers the maximum, sometimes exceeds what rich wallets can bear. */
function maxIndex({ random }: TradingDesk): Action {
  return maxIndexAction(random.pick(underlyings), indexUsd * random.between(5, 40))
}

/** Names agents that orders use as builders, and wallets. */
function setBuilder(desk: TradingDesk): Action {
  const { random } = desk
  const command = commandOf(SetBuilderCommand, {})
  setWallet(command, random.chance(0.7) ? desk.agent() : desk.wallet())
  const { Active, Suspended } = BuilderStatus
  command.status = random.chance(0.7) ? Active : Suspended
  return new Action(command)
}

/** Drops a subscription that may exist, for the right wallet or another one. */
function dropPush(desk: TradingDesk): Action {
  const command = commandOf(DropPushCommand, { subscriptionId: 1 + desk.random.below(60) })
  setWallet(command, desk.wallet())
  return new Action(command)
}

function configure({ random }: TradingDesk): Action {
  const encoded = encodeEngineConfig(pickConfig(random))
  const { length: count } = encoded
  const command = commandOf(ConfigureCommand, { count }, ConfigureCommand.bytesWith(count))
  for (const [index, value] of encoded.entries()) command.setValues(index, value)
  return new Action(command)
}

/** Accepts a stepped clock; rarely sent without an alarm. */
function acceptClock({ random, clock }: TradingDesk): Action | null {
  if (!clock.isAlarmed() && random.below(20) > 0) return null
  const choice = random.pick([ClockChoice.Wall, ClockChoice.Engine])
  return new Action(commandOf(AcceptClockCommand, { choice, wallMillis: clock.wallMillis() }))
}
