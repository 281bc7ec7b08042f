import type { Scenario } from '../../../engine/pricing/scenarios.js'
import {
  formatLots,
  formatMicros,
  parsePriceMicros,
  parseSizeLots,
} from '../../../schemas/decimal.js'
import {
  HaltMode,
  InstrumentState,
  MarginModelKind,
  type Side,
  scenarioKindNames,
  sideNames,
  TradingMode,
} from '../../../schemas/domain.js'
import type { DataOf } from '../../../schemas/interface/answer.js'
import { viewReads } from '../../../schemas/interface/reads.js'
import {
  simulatedBody,
  simulatedOrder,
  simulatedOrdersMax,
} from '../../../schemas/interface/simulated-orders.js'
import type { ResultDetail } from '../../../schemas/result-row.js'
import { Result, resultRows, resultText, scenariosPerModel } from '../../../schemas/results.js'
import { parseSymbol } from '../../../schemas/symbol.js'
import { formatAddress, isZeroAddress, parseAddress } from '../../../schemas/wallet.js'
import { notionalFault } from '../../commands/order-request.js'
import { dataAnswer } from '../../wire/answers.js'
import { BodyFields } from '../../wire/body-fields.js'
import type { Fault } from '../../wire/fault.js'
import type { QueryReader } from '../../wire/query-reader.js'
import { decimalDetail } from '../../wire/request-fields.js'
import { routeBy } from '../../wire/route.js'
import { quoted } from '../../wire/shown-text.js'
import type { ReadRoute, RouteContext } from '../texts/route-context.js'
import { type Preview, type PreviewOrder, previewOrders } from './order-preview.js'

type Body = Readonly<Record<string, unknown>>

/** Order in the body. `instrument` is -1 if nothing is listed under its symbol. */
interface RequestedOrder extends PreviewOrder {
  readonly symbol: string
  readonly underlying: string
}

const bodyFields = new BodyFields(simulatedBody)
const orderFields = new BodyFields(simulatedOrder)

/**
 * Answers POST /risk/simulate/orders: whether the wallet could place these orders together, and their margin. Unsigned;
 * places nothing.
 */
export const simulateOrdersRoute: ReadRoute = routeBy(
  viewReads['POST /risk/simulate/orders'].answer.envelope,
  (query, context: RouteContext) => {
    // The gateway has checked that it is an object.
    const body: Body = JSON.parse(query.body)
    refuseAs(bodyFields.fault(body, context.config.refusesUnknown), '', query)
    const wallet = walletOf(body, query)
    if ((body['execution_mode'] ?? 'resting') !== 'resting') {
      query.refuse(Result.InvalidField, 'execution_mode must be resting')
    }
    return { wallet, orders: ordersOf(body, query, context) }
  },
  ({ wallet, orders }, context) => {
    const { views } = context
    const account = views.accounts.find(wallet)
    const preview = previewOrders(
      context,
      account,
      orders,
      (order) => accountRefusal(account, context) ?? listingRefusal(order, context),
    )
    const reason = preview.listing ?? riskRefusal(preview, context)
    return dataAnswer(simulationOf(reason, preview, context), views.seq)
  },
)

type SimulatedOrders = DataOf<(typeof viewReads)['POST /risk/simulate/orders']>

function simulationOf(
  reason: string | null,
  preview: Preview,
  context: RouteContext,
): SimulatedOrders {
  return {
    admissible: reason === null,
    rejection_reason: reason,
    required: formatMicros(preview.required),
    equity: formatMicros(preview.equity),
    consumed_im: formatMicros(preview.consumedIm),
    incremental_im: formatMicros(preview.required - preview.consumedIm),
    consumed_mm: formatMicros(preview.consumedMm),
    incremental_mm: formatMicros(preview.incrementalMm),
    scenario: scenarioOf(preview, context),
  }
}

function refuseAs(fault: Fault | null, prefix: string, query: QueryReader): void {
  if (fault !== null) query.refuse(fault.result, prefix + fault.message)
}

function walletOf(body: Body, query: QueryReader): string {
  const text = body['wallet']
  const bytes = typeof text === 'string' ? parseAddress(text) : null
  if (bytes !== null && !isZeroAddress(bytes, 0)) return formatAddress(bytes, 0)
  query.refuse(Result.InvalidWallet, 'wallet must be 0x followed by 40 hexadecimal digits')
  return ''
}

function ordersOf(body: Body, query: QueryReader, context: RouteContext): RequestedOrder[] {
  const { orders } = body
  if (!Array.isArray(orders) || orders.length === 0 || orders.length > simulatedOrdersMax) {
    query.refuse(
      Result.InvalidParameter,
      `orders must be a list of 1 to ${simulatedOrdersMax} orders`,
    )
    return []
  }
  return orders.map((order, index) => orderOf(order ?? {}, `orders[${index}]`, query, context))
}

