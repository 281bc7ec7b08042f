import { haltModeNames, haltReasons, nodeRoles, presetNames } from '../domain.js'
import { bare, whole } from './answer.js'
import { degradedFields } from './health-status.js'
import { read, service } from './read.js'
import {
  address,
  count,
  exactly,
  flag,
  type JsonOf,
  list,
  millis,
  nothing,
  nullable,
  type ObjectOf,
  object,
  oneOf,
  positive,
  text,
} from './shape.js'

const perp = object({
  asset: count('Asset number of the perp in signed actions; the venue never reuses it'),
  underlying: text('Name of the underlying'),
  symbol: text('Canonical symbol'),
})
export type Perp = JsonOf<typeof perp>

const exchangeInfo = {
  exchange_address: address('Always the zero address: the venue has no contract'),
  chain_id: count('Chain id of the signing domain'),
  signing_domain: object(
    { name: text('Name of the domain'), version: text('Version of the domain') },
    'EIP-712 domain of options, requests for quote and account actions',
  ),
  hl_builder_address: nothing('Always null: the venue has none'),
  deposit_router_address: nothing('Always null: the operator credits deposits'),
  portfolio_margin_deposits_enabled: flag('Always false: the operator credits deposits'),
  preset: oneOf(presetNames, 'Preset of the configuration'),
  perp_source: text('`source` in the signatures of perp actions'),
  private_reads: oneOf(
    ['open', 'signed'],
    '`signed`: private reads need a read session of the wallet; `open`: anybody may read',
  ),
  perps: list(perp, 'Listed perps'),
  push_public_key: nullable(
    text('Public VAPID key of browser notifications; null: notifications are off'),
  ),
  max_bulk_items: count('Maximum number of items in a bulk request'),
  max_rfq_legs: count('Maximum number of legs in a request for quote'),
}
export type ExchangeInfo = ObjectOf<typeof exchangeInfo>

export const venueReads = {
  'GET /exchange-info': read({
    group: 'Venue',
    summary: 'Returns the signing domain, the listed perps and the size limits of requests',
    description:
      'Read it once at start-up. `perps` changes when the operator lists or delists a perp.',
    answeredBy: 'gateway',
    answer: bare(exchangeInfo),
  }),
}

const component = object({
  name: text('Name of the component'),
  ready: flag('True if the component is ready'),
  'detail?': text('Reason for not being ready; absent: ready'),
})
export type Component = JsonOf<typeof component>
const components = list(component, 'Components of the gateway')

/** Answer of `GET /ready` with HTTP status 503. */
export const notReady = object({
  status: exactly('not_ready', 'Always `not_ready` with HTTP status 503'),
  message: text('Reason, for people; may change'),
  components,
})
export type NotReady = JsonOf<typeof notReady>

const readiness = object({
  status: exactly('ready', 'Always `ready` with HTTP status 200'),
  ...degradedFields,
  components,
})
export type Readiness = JsonOf<typeof readiness>

/** Largest number of halts in the index of the venue. */
export const haltsShownMax = 20

const halt = object({
  scope: oneOf(
    ['market', 'underlying', 'wallets'],
    '`market`: every listed underlying; `wallets`: wallets that the venue has stopped',
  ),
  'underlying?': text('Halted underlying; absent: another scope'),
  'wallets?': count('Number of stopped wallets, which are not named; absent: another scope'),
  mode: oneOf([haltModeNames[1], haltModeNames[2]], 'Halt mode; cancels pass in both'),
  reason: oneOf(
    haltReasons,
    '`clock`: the clock of the machine was stepped; `invariant`: an invariant is broken; `operator`: the operator ' +
      'halted it, or has not opened it since an accepted loss',
  ),
  since_ms: millis('Engine time of the halt; after a restart the time of the start'),
})
export type ShownHalt = JsonOf<typeof halt>

const percentile = (share: string) =>
  nullable(
    positive(`${share} of the acknowledgements took at most so many milliseconds; null: none yet`),
  )

