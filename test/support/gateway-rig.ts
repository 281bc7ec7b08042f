import { smallMemory } from '../../bench/event-script.js'
import type { ExchangeMemory } from '../../engine/memory/exchange-memory.js'
import { ringHeadAt, ringTailAt } from '../../engine/memory/layout.js'
import { typedStructs } from '../../gateway/actions/typed-structs.js'
import { createSigner, type Signer } from '../../gateway/client/signer.js'
import { resolveConfig } from '../../gateway/config/config.js'
import type { Config } from '../../gateway/config/config-schema.js'
import { Gateway } from '../../gateway/gateway.js'
import { allocateLimitMemory, type LimitMemory } from '../../gateway/limits/limit-memory.js'
import { loadTransports } from '../../gateway/transport/transports.js'
import { Tier } from '../../schemas/domain.js'
import { AccountChange } from '../../schemas/record-values.js'
import { type TypedMessage, typedDataDigest } from '../../schemas/signing/typed-data-digest.js'
import { signingDomains } from '../../schemas/typed-data.js'
import { FakeCore } from './fake-core.js'

const transports = await loadTransports('auto')

export const owner = createSigner('11'.repeat(32))
export const agent = createSigner('22'.repeat(32))
export const testSymbol = 'BTC-20300628-100000-C'
export const testExpiryMillis = Date.UTC(2030, 5, 28, 8)
export const testBuild = { version: '1.2.3', commit: 'c0ffee', ref: 'main', buildTime: 'now' }

/** Returns the development preset with a test's values on top, by path. */
export function testConfig(values: Readonly<Record<string, string>> = {}): Config {
  return resolveConfig({ flags: new Map(Object.entries(values)), environment: {} }).config
}

const domain = signingDomains('Strikebook', 31_337).options
let nonceCount = 1

/** Returns a PlaceOrder body, signed over its own texts, with `changes` made before the signature. */
export function orderBody(
  changes: Readonly<Record<string, unknown>> = {},
  signer: Signer = owner,
): Record<string, unknown> {
  const body: Record<string, unknown> = {
    wallet: owner.address,
    symbol: testSymbol,
    side: 'Buy',
    size: '1.50',
    price: '100.0',
    tif: 'gtc',
    route: 'book_only',
    nonce: nonceCount++,
    ...changes,
  }
  for (const [name, value] of Object.entries(body)) if (value === undefined) delete body[name]
  return { ...body, signature: signer.sign(orderDigest(body)) }
}

/** Returns the body of any other signed write. */
export function signedBody(
  struct: keyof typeof typedStructs,
  message: TypedMessage,
  body: Readonly<Record<string, unknown>>,
  signer: Signer = owner,
): Record<string, unknown> {
  return { ...body, signature: signer.sign(typedDataDigest(domain, typedStructs[struct], message)) }
}

/** Returns a nonce, unique in the test run. */
export function nextNonce(): number {
  return nonceCount++
}

/** Parts that a rig shares with another, or that the test provides. */
export interface RigParts {
  readonly memory?: ExchangeMemory
  readonly limits?: LimitMemory
  readonly nowMillis?: () => number
  /** True if the gateway itself decides about unknown wallets; else the fake core does. */
  readonly isCaughtUp?: boolean
  /** Port that the caller holds and may share; without it the rig opens its own. */
  readonly port?: number
  /** HTTP status of the history store's answer to a query; else 200. */
  readonly historyStatus?: (queryText: string) => number
}

/** Whole gateway in this thread, in front of a fake core. */
export interface GatewayRig {
  readonly memory: ExchangeMemory
  readonly core: FakeCore
  readonly gateway: Gateway
  readonly url: string
  readonly failures: string[]
  readonly logs: string[]
  request(method: string, path: string, body?: unknown, headers?: object): Promise<Response>
  stop(): Promise<void>
}

/** Returns the bytes of commands that the core has not read, as when it is stalled. */
export function bytesInRing({ memory }: Pick<GatewayRig, 'memory'>): number {
  const [ring] = memory.commandRings
  const cursor = (at: number) => Atomics.load(new Int32Array(ring!, at, 1), 0)
  return cursor(ringTailAt) - cursor(ringHeadAt)
}

export async function startRig(
  values: Readonly<Record<string, string>> = {},
  parts: RigParts = {},
): Promise<GatewayRig> {
  const memory = parts.memory ?? smallMemory()
  const core = new FakeCore(memory)
  const { script } = core
  script.bootstrapBegin()
  script.instrument(0, testSymbol, 0, testExpiryMillis, 0)
  script.instrument(1, 'BTC-20300628-100000-P', 0, testExpiryMillis, 0)
  script.instrument(2, 'ETH-20300628-5000-C', 1, testExpiryMillis, 0)
  const own = { account: 0, wallet: owner.address, cashMicros: 1, tier: Tier.Default }
  script.account({ ...own, change: AccountChange.Bootstrap })
  script.bootstrapEnd()
  const failures: string[] = []
  const logs: string[] = []
  const gateway = new Gateway({
    ...{ transports, memory, gatewayIndex: 0, config: testConfig(values) },
    limits: parts.limits ?? allocateLimitMemory(),
    ...(parts.nowMillis === undefined ? {} : { nowMillis: parts.nowMillis }),
    isCaughtUp: () => parts.isCaughtUp === true,
    build: testBuild,
    port: parts.port ?? 0,
    history: {
      query: async (path, queryText) => ({
        status: parts.historyStatus?.(queryText) ?? 200,
        body: JSON.stringify({ path, queryText }),
      }),
      onHistoryProgress: () => {},
      close: async () => {},
    },
    log: (line) => logs.push(line),
    onFailed: (reason) => failures.push(reason),
  })
  core.start()
  const port = await gateway.start()
  const url = `http://127.0.0.1:${port}`
  return {
    memory,
    core,
    gateway,
    url,
    failures,
    logs,
    request: (method, path, body, headers = {}) =>
      fetch(url + path, {
        method,
        headers: { ...headers },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    stop: async () => {
      await gateway.stop()
      core.stop()
    },
  }
}

function orderDigest(body: Record<string, unknown>): Uint8Array {
  const isReplacement = body['order_id'] !== undefined
  const isReduceOnly = body['reduce_only'] === true
  const message = {
    ...body,
    tif: body['tif'] ?? 'gtc',
    orderId: String(body['order_id']),
    clientId: body['client_id'] ?? '',
    reduceOnly: isReduceOnly,
  } as unknown as TypedMessage
  const placed = body['route'] === undefined ? 'PlaceOrderWithoutRoute' : 'PlaceOrder'
  const plain = isReplacement ? 'ReplaceOrder' : placed
  const reduceOnly = isReplacement ? 'ReplaceOrderReduceOnly' : 'PlaceOrderReduceOnly'
  try {
    return typedDataDigest(domain, typedStructs[isReduceOnly ? reduceOnly : plain], message)
  } catch {
    return new Uint8Array(32) // no struct fits the body: the gateway finds its error before the signature
  }
}
