import { Envelope } from '../../schemas/interface/answer.js'
import type { Parameters } from '../../schemas/interface/parameter.js'
import type { Reader, ReadRow } from '../../schemas/interface/read.js'
import { endpointOf, gatewayReads, historyReads, viewReads } from '../../schemas/interface/reads.js'
import type { JsonSchema } from '../../schemas/interface/shape.js'
import { gatewayServices } from '../../schemas/interface/venue.js'
import { Result } from '../../schemas/results.js'
import type { StructType } from '../../schemas/typed-data.js'
import { accountActions } from '../actions/account-actions.js'
import type { Action } from '../actions/action.js'
import { directivePathOf, signedDirectives } from '../actions/directive-actions.js'
import { orderStructs } from '../actions/order-actions.js'
import { rfqStructs } from '../actions/rfq-actions.js'
import { typedStructs } from '../actions/typed-structs.js'
import type { Config } from '../config/config-schema.js'
import { type SignedEndpoint, signedEndpoints } from '../endpoints/signed-endpoints.js'
import { type UnsignedEndpoint, unsignedEndpoints } from '../endpoints/unsigned-endpoints.js'
import { simulatedBody, simulatedOrder, simulatedOrdersMax } from '../wire/simulated-body.js'
import { bulkBody, directiveBody, perpBody, plainBody, signedBody } from './request-bodies.js'
import { list, nullable, object, oneOf } from './shapes/shape.js'

type Domain = 'options' | 'apiSign' | 'managerSign' | 'perp'

/** Structs of which one is signed, and the permitted signers. */
export interface Signature {
  readonly structs: readonly StructType[]
  readonly domain: Domain
  readonly by: 'wallet or agent' | 'owner' | 'operator'
  /** True if only the owner may sign it, on a venue where private reads are signed. */
  readonly outlivesAgents?: boolean
}

/** The window that an operation counts in. */
export interface RateCost {
  readonly categories: readonly string[]
  readonly of: 'wallet' | 'client and wallet' | 'client'
  /** Cost of one request. */
  readonly cost: 1 | 'items'
}

/** An operation as the tables of the gateway have it. */
export interface Operation {
  /** Method and path, as tables name it. */
  readonly key: string
  readonly envelope: Envelope
  readonly query: Parameters
  /** Parameter in the path. */
  readonly pathParameter: string | null
  /** Description of an id in the path. */
  readonly pathId?: string | undefined
  /** Groups of parameters of which exactly one is required. */
  readonly either?: readonly (readonly string[])[]
  /** Schema of its body, and whether it has a list of bodies. */
  readonly body: { readonly schema: JsonSchema; readonly list: string | null } | null
  readonly signature: Signature | null
  readonly rate: RateCost | null
  readonly results: readonly Result[]
  /** Permitted readers where private reads are signed. */
  readonly reader: Reader
  /** True if `min_seq` applies. */
  readonly isRead: boolean
}

/** Pages, and below them what they are made of. */
export const pageKeys = ['GET /docs', 'GET /docs/', 'GET /app', 'GET /app/'] as const
/** Paths of the documents themselves, and of the pages. */
export const documentKeys = ['GET /openapi.json', 'GET /asyncapi.json', ...pageKeys] as const

const everywhere = [
  ...[Result.InvalidRequest, Result.RateLimitExceeded, Result.InternalError],
  ...[Result.EngineBusy, Result.NotReady],
]
const ofQueries = [Result.InvalidParameter, Result.InvalidField]
const ofBodies = [
  ...[Result.InvalidJson, Result.MissingField, Result.InvalidWallet, Result.InvalidParameter],
  ...[Result.InvalidField, Result.PayloadTooLarge],
]
const ofSignatures = [
  ...[Result.SignatureFailed, Result.Unauthorized, Result.NoAccount, Result.LimitExceeded],
  ...[Result.Conflict, Result.SigningDisabled, Result.VenueHalted],
]
const noBody = { body: null, signature: null, reader: 'anybody' } as const
const noQuery = { query: {}, pathParameter: null }
const signers = { wallet: 'wallet or agent', owner: 'owner', operator: 'operator' } as const

/** Every operation that a venue of this configuration serves. */
export function operationsOf({ preset }: Pick<Config, 'preset'>): readonly Operation[] {
  const services = [...gatewayServices, ...documentKeys].map(
    (key): Operation => ({
      ...{ key, envelope: Envelope.Bare, ...noQuery, ...noBody, rate: null, isRead: false },
      pathId: 'Name of the part',
      results: [
        ...everywhere,
        Result.InvalidField,
        ...(key.endsWith('/') || key === 'GET /app' ? [Result.NotFound] : []),
      ],
    }),
  )
  const reads = Object.entries<ReadRow>({
    ...viewReads,
    ...historyReads,
    ...gatewayReads,
  })
  const unsigned = Object.entries<UnsignedEndpoint>(unsignedEndpoints)
    .filter(([, { presets }]) => presets.includes(preset))
    .map(
      ([key, { envelope, body }]): Operation => ({
        ...{ key, envelope, ...noQuery, signature: null, reader: 'anybody', isRead: false },
        body: { schema: plainBody(body), list: null },
        rate: { categories: ['Faucet'], of: 'client and wallet', cost: 1 },
        results: [...everywhere, ...ofBodies, Result.LimitExceeded],
      }),
    )
  return [
    ...services,
    ...reads.map(([key, row]) => readOf(key, row)),
    ...unsigned,
    ...[...signedEndpoints].map(([key, row]) => writeOf(key, row)),
  ]
}