/** State of the venue that changes while it runs. */
const venueStatus = {
  role: oneOf(nodeRoles, 'Role of the node; `single`: the venue has no other node'),
  uptime_ms: count('Milliseconds since the venue was ready; steps of the clock do not change it'),
  halts: object(
    {
      count: count('Number of halts, including those beyond the limit of the list'),
      rows: list(halt, `Latest halts first, at most ${haltsShownMax}`, { maxItems: haltsShownMax }),
    },
    'Halts of the market, of underlyings and of wallets',
  ),
  acknowledgements: object(
    {
      window_ms: count('Length of the window: 60 to 70 seconds, or less after the start'),
      count: count('Number of acknowledged requests in the window'),
      p50_ms: percentile('50 %'),
      p99_ms: percentile('99 %'),
      p999_ms: percentile('99.9 %'),
    },
    'Times from the arrival of a signed request until its answer leaves, over all gateways. Values are interpolated ' +
      'within a bucket of the histogram of /metrics; 5000 also means longer. They are computed at most once a second',
  ),
}
export type VenueStatus = ObjectOf<typeof venueStatus>

const venueIndex = object({
  name: text('Name of the venue'),
  about: text('Short description of the venue'),
  preset: oneOf(presetNames, 'Preset of the configuration'),
  version: text('Version of the software'),
  commit: text('Commit of the build; `unknown`: a package without its repository'),
  status: oneOf(['ok', 'degraded'], '`degraded`: the venue trades, but a part is out of service'),
  ...degradedFields,
  ...venueStatus,
  documents: list(text(), 'Paths of the pages and of the API documents'),
  health: list(text(), 'Paths of the health checks'),
  market: list(
    text(),
    'Paths of market reads, with a placeholder in braces for each required parameter',
  ),
  signing: object(
    {
      enabled: flag('True if the venue accepts signed writes'),
      domain: object(
        {
          name: text('Name of the domain'),
          version: text('Version of the domain'),
          chainId: count('Chain id of the domain'),
          verifyingContract: address('Contract of the domain: the zero address'),
        },
        'EIP-712 domain of options, requests for quote and account actions',
      ),
      perp_source: text('`source` in the signatures of perp actions'),
    },
    'Parameters of signatures',
  ),
  funds: object(
    {
      from: oneOf(['faucet', 'operator'], 'Source of funds'),
      how: text('Instruction for people'),
    },
    'Source of funds',
  ),
  streams: object(
    {
      clients: text('Path of the stream for clients'),
      quote_providers: text('Path of the stream for quote providers'),
    },
    'WebSocket paths',
  ),
})
export type VenueIndex = JsonOf<typeof venueIndex>

const version = object({
  version: text('Version of the software'),
  commit: nullable(text('Commit of the build; null: unknown')),
  ref: nullable(text('Branch or tag of the build; null: unknown')),
  build_time: nullable(text('Time of the build; null: unknown')),
  signing_chain_id: count('Chain id of the signing domain'),
})
export type Version = JsonOf<typeof version>

const health = object({ status: exactly('ok', 'Always `ok`') })

/** Pages, documents and health checks by method and path. */
export const services = {
  'GET /': service({
    group: 'Venue',
    summary: 'Returns the index of the venue, as JSON or as a page',
    description: 'Returns a page if `Accept` prefers `text/html`, as browsers do.',
    answer: whole(venueIndex),
  }),
  'GET /health': service({
    group: 'Venue',
    summary: 'Returns `ok` while this gateway answers',
    answer: whole(health),
  }),
  'GET /version': service({
    group: 'Venue',
    summary: 'Returns the version and the commit of the build',
    answer: whole(version),
  }),
  'GET /ready': service({
    group: 'Venue',
    summary: 'Returns the readiness of each component; answers 503 while one is not ready',
    answer: whole(readiness),
  }),
  'GET /openapi.json': service({
    group: 'Venue',
    summary: 'Returns this document',
    answer: whole(object({})),
  }),
  'GET /asyncapi.json': service({
    group: 'Venue',
    summary: 'Returns the AsyncAPI document of the streams',
    answer: whole(object({})),
  }),
  'GET /docs': service({
    group: 'Venue',
    summary: 'Returns this document as a page, with a form for each operation',
  }),
  'GET /docs/': service({
    group: 'Venue',
    summary:
      'Returns a file of the reference pages; `streams`: the reference of the streams; `guides`: all guides',
  }),
  'GET /docs/guides/': service({
    group: 'Venue',
    summary: 'Returns a guide, for example `orders`',
  }),
  'GET /app': service({
    group: 'Venue',
    summary: 'Returns the trading page',
  }),
  'GET /app/': service({ group: 'Venue', summary: 'Returns a file of the trading page' }),
}

/** Services that the gateway answers itself. They have no parameters. */
export const gatewayServices = ['GET /', 'GET /health', 'GET /version', 'GET /ready'] as const
export type GatewayService = (typeof gatewayServices)[number]
