import { domainVersion } from '../../schemas/typed-data.js'
import { perpSourceOf } from '../actions/perp-action-hash.js'
import { signedEndpoints } from '../endpoints/signed-endpoints.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { streamPaths } from '../transport/stream-paths.js'
import {
  endpointOf,
  gatewayEndpoints,
  historyEndpoints,
  type ReadEndpoint,
  readModelEndpoints,
  serviceEndpoints,
} from '../wire/read-endpoints.js'
import type { Operations } from './router.js'
import { zeroAddress } from './service.js'

/** A read, with the parameters that it cannot do without and those that it can. */
export interface IndexedRead {
  readonly path: string
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

/** What `GET /` says. */
export interface VenueIndex {
  readonly name: string
  readonly about: string
  readonly preset: string
  readonly version: string
  readonly documents: readonly string[]
  readonly health: readonly string[]
  /** Reads that name no wallet. */
  readonly market: readonly IndexedRead[]
  /** Reads of one wallet. */
  readonly account: readonly IndexedRead[]
  readonly streams: { readonly clients: string; readonly quote_providers: string }
  readonly signing: {
    readonly enabled: boolean
    /** As EIP-712 spells it. */
    readonly domain: {
      readonly name: string
      readonly version: string
      readonly chainId: number
      readonly verifyingContract: string
    }
    readonly perp_source: string
    /** Methods and paths of what is signed. */
    readonly endpoints: readonly string[]
  }
  readonly funds: { readonly from: 'faucet' | 'operator'; readonly how: string }
}

const about =
  'An options exchange: signed orders (EIP-712) over HTTP and WebSocket, one sequence of events.'
/** Pages, and documents of the interface, wherever they are served. */
const documentPaths = ['/app', '/docs', '/openapi.json', '/asyncapi.json']
const faucetPath = '/faucet'
const faucetText =
  'POST /faucet with {"wallet": "0x..."} opens an account with paper money: curl -d \'{"wallet":"0x..."}\' <this url>/faucet'
const operatorText =
  'Deposits are the operator’s to make (POST /operator/deposits of the operator interface); an account is opened by the first.'

/** Derives the index from the tables by which requests are served. @param paths that are served. */
export function venueIndex(
  { config, build }: GatewayContext,
  paths: ReadonlyMap<string, Operations>,
): VenueIndex {
  const rows = { ...readModelEndpoints, ...historyEndpoints, ...gatewayEndpoints }
  const reads = Object.entries<ReadEndpoint>(rows)
    .filter(([key]) => endpointOf(key)[0] === 'GET')
    .map(([key, row]) => ({ read: readOf(key, row), ofWallet: 'wallet' in row.query }))
  const { name } = config.service
  const { chainId } = config
  return {
    name,
    about,
    preset: config.preset,
    version: build.version,
    documents: documentPaths.filter((path) => paths.has(path)),
    health: serviceEndpoints.map((key) => endpointOf(key)[1]).filter((path) => path !== '/'),
    market: reads.filter(({ ofWallet }) => !ofWallet).map(({ read }) => read),
    account: reads.filter(({ ofWallet }) => ofWallet).map(({ read }) => read),
    streams: { clients: streamPaths.clients, quote_providers: streamPaths.providers },
    signing: {
      enabled: config.signing.enabled,
      domain: { name, version: domainVersion, chainId, verifyingContract: zeroAddress },
      perp_source: perpSourceOf(config),
      endpoints: [...signedEndpoints.keys()],
    },
    funds: paths.has(faucetPath)
      ? { from: 'faucet', how: faucetText }
      : { from: 'operator', how: operatorText },
  }
}

function readOf(key: string, { either = [], query, pathParameter }: ReadEndpoint): IndexedRead {
  const path = endpointOf(key)[1]
  const names = (isRequired: boolean) =>
    Object.entries(query)
      .filter(([name, parameter]) => {
        // The first way of asking is shown.
        const isNeeded = parameter.isRequired || either[0]?.includes(name) === true
        return name !== pathParameter && isNeeded === isRequired
      })
      .map(([name]) => name)
  // One that ends in a slash stands for all below it.
  const shown = path.endsWith('/') ? `${path}{${pathParameter ?? 'id'}}` : path
  return { path: shown, required: names(true), optional: names(false) }
}