function orderOf(
  order: Body,
  name: string,
  query: QueryReader,
  { views, config }: RouteContext,
): RequestedOrder {
  refuseAs(orderFields.fault(order, config.refusesUnknown), `${name}: `, query)
  const text = (field: string) => {
    const value = order[field]
    return typeof value === 'string' ? value : ''
  }
  const symbol = text('symbol')
  const sideText = text('side')
  const sizeLots = parseSizeLots(text('size'))
  const priceMicros = parsePriceMicros(text('price'))
  const side = (sideNames as readonly string[]).indexOf(sideText)
  const terms = parseSymbol(symbol)
  if (typeof terms === 'string') query.refuse(Result.InvalidField, `${name}.symbol: ${terms}`)
  if (side < 0) {
    query.refuse(Result.InvalidField, `${name}.side must be Buy or Sell, not ${quoted(sideText)}`)
  }
  if (sizeLots < 0) {
    const detail = decimalDetail(text('size'), sizeLots, parseSizeLots)
    query.refuse(Result.InvalidField, `${name}.size ${detail}`)
  }
  if (priceMicros < 0) {
    const detail = decimalDetail(text('price'), priceMicros, parsePriceMicros)
    query.refuse(Result.InvalidField, `${name}.price ${detail}`)
  }
  const large = priceMicros < 0 || sizeLots < 0 ? null : notionalFault(priceMicros, sizeLots)
  if (large !== null) query.refuse(Result.InvalidField, `${name}: ${large}`)
  const { instruments } = views.market
  const instrument =
    typeof terms === 'string'
      ? -1
      : instruments.find(terms.underlying, terms.expiryDate, terms.strikeMicros, terms.right)
  const underlying = typeof terms === 'string' ? '' : terms.underlying
  return { symbol, underlying, instrument, side: side as Side, sizeLots, priceMicros }
}

function accountRefusal(account: number, { views }: RouteContext): string | null {
  return views.accounts.stopped.has(account) ? resultText(Result.WalletStopped, {}) : null
}

/** Returns the fault of the core's checks before the wallet's funds: halt and instrument. */
function listingRefusal(order: RequestedOrder, { views }: RouteContext): string | null {
  const { market } = views
  const { instrument, symbol, underlying } = order
  const { instruments, haltModes } = market
  const haltMode = haltModes[instruments.findUnderlying(underlying)]
  if (haltMode === HaltMode.Halted) return resultText(Result.TradingHalted, { underlying })
  if (haltMode === HaltMode.CancelOnly) return resultText(Result.CancelOnly, { underlying })
  if (instrument < 0) return resultText(Result.InvalidSymbol, { symbol })
  if (instruments.state[instrument] !== InstrumentState.Active) {
    return resultText(Result.InstrumentExpired, {})
  }
  const hasBook = (instruments.tradingMode[instrument] & TradingMode.Orderbook) !== 0
  return hasBook ? null : resultText(Result.OrderbookNotFound, { symbol })
}

function riskRefusal({ result, details }: Preview, { views }: RouteContext): string | null {
  if (result === Result.Accepted) return null
  const rows = resultRows[result].details ?? []
  const texts = rows.map(({ name, unit }, i) => [name, detailText(unit, details[i]!, views)])
  return resultText(result, Object.fromEntries(texts))
}

function detailText(
  unit: ResultDetail['unit'],
  value: number,
  { market }: RouteContext['views'],
): string {
  if (unit === 'micros') return formatMicros(value)
  if (unit === 'lots') return formatLots(value)
  if (unit === 'instrument') return market.symbols[value] ?? ''
  return unit === 'underlying' ? (market.instruments.underlyingNames[value] ?? '') : String(value)
}

/** Returns the scenario that decided a failed margin check. */
function scenarioOf({ result, details }: Preview, { config }: RouteContext) {
  if (result !== Result.InsufficientMargin) return null
  const index = resultRows[result].details!.findIndex(({ unit }) => unit === 'scenario')
  const number = details[index]!
  if (number < 0) return null
  const { standardScenarios, portfolioScenarios } = config.engine.risk
  const isPortfolio = Math.floor(number / scenariosPerModel) === MarginModelKind.Portfolio
  const table: readonly Scenario[] = isPortfolio ? portfolioScenarios : standardScenarios
  const { id, kind } = table[number % scenariosPerModel]!
  return { kind: scenarioKindNames[kind], id }
}
