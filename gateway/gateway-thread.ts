import { parentPort, workerData } from 'node:worker_threads'
import type { ExchangeMemory } from '../engine/memory/exchange-memory.js'
import { pinThread } from '../engine/threads/pin-thread.js'
import { assert } from '../schemas/assert.js'
import type { Config } from './config/config-schema.js'
import { Gateway } from './gateway.js'
import type { LimitMemory } from './limits/limit-memory.js'
import type { BuildInfo } from './link/gateway-context.js'
import { type PreflightAnswer, PreflightService } from './rail/preflight-service.js'
import { HistoryPool } from './read-model/history/history-pool.js'
import { loadTransports } from './transport/transports.js'

/** Start data of a gateway thread, from the main thread. */
export interface GatewayThreadData {
  readonly memory: ExchangeMemory
  readonly gatewayIndex: number
  readonly config: Config
  /** Counters that all gateway threads share. */
  readonly limits: LimitMemory
  readonly build: BuildInfo
  /** Port that `holdPort` has chosen for all gateways. */
  readonly port: number
}

/** Message from the main thread to a gateway thread. */
export interface GatewayStop {
  readonly type: 'stop'
}
type GatewayMessage = GatewayStop | PreflightAnswer

/** Message from a gateway thread to the main thread. After `stopped` or `failed` the thread ends by itself. */
export type GatewayReport =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'log'; readonly line: string }
  | { readonly type: 'stopped' }
  | { readonly type: 'failed'; readonly reason: string }

assert(parentPort !== null, 'gateway thread: it is no worker')
await runGatewayThread(parentPort, workerData as GatewayThreadData)

async function runGatewayThread(
  main: NonNullable<typeof parentPort>,
  data: GatewayThreadData,
): Promise<void> {
  const report = (message: GatewayReport) => main.postMessage(message)
  const { memory, config, gatewayIndex } = data
  pinThread(config.pinning[`gateway-${gatewayIndex}`])
  const history = new HistoryPool({
    refusesUnknown: config.compat.unknownFields === 'refuse',
    hidesWallets: config.reads.private === 'signed',
    memory,
    dataDir: config.dataDir,
    threadsMax: config.history.queryThreads,
  })
  const end = async (message: GatewayReport) => {
    await history.close()
    report(message)
    main.close()
  }
  const service = new PreflightService((question) => main.postMessage(question))
  const gateway = new Gateway({
    ...data,
    transports: await loadTransports(config.transport),
    history,
    preflight: (destination, wallet) => service.preflight(destination, wallet),
    log: (line) => report({ type: 'log', line }),
    onFailed: (reason) => void end({ type: 'failed', reason }),
  })
  process.once('uncaughtException', (error) => {
    gateway.abort()
    void end({ type: 'failed', reason: error.stack ?? error.message })
  })
  main.on('message', (message: GatewayMessage) => {
    if (message.type === 'preflighted') service.onAnswer(message.id, message.result)
    else if (message.type === 'stop') void gateway.stop().then(() => end({ type: 'stopped' }))
  })
  try {
    const port = await gateway.start()
    if (port !== 0) report({ type: 'listening', port })
  } catch (error) {
    await gateway.stop()
    await end({ type: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }
}
