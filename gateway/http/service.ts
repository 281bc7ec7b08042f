import { bulkItemsMax } from '../../schemas/bounds.js'
import { domainVersion } from '../../schemas/typed-data.js'
import { perpSourceOf } from '../actions/perp-action-hash.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { HttpCall } from '../transport/transport.js'
import { answerJson } from './http-answer.js'

/** One part of the exchange, for GET /ready. */
export interface Component {
  readonly name: string
  readonly ready: boolean
  readonly detail?: string
}

const zeroAddress = '0x0000000000000000000000000000000000000000'
const rfqLegsMax = 10 // specification, "Limits"

/** GET /exchange-info. */
export function exchangeInfo(context: GatewayContext, call: HttpCall): void {
  const { config } = context
  answerJson(
    call,
    200,
    JSON.stringify({
      exchange_address: zeroAddress,
      chain_id: config.chainId,
      signing_domain: { name: config.service.name, version: domainVersion },
      hl_builder_address: null,
      deposit_router_address: null,
      portfolio_margin_deposits_enabled: false,
      preset: config.preset,
      perp_source: perpSourceOf(config),
      perps: context.perps.rows(),
      push_public_key: null,
      max_bulk_items: bulkItemsMax,
      max_rfq_legs: rfqLegsMax,
    }),
  )
}

/** GET /health: the thread answers. */
export function health(call: HttpCall): void {
  answerJson(call, 200, '{"status":"ok"}')
}

/** GET /version. */
export function version({ build, config }: GatewayContext, call: HttpCall): void {
  answerJson(
    call,
    200,
    JSON.stringify({
      version: build.version,
      commit: build.commit,
      ref: build.ref,
      build_time: build.buildTime,
      signing_chain_id: config.chainId,
    }),
  )
}

/** GET /ready: 503 as long as one component is not. */
export function ready(components: readonly Component[], call: HttpCall): void {
  const missing = components.filter((component) => !component.ready)
  const isReady = missing.length === 0
  const message = `not ready: ${missing.map((component) => component.name).join(', ')}`
  answerJson(
    call,
    isReady ? 200 : 503,
    JSON.stringify({
      status: isReady ? 'ready' : 'not_ready',
      ...(isReady ? {} : { message }),
      components,
    }),
  )
}
