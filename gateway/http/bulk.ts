import { RateCategory, Route } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import { Admission, checkSignature, signedOrder } from '../admission/admission.js'
import { takeBulk } from '../admission/bulk-admission.js'
import { keepRefusal } from '../admission/kept-refusals.js'
import { BulkItems, type BulkList, readBulkBody } from '../commands/bulk-items.js'
import { type CancelRequest, readCancel, writeCancel } from '../commands/cancel-request.js'
import {
  type OrderRequest,
  type OrderShape,
  readOrder,
  replacementOrder,
  restOrder,
} from '../commands/order-request.js'
import { writeOrder } from '../commands/write-order.js'
import { addressKeyOf } from '../limits/address-limits.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { type Reason, reasonOf } from '../link/outcome.js'
import type { HttpCall } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import { invalidParameter, isJsonObject, type JsonObject } from '../wire/request-fields.js'
import { BulkAnswer } from './bulk-answer.js'
import { updateOfCancel } from './cancel-order.js'
import { withFaucet } from './faucet-hint.js'
import { readJsonArrayBody } from './json-body.js'
import type { UpdateOutcome } from './order-update.js'
import { refusesTurn, rejectOrder, updateOfOrder, valuesOfOrder } from './place-order.js'

/** Differences between the bulk operations. */
interface BulkKind {
  readonly category: RateCategory
  /** Checks one item including its signature, and adds it to the answer or to the items for the core. */
  readonly take: (bulk: Bulk, index: number, body: JsonObject) => Fault | null
}

/** Bulk request in progress. */
interface Bulk {
  readonly context: GatewayContext
  readonly call: HttpCall
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
  // Each item names an order id or a client id.
  cancels: { category: OrderCancellation, take: takeCancel },
}
const items = new BulkItems()

/** Handles a bulk of new orders, replacements or cancels, according to its list. */
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
  const blocked = limits.refusesRecovery(addressKeyOf(call.address), nowMillis())
  if (blocked !== null && !body.items.some((item) => namesAccount(item, context))) return blocked
  const answer = new BulkAnswer(context, call, body.isBare)
  const bulk: Bulk = { context, call, answer }
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

/** True if an item names a wallet that has an account. */
function namesAccount(item: unknown, { limits }: GatewayContext): boolean {
  const wallet = isJsonObject(item) ? item['wallet'] : undefined
  return typeof wallet === 'string' && limits.directory.hasAccount(wallet.toLowerCase())
}

function takeOrder(bulk: Bulk, index: number, body: JsonObject, shape: OrderShape): Fault | null {
  const { context, call, answer } = bulk
  const { signing } = context
  const order = readOrder(body, shape, signing)
  if (order instanceof Fault) return order
  signing.digester.order(order, signing.digest)
  const admission = admitItem(bulk, order)
  if (admission instanceof Fault) return admission
  const updateOf = (outcome: UpdateOutcome, reason: Reason) => {
    const update = updateOfOrder(context, call, order, outcome, reason)
    return {
      isSuccess: outcome.status !== 'REJECTED',
      update,
      reason: withFaucet(context, reason),
    }
  }
  if (admission.lacksAccount) {
    // It counts like any other order of its wallet.
    return rejectOrder(context, order, admission, Result.NoFunds, (outcome, reason) => {
      answer.admissions.push(admission)
      answer.decide(index, updateOf(outcome, reason))
    })
  }
  // Here an omitted route means the book. The signature covers the omission.
  if (shape.hasRoute && order.route === null) order.routeIndex = Route.BookOnly
  writeOrder(items, signing, order, null)
  answer.expect(index, admission, (outcome) =>
    updateOf(
      outcome,
      reasonOf(outcome, () => valuesOfOrder(order)),
    ),
  )
  return null
}

function takeCancel(bulk: Bulk, index: number, body: JsonObject): Fault | null {
  const { context, call, answer } = bulk
  const { signing } = context
  const cancel = readCancel(body, false, signing)
  if (cancel instanceof Fault) return cancel
  signing.digester.cancel(cancel, signing.digest)
  const admission = admitItem(bulk, cancel)
  if (admission instanceof Fault) return admission
  writeCancel(items, signing, cancel)
  answer.expect(index, admission, (outcome, event) => {
    const update = updateOfCancel(context, call, cancel, outcome, event)
    return { isSuccess: outcome.status === 'CANCELED', update: update.text, reason: update.reason }
  })
  return null
}

/** Checks an item's signature and signer. The rate window is charged later, for all items together. */
function admitItem(bulk: Bulk, item: OrderRequest | CancelRequest): Admission | Fault {
  const admission = checkItem(bulk, item)
  if (admission instanceof Fault) keepRefusal(bulk.context, item, admission)
  return admission
}

function checkItem({ context, call }: Bulk, item: OrderRequest | CancelRequest): Admission | Fault {
  const request = signedOrder(item, call.address)
  const unsound = checkSignature(context, request)
  if (unsound !== null) return unsound
  const admission = new Admission(context, request)
  return (admission.isKnown ? null : admission.refuse()) ?? admission
}
