import { HaltMode, OrderFlag, Side, Tif, TradingMode } from '../../../schemas/domain.js'
import {
  CancelByClientIdCommand,
  CancelOrderCommand,
  CommandType,
  ListInstrumentCommand,
  type PlaceOrderCommand,
  SetHaltCommand,
} from '../../../schemas/generated/commands.js'
import type { PublishedAuctioned, PublishedRfq } from '../published/published-rfqs.js'
import type { SentRows } from '../published/sent-rows.js'
import { Action, bulkAction } from './action.js'
import { commandOf, setKey } from './command-record.js'
import {
  bookedPlan,
  optionPlans,
  type PlannedInstrument,
  poorWallet,
  unbookedPlan,
  walletOf,
} from './market-plan.js'
import { listAction, surfaceAction } from './operator-actions.js'
import { openingProviders } from './provider-commands.js'
import { withRows } from './shown-rows.js'
import type { CommandGenerator, Trader } from './trader.js'

const sizesLots = [1e8, 5e7, 1e7, 1e6, 123_457, 2.25e8] as const
const tifs = [Tif.Gtc, Tif.Gtc, Tif.Gtc, Tif.Ioc, Tif.Fok, Tif.Alo] as const
const lowestPriceMicros = 3_000e6
const priceStepMicros = 10e6
const priceCount = 16
/** All wallets except the empty one. In most runs a provider that has helped nobody is never invited again. */
const providerWallets = Array.from({ length: poorWallet }, (_, index) => index + 1)
const { Open, CancelOnly, Halted } = HaltMode

/** Actions that must precede orders that wait for quotes. */
export function openingAuctions(trader: Trader): Action[] {
  return [
    listAction(bookedPlan, bookedPlan.expiryMillis, TradingMode.Orderbook),
    listAction(unbookedPlan, unbookedPlan.expiryMillis, TradingMode.Rfq),
    surfaceAction(bookedPlan, 0.6),
    ...openingProviders(trader),
  ]
}

/** Mostly returns the action that restores a suspended provider or one without sessions. */
export function missingProvider(trader: Trader): Action | null {
  const { random } = trader
  const wallet = random.pick(providerWallets)
  const known = trader.providers().find((provider) => walletOf(provider.wallet) === wallet)
  if (random.below(3) === 0) return null
  const [named, connected] = openingProviders(trader, [wallet])
  if (known?.isActive !== true) return named
  return known.isConnected ? null : connected
}

/** Returns an order with provider rows, signed by a wallet or by an address that may not be its agent. */
export function placeShown(trader: Trader, sent: SentRows): Action {
  const order = trader.signedOrder(trader.wallet(), planOf(trader), drawnFields(trader))
  return withRows(trader, sent, order)
}

/** Commands that end an order's wait early. */
export const auctionEnds: readonly CommandGenerator[] = [
  { weight: 6, make: (trader) => ofWaiting(trader, cancel) },
  { weight: 3, make: (trader) => ofWaiting(trader, cancelByClientId) },
  { weight: 6, make: (trader) => ofWaiting(trader, replace) },
  { weight: 5, make: (trader) => ofWaiting(trader, endInBulk) },
  { weight: 2, make: (trader) => ofWaiting(trader, halt) },
  { weight: 1, make: (trader) => ofWaiting(trader, delist) },
  // Without this, markets would soon stay halted.
  { weight: 8, make: () => new Action(commandOf(SetHaltCommand, { mode: Open })) },
]

type Waiting = PublishedRfq & { readonly auctioned: PublishedAuctioned }
type Ending = (trader: Trader, waiting: Waiting) => Action | null

function ofWaiting(trader: Trader, make: Ending): Action | null {
  const rows = trader.rfqs().open.filter((row): row is Waiting => row.auctioned !== null)
  return rows.length === 0 ? null : make(trader, trader.random.pick(rows))
}

function cancel(trader: Trader, { auctioned, wallet }: Waiting): Action {
  const { orderId } = auctioned
  return trader.signed(commandOf(CancelOrderCommand, { orderId }), walletOf(wallet))
}

function cancelByClientId(trader: Trader, { auctioned, wallet }: Waiting): Action {
  const { clientIdText } = auctioned
  return trader.signed(commandOf(CancelByClientIdCommand, { clientIdText }), walletOf(wallet))
}

function replace(trader: Trader, { auctioned, legs, wallet }: Waiting): Action {
  const { orderId: oldOrderId } = auctioned
  const action = trader.signedOrder(walletOf(wallet), planOf(trader), {
    ...drawnFields(trader),
    oldOrderId,
  })
  const { terms } = legs[0]
  if (terms !== undefined) setKey(action.command.key, terms)
  return action
}

/** Ends the same order in several ways within one request. */
function endInBulk(trader: Trader, waiting: Waiting): Action {
  const makers = [cancel, cancel, cancelByClientId, replace]
  const items: Action[] = []
  for (let left = trader.random.between(1, 3); left > 0; left--) {
    items.push(trader.random.pick(makers)(trader, waiting))
  }
  return bulkAction(items)
}

function halt(trader: Trader, { legs }: Waiting): Action {
  const underlyingText = legs[0].terms?.underlyingText ?? ''
  const mode = trader.random.pick([Halted, CancelOnly])
  return new Action(commandOf(SetHaltCommand, { underlyingText, mode }))
}

/** Succeeds if no wallet has a position in it. */
function delist(_desk: Trader, { legs }: Waiting): Action | null {
  const { terms } = legs[0]
  if (terms === undefined) return null
  const command = commandOf(ListInstrumentCommand, {}, CommandType.DeleteInstrument)
  setKey(command.key, terms)
  return new Action(command)
}

/** Mostly returns one of the first instruments: references come from books with orders in them. */
function planOf({ random }: Trader): PlannedInstrument {
  const kind = random.below(20)
  if (kind < 3) return unbookedPlan
  if (kind === 3) return bookedPlan
  return kind < 7 ? optionPlans[random.below(2)] : random.pick(optionPlans)
}

function drawnFields(trader: Trader): Partial<PlaceOrderCommand> {
  const { random } = trader
  const reduces = random.below(5) === 0 ? OrderFlag.ReduceOnly : 0
  return {
    sizeLots: random.pick(sizesLots),
    side: random.chance(0.5) ? Side.Buy : Side.Sell,
    tif: random.pick(tifs),
    flags: reduces | (random.chance(0.3) ? OrderFlag.MmpEnabled : 0),
    priceMicros: lowestPriceMicros + random.below(priceCount) * priceStepMicros,
  }
}
