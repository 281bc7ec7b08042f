import { HaltMode, OrderFlag, Side, Tif, TradingMode } from '../../../schemas/domain.js'
import {
  CancelByClientIdCommand,
  CancelOrderCommand,
  CommandType,
  ListInstrumentCommand,
  type PlaceOrderCommand,
  SetHaltCommand,
} from '../../../schemas/generated/commands.js'
import type { SentRows } from '../told/sent-rows.js'
import type { ToldAuctioned, ToldRfq } from '../told/told-rfqs.js'
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
import type { CommandGenerator, TradingDesk } from './trading-desk.js'

const sizesLots = [1e8, 5e7, 1e7, 1e6, 123_457, 2.25e8] as const
const tifs = [Tif.Gtc, Tif.Gtc, Tif.Gtc, Tif.Ioc, Tif.Fok, Tif.Alo] as const
const lowestPriceMicros = 3_000e6
const priceStepMicros = 10e6
const priceCount = 16
/** All wallets except the empty one. In most runs a provider that has helped nobody is never invited again. */
const providerWallets = Array.from({ length: poorWallet }, (_, index) => index + 1)
const { Open, CancelOnly, Halted } = HaltMode

/** Actions that must precede orders that wait for quotes. */
export function openingAuctions(desk: TradingDesk): Action[] {
  return [
    listAction(bookedPlan, bookedPlan.expiryMillis, TradingMode.Orderbook),
    listAction(unbookedPlan, unbookedPlan.expiryMillis, TradingMode.Rfq),
    surfaceAction(bookedPlan, 0.6),
    ...openingProviders(desk),
  ]
}

/** Mostly returns the action that restores a suspended provider or one without sessions. */
export function missingProvider(desk: TradingDesk): Action | null {
  const { random } = desk
  const wallet = random.pick(providerWallets)
  const known = desk.providers().find((provider) => walletOf(provider.wallet) === wallet)
  if (random.below(3) === 0) return null
  const [named, connected] = openingProviders(desk, [wallet])
  if (known?.isActive !== true) return named
  return known.isConnected ? null : connected
}

/** Returns an order with provider rows, signed by a wallet or by an address that may not be its agent. */
export function placeShown(desk: TradingDesk, sent: SentRows): Action {
  const order = desk.signedOrder(desk.wallet(), planOf(desk), drawnFields(desk))
  return withRows(desk, sent, order)
}

/** Commands that end an order's wait early. */
export const auctionEnds: readonly CommandGenerator[] = [
  { weight: 6, make: (desk) => ofWaiting(desk, cancel) },
  { weight: 3, make: (desk) => ofWaiting(desk, cancelByClientId) },
  { weight: 6, make: (desk) => ofWaiting(desk, replace) },
  { weight: 5, make: (desk) => ofWaiting(desk, endInBulk) },
  { weight: 2, make: (desk) => ofWaiting(desk, halt) },
  { weight: 1, make: (desk) => ofWaiting(desk, delist) },
  // Without this, markets would soon stay halted.
  { weight: 8, make: () => new Action(commandOf(SetHaltCommand, { mode: Open })) },
]

type Waiting = ToldRfq & { readonly auctioned: ToldAuctioned }
type Ending = (desk: TradingDesk, waiting: Waiting) => Action | null

function ofWaiting(desk: TradingDesk, make: Ending): Action | null {
  const rows = desk.rfqs().open.filter((row): row is Waiting => row.auctioned !== null)
  return rows.length === 0 ? null : make(desk, desk.random.pick(rows))
}

function cancel(desk: TradingDesk, { auctioned, wallet }: Waiting): Action {
  const { orderId } = auctioned
  return desk.signed(commandOf(CancelOrderCommand, { orderId }), walletOf(wallet))
}

function cancelByClientId(desk: TradingDesk, { auctioned, wallet }: Waiting): Action {
  const { clientIdText } = auctioned
  return desk.signed(commandOf(CancelByClientIdCommand, { clientIdText }), walletOf(wallet))
}

function replace(desk: TradingDesk, { auctioned, legs, wallet }: Waiting): Action {
  const { orderId: oldOrderId } = auctioned
  const action = desk.signedOrder(walletOf(wallet), planOf(desk), {
    ...drawnFields(desk),
    oldOrderId,
  })
  const { terms } = legs[0]
  if (terms !== undefined) setKey(action.command.key, terms)
  return action
}

/** Ends the same order in several ways within one request. */
function endInBulk(desk: TradingDesk, waiting: Waiting): Action {
  const makers = [cancel, cancel, cancelByClientId, replace]
  const items: Action[] = []
  for (let left = desk.random.between(1, 3); left > 0; left--) {
    items.push(desk.random.pick(makers)(desk, waiting))
  }
  return bulkAction(items)
}

function halt(desk: TradingDesk, { legs }: Waiting): Action {
  const underlyingText = legs[0].terms?.underlyingText ?? ''
  const mode = desk.random.pick([Halted, CancelOnly])
  return new Action(commandOf(SetHaltCommand, { underlyingText, mode }))
}

/** Succeeds if no wallet has a position in it. */
function delist(_desk: TradingDesk, { legs }: Waiting): Action | null {
  const { terms } = legs[0]
  if (terms === undefined) return null
  const command = commandOf(ListInstrumentCommand, {}, CommandType.DeleteInstrument)
  setKey(command.key, terms)
  return new Action(command)
}

/** Mostly returns one of the first instruments: references come from books with orders in them. */
function planOf({ random }: TradingDesk): PlannedInstrument {
  const kind = random.below(20)
  if (kind < 3) return unbookedPlan
  if (kind === 3) return bookedPlan
  return kind < 7 ? optionPlans[random.below(2)] : random.pick(optionPlans)
}

function drawnFields(desk: TradingDesk): Partial<PlaceOrderCommand> {
  const { random } = desk
  const reduces = random.below(5) === 0 ? OrderFlag.ReduceOnly : 0
  return {
    sizeLots: random.pick(sizesLots),
    side: random.chance(0.5) ? Side.Buy : Side.Sell,
    tif: random.pick(tifs),
    flags: reduces | (random.chance(0.3) ? OrderFlag.MmpEnabled : 0),
    priceMicros: lowestPriceMicros + random.below(priceCount) * priceStepMicros,
  }
}
