import { Route, Side, Tif } from '../../../schemas/domain.js'
import {
  type AnyCommand,
  CancelByClientIdCommand,
  CancelOrderCommand,
  CommandType,
  PerpTerms,
  PlaceOrderCommand,
  SetAbstractionCommand,
  UpdateApiWalletCommand,
} from '../../../schemas/generated/commands.js'
import { PerpScheme } from '../../../schemas/record-values.js'
import { Action } from './action.js'
import { commandOf, withRoom } from './command-record.js'
import { addressOf, apiKeyCount, apiKeyFrom } from './market-plan.js'
import type { CommandGenerator, TradingDesk } from './trading-desk.js'

/** More names than an account may have. */
const names = 10
/** Number of instruments, including the perps. */
const assets = 24
const abstractions = 4
const sizesLots = [1e8, 1e7, 2e8] as const
/** A quarter of a percent of the first index each. */
const stepMicros = 250e6
const stepsAtIndex = 400

/** Directives: owners' settings, and perp orders and cancels signed by trading keys. */
export const directiveCommands: readonly CommandGenerator[] = [
  { weight: 5, make: updateApiWallet },
  { weight: 1, make: setAbstraction },
  { weight: 8, make: placeByDirective },
  { weight: 3, make: cancelByDirective },
]

/** Sets one of few keys, sometimes an agent, a wallet or an unknown address. Sometimes another wallet signs. */
function updateApiWallet(desk: TradingDesk): Action {
  const { random } = desk
  const command = commandOf(UpdateApiWalletCommand, {})
  command.u8[command.nameAt] = 1 + random.below(names)
  const kind = random.below(8)
  if (kind === 1) command.u8.set(addressOf(desk.agent()), command.apiWalletAt)
  else if (kind === 2) command.u8.set(addressOf(desk.wallet()), command.apiWalletAt)
  else if (kind > 2) command.u8.set(addressOf(apiKey(desk)), command.apiWalletAt)
  return desk.signed(command)
}

function setAbstraction(desk: TradingDesk): Action {
  return desk.signed(
    commandOf(SetAbstractionCommand, { abstraction: desk.random.below(abstractions) }),
  )
}

function placeByDirective(desk: TradingDesk): Action {
  const { random } = desk
  const steps = Math.round(desk.lastShare * stepsAtIndex) + random.between(-3, 3)
  const order = commandOf(
    PlaceOrderCommand,
    {
      priceMicros: Math.max(1, steps) * stepMicros,
      sizeLots: random.pick(sizesLots),
      side: random.chance(0.5) ? Side.Buy : Side.Sell,
      tif: random.pick([Tif.Gtc, Tif.Ioc, Tif.Alo]),
      route: Route.BookOnly,
      clientIdText: desk.clientId(),
    },
    CommandType.PlaceOrder,
  )
  return asDirective(desk, order, desk.wallet())
}

function cancelByDirective(desk: TradingDesk): Action {
  if (desk.orders.length === 0 || desk.random.below(3) === 0) {
    const clientIdText = `c${desk.random.below(5)}`
    return asDirective(desk, commandOf(CancelByClientIdCommand, { clientIdText }), desk.wallet())
  }
  const { orderId, wallet } = desk.order()
  return asDirective(desk, commandOf(CancelOrderCommand, { orderId }), wallet)
}

/** Signed by the wallet, an agent, or a key that may be valid; sometimes as an action of the other scheme. */
function asDirective(desk: TradingDesk, command: AnyCommand, wallet: number): Action {
  const { random } = desk
  const longer = withRoom(command, PerpTerms.bytes)
  const terms = new PerpTerms().over(longer.views, command.recordBytes)
  terms.asset = random.below(assets)
  terms.scheme = random.below(6) === 0 ? PerpScheme.Action : PerpScheme.Directive
  const action = desk.signed(longer, wallet)
  if (random.chance(0.6)) longer.u8.set(addressOf(apiKey(desk)), longer.signerAt)
  return new Action(action.command, wallet)
}

function apiKey({ random }: TradingDesk): number {
  return apiKeyFrom + random.below(apiKeyCount)
}
