import { TradingMode } from '../../../schemas/domain.js'
import {
  CommandType,
  DepositCommand,
  IndexPricesCommand,
  ListInstrumentCommand,
  SetMaxIndexCommand,
  SettlementPriceCommand,
  VolSurfaceCommand,
} from '../../../schemas/generated/commands.js'
import { SurfaceKind } from '../../../schemas/record-values.js'
import { Action } from './action.js'
import { commandOf, setKey, setWallet } from './command-record.js'
import { indexUsd, type PlannedInstrument } from './market-plan.js'

// Operator commands that several kinds of actions use.

export const micros = 1e6

export function listAction(
  plan: PlannedInstrument,
  expiryMillis = plan.expiryMillis,
  tradingMode: number = TradingMode.Both,
): Action {
  const fields = { expiryMillis, tradingMode }
  const command = commandOf(ListInstrumentCommand, fields, CommandType.ListInstrument)
  setKey(command.key, plan)
  return new Action(command)
}

export function depositAction(wallet: number, usd: number, depositIdText: string): Action {
  const fields = { amountMicros: usd * micros, depositIdText }
  const command = commandOf(DepositCommand, fields, CommandType.Deposit)
  setWallet(command, wallet)
  return new Action(command)
}

/** Returns index prices in micros, all observed at one time. */
export function indexAction(
  prices: readonly (readonly [name: string, micros: number])[],
  observedMillis: number,
): Action {
  const { length: count } = prices
  const command = commandOf(IndexPricesCommand, { count }, IndexPricesCommand.bytesWith(count))
  for (const [index, [underlyingText, priceMicros]] of prices.entries()) {
    Object.assign(command.entries(index), { underlyingText, priceMicros, observedMillis })
  }
  return new Action(command)
}

export function surfaceAction(plan: PlannedInstrument, iv: number, strikeUsd = indexUsd): Action {
  const { underlyingText, expiryMillis } = plan
  const fields = { underlyingText, expiryMillis, surfaceKind: SurfaceKind.Points, count: 2 }
  const command = commandOf(VolSurfaceCommand, fields, VolSurfaceCommand.bytesWith(2))
  command.setValues(0, strikeUsd)
  command.setValues(1, iv)
  return new Action(command)
}

export function settlementAction(
  underlyingText: string,
  expiryMillis: number,
  priceMicros: number,
): Action {
  const fields = { underlyingText, expiryMillis, priceMicros }
  return new Action(commandOf(SettlementPriceCommand, fields))
}

export function maxIndexAction(underlyingText: string, usd: number): Action {
  const fields = { underlyingText, maxIndexMicros: usd * micros }
  return new Action(commandOf(SetMaxIndexCommand, fields))
}
