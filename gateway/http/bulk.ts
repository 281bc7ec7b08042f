import { Route } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import { Admission, checkSignature } from '../admission/admission.js'
import { takeBulk } from '../admission/bulk-admission.js'
import { BulkItems, type BulkList, readBulkBody } from '../commands/bulk-items.js'
import { digestCancel, readCancel, writeCancel } from '../commands/cancel-request.js'
import {
  type OrderRequest,
  type OrderShape,
  readOrder,
  replacementOrder,
  restOrder,
} from '../commands/order-request.js'
import { writeOrder } from '../commands/write-order.js'
import { addressKeyOf } from '../limits/address-limits.js'
import { RateCategory } from '../limits/rate-windows.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { reasonOf } from '../link/outcome.js'
import type { HttpCall } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import { invalidParameter, isJsonObject, type JsonObject } from '../wire/request-fields.js'
import { BulkAnswer } from './bulk-answer.js'
import { signedCancel, updateOfCancel } from './cancel-order.js'
import { readJsonArrayBody } from './json-body.js'
import {
  gatewayRejection,
  refusesTurn,
  signedOrder,
  updateOfOrder,
  valuesOfOrder,
} from './place-order.js'

/** What differs between the bulk operations. */
interface BulkKind {
  readonly category: RateCategory
  /** Checks one item up to its signature, and hands it to the answer or to the items for the core. */
  readonly take: (bulk: Bulk, index: number, body: JsonObject) => Fault | null
}

/** One bulk request at work. */
interface Bulk {
  readonly context: GatewayContext
  readonly call: HttpCall
  /** The client's address bytes. */
  readonly address: Uint8Array
  readonly answer: BulkAnswer
}

const { OrderPlacement, OrderCancellation } = RateCategory
const kinds: Readonly<Record<BulkList, BulkKind>> = {
  orders: {
    category: OrderPlacement,
    take: (bulk, index, body) => takeOrder(bulk, index, body, restOrder),
  },
  replacements: {
    category: OrderPlacement,
    take: (bulk, index, body) => takeOrder(bulk, index, body, replacementOrder),
  },
  // By either id.
  cancels: { category: OrderCancellation, take: takeCancel },
}
const items = new BulkItems()

/** A bulk of new orders, replacements or cancels, as its list is named. */
export function writeBulk(context: GatewayContext, call: HttpCall, list: BulkList): Fault | null {
  const kind = kinds[list]
  const { limits, nowMillis, port } = context
  const busy = kind.category === OrderPlacement ? refusesTurn(context) : null
  if (busy !== null) return busy
  const json = readJsonArrayBody(call.body)
  const body =
    json instanceof Fault ? json : readBulkBody(json, list, context.signing.refusesUnknownFields)
  if (body instanceof Fault) return body
  if (kind.category === OrderPlacement) context.turn.takeMore(body.items.length - 1)
  const { address } = call
  const blocked = limits.refusesRecovery(addressKeyOf(address), nowMillis())
  if (blocked !== null && !body.items.some((item) => namesAccount(item, context))) return blocked
  const answer = new BulkAnswer(context, call, body.isBare)
  const bulk: Bulk = { context, call, address, answer }
  items.clear()
  for (const [index, item] of body.items.entries()) {
    const fault = isJsonObject(item)
      ? kind.take(bulk, index, item)
      : invalidParameter('item', 'must be an object')
    if (fault !== null) answer.fail(index, fault)
  }
  const refused = takeBulk(context, kind.category, answer.admissions)
  if (refused !== null) return refused
  if (answer.listeners.length === 0) {
    answer.send()
    return null
  }
  if (port.claimBulk(items.records(), answer.listeners)) port.submit()
  else answer.refuse(new Fault(Result.EngineBusy))
  return null
}

/** Whether an item claims to be of a wallet that has an account. */
function namesAccount(item: unknown, { limits }: GatewayContext): boolean {
  const wallet = isJsonObject(item) ? item['wallet'] : undefined
  return typeof wallet === 'string' && limits.directory.hasAccount(wallet.toLowerCase())
}

function takeOrder(bulk: Bulk, index: number, body: JsonObject, shape: OrderShape): Fault | null {
  const { context, call, address, answer } = bulk
  const { signing } = context
  const order = readOrder(body, shape, signing)
  if (order instanceof Fault) return order
  if (shape.hasOrderId) signing.digester.replaceOrder(order, signing.digest)
  else signing.digester.placeOrder(order, signing.digest)
  const request = signedOrder(order, address)
  const unsound = checkSignature(context, request)
  if (unsound !== null) return unsound
  const admission = new Admission(context, request)
  const refused = admission.isKnown ? null : admission.refuse()
  if (refused !== null) return refused
  if (admission.lacksAccount) return reject(bulk, index, order, admission, Result.NoFunds)
  // An omitted route means the book here; it is signed as omitted.
  if (shape.hasRoute && order.route === null) order.routeIndex = Route.BookOnly
  answer.admissions.push(admission)
  writeOrder(items, signing, order)
  answer.expect(index, admission, (outcome) => {
    const reason = reasonOf(outcome, () => valuesOfOrder(order))
    const update = updateOfOrder(context, call, order, outcome, reason)
    return { isSuccess: outcome.status !== 'REJECTED', update, reason }
  })
  return null
}

/** The gateway rejects the item alone; it counts like any other of its wallet. */
function reject(
  { context, call, answer }: Bulk,
  index: number,
  order: OrderRequest,
  admission: Admission,
  result: Result,
): Fault | null {
  const stranger = admission.refuseUnknown()
  if (stranger !== null) return stranger
  answer.admissions.push(admission)
  const values = valuesOfOrder(order)
  const { outcome, reason } = gatewayRejection(context, result, values)
  const update = updateOfOrder(context, call, order, outcome, reason)
  answer.decide(index, { isSuccess: false, update, reason })
  return null
}

function takeCancel(bulk: Bulk, index: number, body: JsonObject): Fault | null {
  const { context, call, address, answer } = bulk
  const { signing } = context
  const cancel = readCancel(body, false, signing)
  if (cancel instanceof Fault) return cancel
  digestCancel(signing, cancel)
  const request = signedCancel(cancel, address)
  const unsound = checkSignature(context, request)
  if (unsound !== null) return unsound
  const admission = new Admission(context, request)
  const refused = admission.isKnown ? null : admission.refuse()
  if (refused !== null) return refused
  answer.admissions.push(admission)
  writeCancel(items, signing, cancel)
  answer.expect(index, admission, (outcome, event) => {
    const update = updateOfCancel(context, call, cancel, outcome, event)
    return { isSuccess: outcome.status === 'CANCELED', update: update.text, reason: update.reason }
  })
  return null
}
