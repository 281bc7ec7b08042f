import { formatLots } from '../../schemas/decimal.js'
import { Side, sideNames, Tif, tifNames } from '../../schemas/domain.js'
import type { OrderUpdate } from '../../schemas/interface/orders.js'
import { formatSymbol, instrumentTypeOf } from '../../schemas/symbol.js'
import type { CancelRequest } from '../commands/cancel-request.js'
import type { OrderRequest } from '../commands/order-request.js'
import type { OrderFacts, OutcomeView, Reason } from '../link/outcome.js'
import { encodeJson, type JsonValue } from '../wire/json-text.js'
import { tifFields } from '../wire/tif-fields.js'

/** Fields of an order update in addition to the acknowledgement and `info`. */
export interface UpdateFrame {
  readonly wallet: string
  /** '' when the request had no `X-Request-Id`. */
  readonly requestId: string
  /** `filled_size` as decimal text instead of a number. */
  readonly hasDecimalStrings: boolean
}

/** Part of an order update that an acknowledgement of the engine, or a rejection by the gateway, determines. */
export type UpdateOutcome = Pick<
  OutcomeView,
  'seq' | 'timeMillis' | 'status' | 'isMmpTriggered' | 'orderId' | 'filledLots' | 'kept'
>

/**
 * Formats an order update as JSON. Assembled by hand, because it answers every order write, and no number in it may
 * have an exponent.
 * @param info JSON text of `info`.
 */
export function orderUpdateText(
  outcome: UpdateOutcome,
  reason: Reason,
  info: string,
  frame: UpdateFrame,
): string {
  const isRejected = outcome.status === 'REJECTED'
  const filled = isRejected ? '0' : formatLots(outcome.filledLots)
  const orderId = isRejected || outcome.orderId === 0 ? 'null' : String(outcome.orderId)
  const requestId = frame.requestId === '' ? '' : `,"request_id":${JSON.stringify(frame.requestId)}`
  return (
    `{"timestamp":${outcome.timeMillis},"info":${info},"status":"${outcome.status}"` +
    `${reasonText(reason)},"filled_size":${frame.hasDecimalStrings ? `"${filled}"` : filled}` +
    `,"order_id":${orderId},"wallet_address":"${frame.wallet}"` +
    `,"mmp_triggered":${outcome.isMmpTriggered},"seq":${outcome.seq}${requestId}}`
  )
}

/**
 * Formats `info` of a new order or replacement: the request's own texts, as received. A duplicate shows the original
 * order's values of the fields that no signature covers.
 */
export function infoOfRequest(
  order: OrderRequest,
  { orderId, kept }: Pick<UpdateOutcome, 'orderId' | 'kept'>,
): string {
  const id = orderId === 0 ? 'null' : String(orderId)
  const clientId = order.clientId === '' ? 'null' : JSON.stringify(order.clientId)
  const underlying = order.option === null ? 'null' : `"${order.option.underlying}"`
  const { builder: builderText, isMmpEnabled } = kept ?? {
    builder: order.builderText,
    isMmpEnabled: order.mmpEnabled,
  }
  const builder = builderText === null ? 'null' : `"${builderText.toLowerCase()}"`
  const nonce = typeof order.nonce === 'number' ? String(order.nonce) : `"${order.nonce}"`
  return (
    `{"symbol":"${order.canonicalSymbol}","price":"${order.price}","size":"${order.size}"` +
    `,"side":"${order.side}",${tifText(order)},"client_id":${clientId}` +
    `,"underlying":${underlying},"builder_code_address":${builder}` +
    `,"order_id":${order.orderId === '' ? id : order.orderId},"is_perp":${order.terms !== null}` +
    `,"mmp_enabled":${isMmpEnabled},"reduce_only":${order.reduceOnlyGiven}` +
    `,"nonce":${nonce},"signature":"${order.signature}"}`
  )
}

function tifText({ tif }: OrderRequest): string {
  return tif === tifNames[Tif.Alo] ? '"add_liquidity_only":true' : `"tif":"${tif}"`
}

/**
 * Formats `info` of a cancel: the order concerned, or placeholder values if it is unknown. A perp action also shows the
 * perp that it names, if it exists.
 */
export function infoOfCancel(
  facts: OrderFacts,
  { perp, terms, clientId }: Pick<CancelRequest, 'perp' | 'terms' | 'clientId'>,
): string {
  const isKnown = facts.orderId !== 0
  const isUnknownPerp = !isKnown && terms !== null
  const named = perp === null ? undefined : { ...perp, symbol: formatSymbol(perp) }
  const { symbol = '', underlying = null } = (isKnown ? facts.instrument : named) ?? {}
  const cancelId = isUnknownPerp ? clientId : facts.clientId
  const info: OrderUpdate['info'] = {
    symbol,
    price: isKnown ? facts.price : '0',
    size: isKnown ? facts.size : '0',
    side: isKnown ? facts.side : sideNames[Side.Buy],
    ...tifFields(isKnown ? facts.tif : tifNames[Tif.Gtc]),
    client_id: cancelId === '' ? null : cancelId,
    underlying,
    builder_code_address: facts.builder,
    order_id: isKnown ? facts.orderId : null,
    is_perp: isKnown ? instrumentTypeOf(symbol) === 'perp' : isUnknownPerp,
    mmp_enabled: facts.isMmpEnabled,
    reduce_only: isKnown ? facts.isReduceOnly : null,
    nonce: null,
    signature: null,
  }
  return encodeJson(info)
}

/** Formats the three fields of a reason, each after a comma. */
function reasonText({ reason, code, details }: Reason): string {
  if (reason === null && code === null && details === null) {
    return ',"reason":null,"reason_code":null,"details":null'
  }
  const detailsText = details === null ? 'null' : encodeJson(details as unknown as JsonValue)
  return `,"reason":${encodeJson(reason)},"reason_code":${encodeJson(code)},"details":${detailsText}`
}
