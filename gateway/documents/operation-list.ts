import { Envelope } from '../../schemas/interface/answer.js'
import type { Parameters } from '../../schemas/interface/parameter.js'
import { endpointOf } from '../../schemas/interface/paths.js'
import type { Reader, ReadRow } from '../../schemas/interface/read.js'
import { gatewayReads, historyReads, viewReads } from '../../schemas/interface/reads.js'
import type { JsonSchema } from '../../schemas/interface/shape.js'
import { simulatedOrders } from '../../schemas/interface/simulated-orders.js'
import { gatewayServices } from '../../schemas/interface/venue.js'
import type { WriteDomain, WriteRow } from '../../schemas/interface/write.js'
import { signedWrites, unsignedWrites } from '../../schemas/interface/writes.js'
import { Result } from '../../schemas/results.js'
import type { StructType } from '../../schemas/typed-data.js'
import type { Config } from '../config/config-schema.js'
import { bulkBody, signedBody } from './request-bodies.js'

/** Signature of an operation: the structs of which one is signed, and the permitted signers. */
export interface Signature {
  readonly structs: readonly StructType[]
  readonly domain: WriteDomain
  readonly by: 'wallet or agent' | 'owner' | 'operator'
  /** True if only the owner may sign it, on a venue where private reads are signed. */
  readonly outlivesAgents?: boolean
}

/** Rate limit to which an operation counts. */
export interface RateCost {
  readonly categories: readonly string[]
  readonly of: 'wallet' | 'client and wallet' | 'client'
  /** Cost of one request. */
  readonly cost: 1 | 'items'
}

/** Operation, as in the tables of the gateway. */
export interface Operation {
  /** Method and path. */
  readonly key: string
  readonly envelope: Envelope
  readonly query: Parameters
  /** Parameter in the path. */
  readonly pathParameter: string | null
  /** Description of an id in the path. */
  readonly pathId?: string | undefined
  /** Groups of parameters of which exactly one is required. */
  readonly either?: readonly (readonly string[])[]
  /** Schema of its body, and the field with a list of bodies, if any. */
  readonly body: { readonly schema: JsonSchema; readonly list: string | null } | null
  readonly signature: Signature | null
  readonly rate: RateCost | null
  readonly results: readonly Result[]
  /** Permitted readers where private reads are signed. */
  readonly reader: Reader
  /** True if `min_seq` applies. */
  readonly isRead: boolean
}

/** Pages and the prefixes of their parts. */
export const pageKeys = [
  ...['GET /docs', 'GET /docs/', 'GET /docs/guides/', 'GET /app', 'GET /app/'],
]
/** Paths of the documents and pages. */
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

/** Returns all operations that a venue with this configuration serves. */
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
  const unsigned = Object.entries(unsignedWrites)
    .filter(([, { presets }]) => presets.includes(preset))
    .map(
      ([key, { answer, body }]): Operation => ({
        ...{ key, envelope: answer.envelope, ...noQuery, signature: null },
        ...{ reader: 'anybody', isRead: false, body: { schema: body.schema, list: null } },
        rate: { categories: ['Faucet'], of: 'client and wallet', cost: 1 },
        results: [...everywhere, ...ofBodies, Result.LimitExceeded],
      }),
    )
  return [
    ...services,
    ...reads.map(([key, row]) => readOf(key, row)),
    ...unsigned,
    ...Object.entries(signedWrites).map(([key, row]) => writeOf(key, row)),
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
    const body = { schema: simulatedOrders.schema, list: null }
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
  // Reads count to the limit if their query names a wallet.
  const groups = either === undefined ? {} : { either }
  return { ...common, ...groups, body: null, rate, results, isRead: true }
}

function writeOf(key: string, row: WriteRow): Operation {
  const { body, nested, list, categories, structs, domain } = row
  const schema = nested?.schema ?? (list === null ? signedBody(body) : bulkBody(list, body))
  const cost = list === null ? 1 : 'items'
  const isOwners = row.signedBy === 'owner' || ('isOwnersOnly' in row && row.isOwnersOnly === true)
  const outlivesAgents = 'outlivesAgents' in row && row.outlivesAgents === true
  return {
    ...{ key, envelope: row.answer.envelope, ...noQuery, reader: 'anybody', isRead: false },
    body: { schema, list },
    signature: { structs, domain, by: isOwners ? 'owner' : signers[row.signedBy], outlivesAgents },
    rate:
      categories === null
        ? { categories: ['FailedSignature'], of: 'client', cost }
        : { categories, of: 'wallet', cost },
    results: [...everywhere, ...ofBodies, ...ofSignatures],
  }
}