function readOf(key: string, row: ReadRow): Operation {
  const { either, query, pathParameter, pathId, reader } = row
  const { envelope } = row.answer
  const isOfWallet = 'wallet' in query || 'account' in query
  const unsigned = { pathParameter: pathParameter ?? null, pathId, signature: null }
  const common = { key, envelope, query, reader, ...unsigned }
  const ofReaders = reader === 'anybody' ? [] : [Result.Unauthorized]
  const rate = { categories: ['ApiRequest'], of: 'client and wallet', cost: 1 } as const
  if (endpointOf(key)[0] === 'POST') {
    const body = { schema: simulatedSchema(), list: null }
    const results = [...everywhere, ...ofBodies, ...ofReaders]
    return { ...common, rate, body, results, isRead: false }
  }
  const isRequired = Object.values(query).some((parameter) => parameter.isRequired)
  const results = [
    ...everywhere,
    ...ofQueries,
    ...(isRequired ? [Result.MissingField] : []),
    ...(isOfWallet ? [Result.InvalidWallet] : []),
    ...ofReaders,
  ]
  // Any read counts whose query names a wallet.
  const groups = either === undefined ? {} : { either }
  return { ...common, ...groups, body: null, rate, results, isRead: true }
}

function writeOf(key: string, row: SignedEndpoint): Operation {
  return {
    ...{ key, envelope: row.envelope, ...noQuery, reader: 'anybody', isRead: false },
    body: { schema: bodyOf(key, row), list: row.list },
    signature: signatureOf(key, row),
    rate: rateOf(key, row),
    results: [...everywhere, ...ofBodies, ...ofSignatures],
  }
}

function bodyOf(key: string, { body, list: name }: SignedEndpoint): JsonSchema {
  const directive = directiveOf(key)
  if (directive !== undefined) return directiveBody(directive.key)
  if (key === 'POST /perp-order') return perpBody()
  return name === null ? signedBody(body) : bulkBody(name, body)
}

function directiveOf(key: string) {
  return signedDirectives.find((row) => key === `POST ${directivePathOf(row.key)}`)
}

function signatureOf(key: string, row: SignedEndpoint): Signature {
  const directive = directiveOf(key)
  if (directive !== undefined) {
    const { struct, domain } = directive
    const by = domain === 'managerSign' ? 'owner' : 'wallet or agent'
    return { structs: [struct], domain, by }
  }
  const by = 'wallet or agent'
  if (key === 'POST /perp-order') return { structs: [typedStructs.Agent], domain: 'perp', by }
  const action = Object.values<Action>(accountActions).find(
    ({ endpoint }) => endpoint.join(' ') === key,
  )
  if (action === undefined) return { structs: structsOf(row.body), domain: 'options', by }
  const signer = action.isOwnersOnly ? 'owner' : signers[action.signedBy]
  const { outlivesAgents, struct } = action
  return { structs: [struct], domain: 'options', by: signer, outlivesAgents }
}

/** Structs of orders, cancels and requests for quote, by their bodies. */
function structsOf(body: SignedEndpoint['body']): readonly StructType[] {
  const { PlaceOrder, PlaceOrderWithoutRoute, PlaceOrderReduceOnly } = orderStructs
  if ('quote_id' in body) return [rfqStructs.AcceptRFQQuote]
  if ('legs' in body) return [rfqStructs.SubmitRFQ, rfqStructs.SubmitAutoExecuteRfq]
  if ('route' in body) return [PlaceOrder, PlaceOrderWithoutRoute, PlaceOrderReduceOnly]
  if ('symbol' in body) return [orderStructs.ReplaceOrder, orderStructs.ReplaceOrderReduceOnly]
  const byClientId = orderStructs.CancelOrderByClientId
  return 'order_id' in body ? [orderStructs.CancelOrder, byClientId] : [byClientId]
}

function rateOf(key: string, { latency, list: name }: SignedEndpoint): RateCost {
  const cost = name === null ? 1 : 'items'
  if (latency === null) return { categories: ['FailedSignature'], of: 'client', cost }
  if (latency === 'account') return { categories: ['ApiRequest'], of: 'wallet', cost }
  if (key === 'POST /perp-order') {
    return { categories: ['OrderPlacement', 'OrderCancellation'], of: 'wallet', cost }
  }
  const isCancel = latency === 'cancel' || name === 'cancels'
  return { categories: [isCancel ? 'OrderCancellation' : 'OrderPlacement'], of: 'wallet', cost }
}

function simulatedSchema(): JsonSchema {
  const { properties, required } = plainBody(simulatedBody)
  const orders = list(plainBody(simulatedOrder), { minItems: 1, maxItems: simulatedOrdersMax })
  const execution_mode = nullable(oneOf(['resting']))
  return { ...object({ ...(properties as object), orders, execution_mode }), required }
}
