import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { engineVersions } from '../../../engine/core/engine-versions.js'
import { CoreReplica } from '../../../engine/core/replica.js'
import { NodeFiles } from '../../../engine/journal/node-files.js'
import { recoverJournal } from '../../../engine/journal/recovery.js'
import { checkHash } from '../../../engine/journal/snapshotter.js'
import { connectStrikebook } from '../../../gateway/client/strikebook-client.js'
import { resolveConfig } from '../../../gateway/config/config.js'
import { engineConfigOf, identityOf } from '../../../gateway/config/engine-config.js'
import { createRandomSource } from '../../../gateway/feeds/random-source.js'
import type { Order } from '../../../schemas/interface/orders.js'
import { CrashLoad, type SentOrder } from './crash-load.js'
import { listMarket } from './listed-market.js'
import { symbolOf } from './signed-body.js'
import { eventually, Venue } from './venue.js'

export interface CrashOptions {
  readonly rounds: number
  /** Decides the load and the times of the kills; timing still differs from run to run. */
  readonly seed: number
  readonly onRound?: (round: number, acknowledged: number) => void
}

const wallets = 3
const pageRows = 50
const loadMillisMin = 50
const loadMillisMax = 800
const symbols = [symbolOf('BTC', 100_000), symbolOf('BTC', 110_000), symbolOf('BTC', 90_000, 'P')]
const unlimited = ['ordersPerMinute', 'cancelsPerMinute', 'openOrdersMax'].map(
  (limit) => `--set=limits.market_maker.${limit}=1000000`,
)
const unlimitedValues = new Map(
  unlimited.map((flag): [string, string] => {
    const [path, value] = flag.slice('--set='.length).split('=')
    return [path!, value!]
  }),
)

/**
 * Kills the venue with SIGKILL at random times under load, again and again on the same data. After each restart it
 * checks that no acknowledged action is lost, that no action was invented, and that the state hash equals a replay of
 * the journal.
 * @throws AssertionError with the seed in its message
 */
export async function runCrashRounds(options: CrashOptions): Promise<void> {
  const random = createRandomSource(options.seed)
  const venue = new Venue({ arguments: unlimited })
  try {
    await venue.start()
    await listMarket(venue, symbols)
    let loads: readonly CrashLoad[] = []
    for (let round = 1; round <= options.rounds; round++) {
      loads = await connectLoads(venue, loads, options.seed)
      if (round === 1) await fund(venue, loads)
      const running = loads.map((load) => load.run())
      await sleep(loadMillisMin + random.next() * (loadMillisMax - loadMillisMin))
      await venue.end('SIGKILL')
      await Promise.all(running)
      const where = `seed ${options.seed}, round ${round}`
      await startAtReplayedHash(venue, where)
      for (const load of loads) await checkLoad(venue, load, where)
      options.onRound?.(
        round,
        loads.reduce((sum, load) => sum + acknowledged(load), 0),
      )
    }
  } finally {
    await venue.dispose()
  }
}

/** Connects clients to a restarted venue, with what they knew before. */
function connectLoads(
  venue: Venue,
  before: readonly CrashLoad[],
  seed: number,
): Promise<readonly CrashLoad[]> {
  return Promise.all(
    Array.from({ length: wallets }, async (_, index) => {
      const privateKey = `0x${String(index + 1).padStart(64, '0')}`
      const client = await connectStrikebook({ url: venue.url, privateKey })
      const load = new CrashLoad(client, symbols, createRandomSource(seed * wallets + index))
      for (const [clientId, order] of before[index]?.sent ?? []) load.sent.set(clientId, order)
      return load
    }),
  )
}

async function fund(venue: Venue, loads: readonly CrashLoad[]): Promise<void> {
  for (const { wallet } of loads.map(({ client }) => client)) {
    await venue.set('/deposits', { wallet, amount: '1000000000' })
    await venue.set('/tiers', { wallet, tier: 'market_maker' })
  }
}

/**
 * Starts the venue and compares its state hash with a separate replay up to the same batch, since a running
 * venue adds batches of its own.
 */
async function startAtReplayedHash(venue: Venue, where: string): Promise<void> {
  const folder = join(venue.dataDir, 'journal')
  const written = replayJournal(folder)
  await venue.start()
  const { batch_number: batch, state_hash: hash } = (await venue.operator('GET', '/state')).body
  assert.ok(batch >= written.batchNumber, `${where}: the venue lost a batch`)
  let replayed = written
  await eventually(`${where}: batch ${batch} in the journal`, () => {
    replayed = replayJournal(folder, batch)
    return replayed.batchNumber === batch
  })
  assert.equal(hash, replayed.stateHash, `${where}: the state hash differs`)
}

/** Replays a journal in a second engine, up to a batch, on a copy of its files. */
function replayJournal(
  folder: string,
  lastBatch = Number.POSITIVE_INFINITY,
): { batchNumber: number; stateHash: string } {
  const copy = mkdtempSync(join(tmpdir(), 'strikebook-replay-'))
  try {
    cpSync(folder, copy, { recursive: true })
    const { config } = resolveConfig({ flags: unlimitedValues, environment: {} })
    const replica = new CoreReplica(engineConfigOf(config))
    const files = new NodeFiles(copy)
    const identity = identityOf(config)
    recoverJournal({ files, fromBatch: 1, versions: engineVersions, identity }, (batch) => {
      if (replica.batchNumber >= lastBatch) return
      checkHash(replica, batch)
      replica.applyBatch(batch)
    })
    const { low, high } = replica.stateHash()
    return { batchNumber: replica.batchNumber, stateHash: hex(high) + hex(low) }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function checkLoad(venue: Venue, load: CrashLoad, where: string): Promise<void> {
  const rows = await allOrders(venue, load.client.wallet)
  const byClientId = new Map(rows.map((row) => [row.client_id, row]))
  assert.equal(byClientId.size, rows.length, `${where}: an order exists twice`)
  for (const row of rows) {
    const order = load.sent.get(row.client_id ?? '')
    assert.ok(order !== undefined, `${where}: order ${row.order_id} was never sent`)
    const terms = [row.symbol, row.side, row.size, row.price]
    assert.deepEqual(terms, [order.symbol, order.side, order.size, order.price], where)
  }
  for (const [clientId, order] of load.sent) checkOrder(order, byClientId.get(clientId), where)
}

function checkOrder(order: SentOrder, row: Order | undefined, where: string): void {
  const { placed, canceled } = order
  if (placed === null || placed.status === 'REJECTED') return
  const name = `${where}: order ${placed.order_id}`
  assert.ok(row !== undefined, `${name} was acknowledged and is missing`)
  assert.equal(row.order_id, placed.order_id, name)
  assert.ok(Number(row.filled_size) >= Number(placed.filled_size), `${name} lost a fill`)
  if (canceled?.status === 'CANCELED') assert.equal(row.status, 'canceled', `${name} came back`)
  if (placed.status === 'FILLED') assert.equal(row.status, 'filled', name)
}

/** Returns every order of a wallet, the newest first. */
export async function allOrders(venue: Venue, wallet: string): Promise<readonly Order[]> {
  const rows: Order[] = []
  for (;;) {
    const query = `wallet=${wallet}&limit=${pageRows}&offset=${rows.length}`
    const body = await venue.read(`/orders?${query}`)
    rows.push(...body.data)
    if (body.data.length < pageRows) return rows
  }
}

function acknowledged(load: CrashLoad): number {
  let count = 0
  for (const order of load.sent.values()) if (order.placed !== null) count++
  return count
}

function hex(half: number): string {
  return (half >>> 0).toString(16).padStart(8, '0')
}
