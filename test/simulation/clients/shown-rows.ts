import { Route, Side } from '../../../schemas/domain.js'
import {
  AuctionTerms,
  CommandType,
  IndicativeRow,
  PlaceOrderCommand,
} from '../../../schemas/generated/commands.js'
import type { PublishedProvider } from '../published/published-providers.js'
import type { SentRow, SentRows } from '../published/sent-rows.js'
import { Action } from './action.js'
import { withRoom } from './command-record.js'
import { addressOf, perpPlans } from './market-plan.js'
import type { Trader } from './trader.js'

const rowsMost = 5
/** More than an order may have. */
const rowsTooMany = 66
const stepMicros = 10e6
/** Unused account number. */
const strangeAccount = 1_000_000

const terms = new AuctionTerms()
const row = new IndicativeRow()
const order = new PlaceOrderCommand()

/** True if providers may be invited for the order: a single best-execution order for an option. */
export function maySeeRows({ command }: Action): boolean {
  if (command.recordType !== CommandType.PlaceOrder) return false
  const { key, route } = order.of(command)
  return route === Route.BestExecution && key.right !== perpPlans[0].right
}

/** True if the order has provider rows. */
export function seesRows({ command }: Action): boolean {
  return command.recordBytes > PlaceOrderCommand.bytes
}

/**
 * Returns the same order with provider rows: mostly of existing providers and near its limit. Sometimes of the taker
 * itself, of an unknown account, beyond the book, or more than the limit.
 */
export function withRows(trader: Trader, sent: SentRows, action: Action): Action {
  const { random } = trader
  const count = random.below(30) === 0 ? rowsTooMany : random.below(rowsMost + 1)
  const rows = Array.from({ length: count }, () => drawRow(trader, action))
  const longer = withRoom(action.command, AuctionTerms.bytes + count * IndicativeRow.bytes)
  const at = PlaceOrderCommand.bytes
  // Sometimes the count exceeds the rows that follow.
  terms.over(longer.views, at).count = random.below(30) === 0 ? count + 3 : count
  for (const [index, fields] of rows.entries()) {
    row.over(longer.views, at + AuctionTerms.bytes + index * IndicativeRow.bytes)
    Object.assign(row, fields)
  }
  const named = order.of(longer)
  if (named.clientIdText === '') named.clientIdText = sent.note(rows)
  return new Action(longer, action.wallet)
}

function drawRow(trader: Trader, { command, wallet }: Action): SentRow {
  const { random } = trader
  const { priceMicros, side, sizeLots } = order.of(command)
  const account = accountOf(trader, wallet)
  // Below 0 means within the limit.
  const away = random.below(random.below(5) === 0 ? 8 : 2) - random.below(3)
  const sign = side === Side.Buy ? 1 : -1
  const shownMicros = Math.max(1, priceMicros + sign * away * stepMicros)
  const behind = sign * random.between(1, 6) * stepMicros
  const other = random.below(4) === 0 ? 0 : Math.max(0, shownMicros - behind)
  const [bidMicros, askMicros] = side === Side.Buy ? [other, shownMicros] : [shownMicros, other]
  const share = random.pick([0, 0.5, 1, 1, 4])
  return { account, bidMicros, askMicros, sizeLots: Math.floor(sizeLots * share) }
}

function accountOf(trader: Trader, taker: number): number {
  const { random } = trader
  const all = trader.providers()
  const kind = random.below(20)
  if (kind === 0 || all.length === 0) return strangeAccount
  const own = kind === 1 ? all.find((provider) => isOf(provider, taker)) : undefined
  if (own !== undefined) return own.account
  if (kind < 4) return random.pick(all).account
  const serving = all.filter(({ isActive, isConnected }) => isActive && isConnected)
  return random.pick(serving.length > 0 ? serving : all).account
}

function isOf({ wallet }: PublishedProvider, number: number): boolean {
  return addressOf(number).every((byte, index) => byte === wallet[index])
}
