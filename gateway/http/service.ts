import { bulkItemsMax, rfqLegsMax } from '../../schemas/bounds.js'
import { degradedOf } from '../../schemas/interface/health-status.js'
import type {
  Component,
  ExchangeInfo,
  NotReady,
  Readiness,
  Version,
} from '../../schemas/interface/venue.js'
import { perpSourceOf } from '../../schemas/signing/perp-action-hash.js'
import { domainVersion } from '../../schemas/typed-data.js'
import type { GatewayContext } from '../link/gateway-context.js'

export const zeroAddress = '0x0000000000000000000000000000000000000000'

/**
 * @param detail Current activity while it is not ready.
 */
export function componentOf(name: string, ready: boolean, detail: string): Component {
  return ready ? { name, ready } : { name, ready, detail }
}

/** Returns the answer of GET /exchange-info. */
export function exchangeInfo({ config, perps }: GatewayContext): ExchangeInfo {
  return {
    exchange_address: zeroAddress,
    chain_id: config.chainId,
    signing_domain: { name: config.service.name, version: domainVersion },
    hl_builder_address: null,
    deposit_router_address: null,
    portfolio_margin_deposits_enabled: false,
    preset: config.preset,
    perp_source: perpSourceOf(config),
    private_reads: config.reads.private,
    perps: perps.rows(),
    push_public_key: config.push.enabled ? config.push.vapid.publicKey || null : null,
    max_bulk_items: bulkItemsMax,
    max_rfq_legs: rfqLegsMax,
  }
}

/** Returns the answer of GET /version. */
export function version({ build, config }: GatewayContext): Version {
  return {
    version: build.version,
    commit: build.commit,
    ref: build.ref,
    build_time: build.buildTime,
    signing_chain_id: config.chainId,
  }
}

/**
 * Returns the answer of GET /ready, with 503 while a component is not ready. @param degraded Reasons of degradation.
 */
export function readiness(
  components: readonly Component[],
  degraded: readonly string[],
): readonly [number, Readiness | NotReady] {
  const missing = components.filter((component) => !component.ready)
  if (missing.length === 0) return [200, { status: 'ready', ...degradedOf(degraded), components }]
  const message = `not ready: ${missing.map(({ name }) => name).join(', ')}`
  return [503, { status: 'not_ready', message, components }]
}
