import { presetNames } from '../domain.js'
import { bare, whole } from './answer.js'
import { read, service } from './read.js'
import {
  address,
  count,
  exactly,
  flag,
  list,
  nothing,
  nullable,
  object,
  oneOf,
  text,
} from './shape.js'

export const venueReads = {
  'GET /exchange-info': read({
    group: 'Venue',
    summary: 'Returns signing parameters, perps and bounds of lists',
    answeredBy: 'gateway',
    answer: bare({
      exchange_address: address('The zero address: there is no contract'),
      chain_id: count('Chain of the signing domain'),
      signing_domain: object(
        {
          name: text('Name of the domain'),
          version: text('Version of the domain'),
        },
        'Name and version of the domain that signatures are made under',
      ),
      hl_builder_address: nothing('Always null'),
      deposit_router_address: nothing('Always null: money is credited by the operator'),
      portfolio_margin_deposits_enabled: flag('Always false: money is credited by the operator'),
      preset: oneOf(presetNames, 'Preset of the configuration'),
      perp_source: text('`source` in the signatures of perp actions'),
      private_reads: oneOf(
        ['open', 'signed'],
        '`signed` if reads of a wallet need its signed session, else `open`',
      ),
      perps: list(
        object({
          asset: count('Number of the perp in its signed actions'),
          underlying: text('Name of the underlying'),
          symbol: text('Canonical symbol of the instrument'),
        }),
        'The perps, with their numbers',
      ),
      push_public_key: nullable(
        text('Public key for browser notifications; null: notifications are off'),
      ),
      max_bulk_items: count('Most items of a list'),
      max_rfq_legs: count('Most legs of a request for quote'),
    }),
  }),
}

const components = list(
  object({
    name: text('Name of the component'),
    ready: flag('True if the component is ready'),
    'detail?': text('Reason why it is not ready'),
  }),
  'Components of the gateway',
)

/** Answer of `GET /ready` with HTTP status 503. */
export const notReady = object({
  status: exactly('not_ready', 'Always `not_ready` with this HTTP status'),
  message: text('Reason why the venue is not ready'),
  components,
})

/** Pages, documents and health checks by method and path. */
export const services = {
  'GET /': service({
    group: 'Venue',
    summary: 'Returns an index of the venue, as JSON or as a page',
    answer: whole(
      object({
        name: text('Name of the venue'),
        about: text('Short description of the venue'),
        preset: oneOf(presetNames, 'Preset of the configuration'),
        version: text('Version of the package; of the domain its own'),
        status: oneOf(
          ['ok', 'degraded'],
          '`degraded` while the venue trades without one of its parts',
        ),
        'degraded?': list(text(), 'Parts out of service that do not stop trading, or the reasons'),
        documents: list(text(), 'Paths of the documents of the interface'),
        health: list(text(), 'Paths of the health checks'),
        market: list(text(), 'Paths of reads of the market'),
        signing: object(
          {
            enabled: flag('True while it is on'),
            domain: object(
              {
                name: text('Name of the venue'),
                version: text('Version of the package; of the domain its own'),
                chainId: count('Chain of the domain'),
                verifyingContract: address('Contract of the domain: the zero address'),
              },
              'The EIP-712 domain that signatures are made under',
            ),
            perp_source: text('`source` in the signatures of perp actions'),
          },
          'Parameters of signatures',
        ),
        funds: object(
          {
            from: oneOf(['faucet', 'operator'], 'Source: `faucet` or `operator`'),
            how: text('Instruction for clients'),
          },
          'Source of money; on the operator port: the funds of the venue, in USD',
        ),
        streams: object(
          {
            clients: text('Path for clients'),
            quote_providers: text('Path for quote providers'),
          },
          'Paths of the WebSockets',
        ),
      }),
    ),
  }),
  'GET /health': service({
    group: 'Venue',
    summary: 'Returns the health of this gateway',
    answer: whole(
      object({
        status: exactly('ok', 'Always `ok`'),
      }),
    ),
  }),
  'GET /version': service({
    group: 'Venue',
    summary: 'Returns the version of the build',
    answer: whole(
      object({
        version: text('Version of the package'),
        commit: nullable(text('Commit of the build; null: unknown')),
        ref: nullable(text('Branch or tag of the build; null: unknown')),
        build_time: nullable(text('Time of the build; null: unknown')),
        signing_chain_id: count('Chain of the signing domain'),
      }),
    ),
  }),
  'GET /ready': service({
    group: 'Venue',
    summary: 'Returns the readiness of each component; 503 while one is not ready',
    answer: whole(
      object({
        status: exactly('ready', '`ready`, or `not_ready` with HTTP status 503'),
        components,
        'degraded?': list(text(), 'Reasons why the venue trades without one of its parts'),
      }),
    ),
  }),
  'GET /openapi.json': service({
    group: 'Venue',
    summary: 'Returns this document',
    answer: whole(object({})),
  }),
  'GET /asyncapi.json': service({
    group: 'Venue',
    summary: 'Returns the document of the streams',
    answer: whole(object({})),
  }),
  'GET /docs': service({
    group: 'Venue',
    summary: 'Serves this document as a page with a form for each operation',
  }),
  'GET /docs/': service({
    group: 'Venue',
    summary: 'Serves a part of that page; `streams` is the document of the streams',
  }),
  'GET /app': service({
    group: 'Venue',
    summary: 'Serves the trading pages',
  }),
  'GET /app/': service({
    group: 'Venue',
    summary: 'Serves a part of these pages',
  }),
}

/** Services that the gateway answers itself. They have no parameters. */
export const gatewayServices = ['GET /', 'GET /health', 'GET /version', 'GET /ready'] as const
export type GatewayService = (typeof gatewayServices)[number]
