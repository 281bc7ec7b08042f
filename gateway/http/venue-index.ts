import { degradedOf } from '../../schemas/interface/health-status.js'
import { endpointOf } from '../../schemas/interface/paths.js'
import type { ReadRow } from '../../schemas/interface/read.js'
import { gatewayReads, historyReads, viewReads } from '../../schemas/interface/reads.js'
import {
  gatewayServices,
  type VenueIndex,
  type VenueStatus,
} from '../../schemas/interface/venue.js'
import { perpSourceOf } from '../../schemas/signing/perp-action-hash.js'
import { domainVersion } from '../../schemas/typed-data.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { streamPaths } from '../transport/stream-paths.js'
import type { Operations } from './router.js'
import { zeroAddress } from './service.js'

const about =
  'An options exchange: signed orders (EIP-712) over HTTP and WebSocket, one sequence of events. ' +
  'Every endpoint is in /openapi.json, every message in /asyncapi.json; /docs shows both, to be read and tried.'
/** Document paths, each with the path that serves it. */
const documentPaths = [
  ['/app', '/app'],
  ['/docs', '/docs'],
  ['/docs/streams', '/docs/'],
  ['/docs/guides', '/docs/guides/'],
  ['/openapi.json', '/openapi.json'],
  ['/asyncapi.json', '/asyncapi.json'],
] as const
const faucetPath = '/faucet'
const faucetText =
  'POST /faucet with {"wallet": "0x..."} opens an account with paper money: curl -d \'{"wallet":"0x..."}\' <this url>/faucet'
const operatorText =
  'Deposits are the operator’s to make (POST /operator/deposits of the operator interface); an account is opened by the first.'

/**
 * Derives the index from the tables that requests are served from.
 * @param paths Served paths.
 * @param status State of the venue now.
 * @param degraded Reasons of degradation.
 */
export function venueIndex(
  { config, build }: GatewayContext,
  paths: ReadonlyMap<string, Operations>,
  status: VenueStatus,
  degraded: readonly string[] = [],
): VenueIndex {
  const rows = { ...viewReads, ...historyReads, ...gatewayReads }
  const market = Object.entries<ReadRow>(rows).filter(isOfMarket)
  const { name } = config.service
  const { chainId } = config
  return {
    name,
    about,
    preset: config.preset,
    version: build.version,
    commit: build.commit,
    status: degraded.length > 0 ? 'degraded' : 'ok',
    ...degradedOf(degraded),
    ...status,
    documents: documentPaths.filter(([, server]) => paths.has(server)).map(([path]) => path),
    health: gatewayServices.map((key) => endpointOf(key)[1]).filter((path) => path !== '/'),
    market: market.map(([key, row]) => requestOf(key, row)),
    signing: {
      enabled: config.signing.enabled,
      domain: { name, version: domainVersion, chainId, verifyingContract: zeroAddress },
      perp_source: perpSourceOf(config),
    },
    funds: paths.has(faucetPath)
      ? { from: 'faucet', how: faucetText }
      : { from: 'operator', how: operatorText },
    streams: { clients: streamPaths.clients, quote_providers: streamPaths.providers },
  }
}

/** True if a read concerns no wallet, and needs only its path or parameters. */
function isOfMarket([key, { query }]: readonly [string, ReadRow]): boolean {
  const [method, path] = endpointOf(key)
  return method === 'GET' && !('wallet' in query) && !path.endsWith('/')
}

/** Returns a request such as `/orderbook?instrument_id={instrument_id}`. */
function requestOf(key: string, { query }: ReadRow): string {
  const names = Object.keys(query).filter((name) => query[name]!.isRequired)
  const parameters = names.map((name) => `${name}={${name}}`).join('&')
  return `${endpointOf(key)[1]}${parameters === '' ? '' : `?${parameters}`}`
}
