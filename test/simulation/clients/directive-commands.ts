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
import type { CommandGenerator, Trader } from './trader.js'

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
function updateApiWallet(trader: Trader): Action {
  const { random } = trader
  const command = commandOf(UpdateApiWalletCommand, {})
  command.u8[command.nameAt] = 1 + random.below(names)
  const kind = random.below(8)
  if (kind === 1) command.u8.set(addressOf(trader.agent()), command.apiWalletAt)
  else if (kind === 2) command.u8.set(addressOf(trader.wallet()), command.apiWalletAt)
  else if (kind > 2) command.u8.set(addressOf(apiKey(trader)), command.apiWalletAt)
  return trader.signed(command)
}

function setAbstraction(trader: Trader): Action {
  return trader.signed(
    commandOf(SetAbstractionCommand, { abstraction: trader.random.below(abstractions) }),
  )
}

function placeByDirective(trader: Trader): Action {
  const { random } = trader
  const steps = Math.round(trader.lastShare * stepsAtIndex) + random.between(-3, 3)
  const order = commandOf(
    PlaceOrderCommand,
    {
      priceMicros: Math.max(1, steps) * stepMicros,
      sizeLots: random.pick(sizesLots),
      side: random.chance(0.5) ? Side.Buy : Side.Sell,
      tif: random.pick([Tif.Gtc, Tif.Ioc, Tif.Alo]),
      route: Route.BookOnly,
      clientIdText: trader.clientId(),
    },
    CommandType.PlaceOrder,
  )
  return asDirective(trader, order, trader.wallet())
}

function cancelByDirective(trader: Trader): Action {
  if (trader.orders.length === 0 || trader.random.below(3) === 0) {
    const clientIdText = `c${trader.random.below(5)}`
    return asDirective(
      trader,
      commandOf(CancelByClientIdCommand, { clientIdText }),
      trader.wallet(),
    )
  }
  const { orderId, wallet } = trader.order()
  return asDirective(trader, commandOf(CancelOrderCommand, { orderId }), wallet)
}

/** Signed by the wallet, an agent, or a key that may be valid; sometimes as an action of the other scheme. */
function asDirective(trader: Trader, command: AnyCommand, wallet: number): Action {
  const { random } = trader
  const longer = withRoom(command, PerpTerms.bytes)
  const terms = new PerpTerms().over(longer.views, command.recordBytes)
  terms.asset = random.below(assets)
  terms.scheme = random.below(6) === 0 ? PerpScheme.Action : PerpScheme.Directive
  const action = trader.signed(longer, wallet)
  if (random.chance(0.6)) longer.u8.set(addressOf(apiKey(trader)), longer.signerAt)
  return new Action(action.command, wallet)
}

function apiKey({ random }: Trader): number {
  return apiKeyFrom + random.below(apiKeyCount)
}
