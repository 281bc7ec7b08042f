import { parseHex } from '../../schemas/hex.js'
import type { DataOf } from '../../schemas/interface/answer.js'
import type { OrderWhy } from '../../schemas/interface/orders.js'
import type { ValuesOf } from '../../schemas/interface/parameter.js'
import type { ReadRow } from '../../schemas/interface/read.js'
import { type GatewayReadKey, gatewayReads } from '../../schemas/interface/reads.js'
import { Result } from '../../schemas/results.js'
import { rateLimitsOf } from '../admission/rate-limit-status.js'
import { areReadsSigned, readSessionOf } from '../admission/read-session.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { orderRowQuestion } from '../link/read-protocol.js'
import type { HttpCall } from '../transport/transport.js'
import { type Answer, bareAnswer, dataAnswer, refusedAnswer } from '../wire/answers.js'
import { bearerToken } from '../wire/bearer-token.js'
import { Fault } from '../wire/fault.js'
import type { JsonValue } from '../wire/json-text.js'
import { readerOf } from '../wire/parameter-readers.js'
import { QueryReader } from '../wire/query-reader.js'
import { actionOutcome } from './action-outcome.js'
import { type StoredOrder, soughtOf, whyMeasured, whyStored, withoutAmounts } from './order-why.js'
import { exchangeInfo } from './service.js'

/** Read in progress that the gateway itself answers. */
export interface GatewayRead<Data = unknown> {
  readonly context: GatewayContext
  readonly call: HttpCall
  answer(answer: Answer<Data>): void
  refuse(fault: Fault): void
}

type ReadOf<Key extends GatewayReadKey> = ValuesOf<(typeof gatewayReads)[Key]['query']>
type InProgress<Key extends GatewayReadKey> = GatewayRead<DataOf<(typeof gatewayReads)[Key]>>

const reads: {
  readonly [Key in GatewayReadKey]: (read: InProgress<Key>, values: ReadOf<Key>) => void
} = {
  'GET /exchange-info': ({ context, answer }) =>
    answer(bareAnswer(exchangeInfo(context), context.lastSeq())),
  'GET /rate-limits': ({ context, call, answer }, { wallet }) => {
    const limits = rateLimitsOf(context, call.address, wallet)
    answer(dataAnswer(limits, context.lastSeq()))
  },
  'GET /actions/outcome': lookUp,
  'GET /orders/why': answerWhy,
}

const tooLate = 'the answer does not include the wanted sequence yet'

/** Answers a read once this gateway has reached the requested sequence. */
export function readFromGateway(key: GatewayReadKey, read: GatewayRead): void {
  const { context, call, answer, refuse } = read
  const row: ReadRow = gatewayReads[key]
  const query = new QueryReader(call.query, context.signing.refusesUnknownFields)
  const seqMin = query.integer(['min_seq'], 0, Number.MAX_SAFE_INTEGER, 0)
  const values = readerOf(row.query)(query)
  const { refusal } = query
  if (refusal !== null) {
    answer(refusedAnswer(row.answer.envelope, refusal))
    return
  }
  context.lookups.waits.wait(seqMin, context.nowMillis(), (isReached) => {
    if (isReached) reads[key](read, values as never)
    else refuse(new Fault(Result.NotReady, {}, tooLate))
  })
}

/** Answers GET /orders/why from the measurements, or from the store for an order without any. */
function answerWhy(read: InProgress<'GET /orders/why'>, values: ReadOf<'GET /orders/why'>): void {
  const { context, answer, refuse } = read
  const sought = soughtOf(values)
  if (sought instanceof Fault) {
    refuse(sought)
    return
  }
  const tell = (why: OrderWhy | null) => {
    if (why === null) refuse(new Fault(Result.NotFound, {}, 'The order is unknown or too old'))
    else answer(dataAnswer<OrderWhy & JsonValue>(why as never, context.lastSeq()))
  }
  const isSigned = areReadsSigned(context)
  const isHidden = 'orderId' in sought && isSigned
  const why = whyMeasured(context, sought, isSigned)
  const measured = why === null || !isHidden ? why : withoutAmounts(why)
  if (measured !== null || !('orderId' in sought)) {
    tell(measured)
    return
  }
  storedOrder(read, sought.orderId, isHidden).then(
    (stored) => (stored instanceof Fault ? refuse(stored) : tell(whyStored(stored))),
    () => refuse(new Fault(Result.InternalError)),
  )
}

/**
 * Returns an order from the store; null if it is unknown. An order that waits for quotes is `acked`, like one that
 * rests. If reads are signed, an `acked` order is shown only to a session of its wallet, so that its id does not reveal
 * it.
 */
async function storedOrder(
  { context, call }: GatewayRead,
  orderId: number,
  isHidden: boolean,
): Promise<StoredOrder | null | Fault> {
  const row = async (path: string, query: string): Promise<StoredOrder | null | Fault> => {
    const { status, body } = await context.queryHistory(path, query)
    return status === 200 ? (JSON.parse(body).data ?? null) : new Fault(Result.NotReady)
  }
  const found = await row(orderRowQuestion, `order_id=${orderId}`)
  if (!isHidden || found === null || found instanceof Fault || found.status !== 'acked')
    return found
  const shown = bearerToken(call.authorization)
  const session = shown === null ? null : readSessionOf(context, shown, call.address)
  if (session === null || session instanceof Fault) return null
  return row('/orders/status', `wallet=${session.wallet}&order_id=${orderId}`)
}

/**
 * Looks up the result of an action. The core answers as of everything sent to it before. The answer is sent once that
 * is durable and the gateway has read as far, and so knows the names too.
 */
function lookUp(
  { context, answer, refuse }: InProgress<'GET /actions/outcome'>,
  { wallet, digest }: ReadOf<'GET /actions/outcome'>,
): void {
  const { lookups, names, nowMillis } = context
  const busy = lookups.ask(wallet, parseHex(digest)!, nowMillis(), (found) => {
    if (found === null) {
      refuse(new Fault(Result.NotReady))
      return
    }
    lookups.waits.wait(found.seqNow, nowMillis(), (isReached) => {
      if (!isReached) refuse(new Fault(Result.NotReady, {}, tooLate))
      else {
        const outcome = actionOutcome(found, wallet, digest, names)
        answer(dataAnswer(outcome, found.seqNow))
      }
    })
  })
  if (busy !== null) refuse(busy)
}
