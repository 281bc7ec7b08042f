import { parseHex } from '../../schemas/hex.js'
import { Result } from '../../schemas/results.js'
import { rateLimitsOf } from '../admission/rate-limits.js'
import { areReadsSigned } from '../admission/read-session.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { orderRowQuestion } from '../link/read-protocol.js'
import type { HttpCall } from '../transport/transport.js'
import { type Answer, bareAnswer, dataAnswer, refusedAnswer } from '../wire/answers.js'
import { Fault } from '../wire/fault.js'
import type { JsonValue } from '../wire/json-text.js'
import type { OrderWhy } from '../wire/order-why-text.js'
import { type Read, readerOf } from '../wire/parameters.js'
import { QueryReader } from '../wire/query-reader.js'
import {
  type GatewayEndpoint,
  gatewayEndpoints,
  type ReadEndpoint,
} from '../wire/read-endpoints.js'
import { actionOutcome } from './action-outcome.js'
import { soughtOf, whyMeasured, whyStored, withoutAmounts } from './order-why.js'
import { exchangeInfo } from './service.js'

/** A read that the gateway answers, at work. */
export interface GatewayRead {
  readonly context: GatewayContext
  readonly call: HttpCall
  answer(answer: Answer): void
  refuse(fault: Fault): void
}

type ReadOf<Key extends GatewayEndpoint> = Read<(typeof gatewayEndpoints)[Key]['query']>

const reads: {
  readonly [Key in GatewayEndpoint]: (read: GatewayRead, values: ReadOf<Key>) => void
} = {
  'GET /exchange-info': ({ context, answer }) =>
    answer(bareAnswer(exchangeInfo(context), context.lastSeq())),
  'GET /rate-limits': ({ context, call, answer }, { wallet }) => {
    const limits = rateLimitsOf(context, call.address, wallet)
    answer(dataAnswer(limits as unknown as JsonValue, context.lastSeq()))
  },
  'GET /actions/outcome': lookUp,
  'GET /orders/why': tellWhy,
}

const tooLate = 'the answer does not include the wanted sequence yet'

/** Answers one of them, once this gateway has come to the sequence that the query wants. */
export function readFromGateway(key: GatewayEndpoint, read: GatewayRead): void {
  const { context, call, answer, refuse } = read
  const row: ReadEndpoint = gatewayEndpoints[key]
  const query = new QueryReader(call.query, context.signing.refusesUnknownFields)
  const seqMin = query.integer(['min_seq'], 0, Number.MAX_SAFE_INTEGER, 0)
  const values = readerOf(row.query)(query)
  const { refusal } = query
  if (refusal !== null) {
    answer(refusedAnswer(row.envelope, refusal))
    return
  }
  context.lookups.waits.wait(seqMin, context.nowMillis(), (isThere) => {
    if (isThere) reads[key](read, values as never)
    else refuse(new Fault(Result.NotReady, {}, tooLate))
  })
}

/** Of what nothing is measured any more, or was before this start, the store may know how it stands. */
function tellWhy({ context, answer, refuse }: GatewayRead, read: ReadOf<'GET /orders/why'>): void {
  const sought = soughtOf(read)
  if (sought instanceof Fault) {
    refuse(sought)
    return
  }
  const tell = (why: OrderWhy | null) => {
    if (why === null) refuse(new Fault(Result.NotFound, {}, 'the order is unknown, or too old'))
    else answer(dataAnswer(why as unknown as JsonValue, context.lastSeq()))
  }
  const why = whyMeasured(context, sought)
  const isHidden = 'orderId' in sought && areReadsSigned(context)
  const measured = why === null || !isHidden ? why : withoutAmounts(why)
  if (measured !== null || !('orderId' in sought)) {
    tell(measured)
    return
  }
  context.askHistory(orderRowQuestion, `order_id=${sought.orderId}`).then(
    ({ status, body }) => {
      if (status === 200) tell(whyStored(JSON.parse(body).data ?? null))
      else refuse(new Fault(Result.NotReady))
    },
    () => refuse(new Fault(Result.InternalError)),
  )
}

/**
 * The core answers as of all that was sent to it before; what it tells is shown when it is durable, and the gateway has
 * read as far: then its names are known, too.
 */
function lookUp(
  { context, answer, refuse }: GatewayRead,
  { wallet, digest }: ReadOf<'GET /actions/outcome'>,
): void {
  const { lookups, names, nowMillis } = context
  const busy = lookups.ask(wallet, parseHex(digest)!, nowMillis(), (found) => {
    if (found === null) {
      refuse(new Fault(Result.NotReady))
      return
    }
    lookups.waits.wait(found.seqNow, nowMillis(), (isThere) => {
      if (!isThere) refuse(new Fault(Result.NotReady, {}, tooLate))
      else {
        const outcome = actionOutcome(found, wallet, digest, names)
        answer(dataAnswer(outcome as unknown as JsonValue, found.seqNow))
      }
    })
  })
  if (busy !== null) refuse(busy)
}
