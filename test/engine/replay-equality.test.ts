import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { engineVersions } from '../../engine/core/engine-versions.js'
import { CoreReplica } from '../../engine/core/replica.js'
import { NodeFiles } from '../../engine/journal/node-files.js'
import { recoverJournal } from '../../engine/journal/recovery.js'
import { type BatchView, ReadBatch } from '../../engine/journal/segment-reader.js'
import { SnapshotStore } from '../../engine/journal/snapshot-store.js'
import { engineConfigDefault } from '../../engine/state/market/engine-config.js'
import { BareExchange } from '../support/bare-exchange.js'
import { CoreRig } from '../support/core-rig.js'
import { LiquidationRig } from '../support/liquidation-rig.js'
import { liquidationStory, statesOf, storyStates } from '../support/liquidation-story.js'
import { isLongRun, longTest } from '../support/long-test.js'
import { MixedCommands, type MixedMarket } from '../support/mixed-commands.js'

// A run of the engine's threads as production wires them leaves a journal in which every batch
// carries the hash of the live state before it. All the rest is compared with these hashes. The run ends in every
// state of liquidation.

const seed = 20261123
const bursts = 40
const segmentBytes = 1 << 14
/** Number of batches replayed after a snapshot; after some snapshots, all of them. */
const tailBatches = 3
const wholeTailEvery = 64
const dayMillis = 86_400_000
const expiryMillis = Math.ceil(Date.now() / dayMillis + 30) * dayMillis
const market: MixedMarket = {
  underlyings: ['BTC', 'ETH', 'SOL', 'XRP', 'SP500'],
  expiryDate: Number(new Date(expiryMillis).toISOString().slice(0, 10).replaceAll('-', '')),
  expiryMillis,
  // An underlying has up to four options, so snapshots fall into their re-marks.
  config: { ...engineConfigDefault, remarkRows: 1, remarkedPositions: 2 },
}
const directories: string[] = []
after(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

interface StateHash {
  readonly low: number
  readonly high: number
}

/** Files and states of a run. */
interface Run {
  readonly directory: string
  readonly batches: readonly BatchView[]
  /** Live hash at each border: before the first batch, ..., after the last. */
  readonly hashes: readonly StateHash[]
}

// A snapshot does not depend on the threads of its batches: one run checks it after more batches than the others, and
// after every batch in the long run.
for (const [matchers, snapshotEvery] of [
  [0, isLongRun ? 1 : 3],
  [1, 4],
  [2, isLongRun ? 4 : 16],
  [3, 4],
] as const) {
  const run = matchers === 1 || matchers === 3 ? longTest : test
  run(
    `live = replayed at every border = snapshot + tail at each ${snapshotEvery}. border, with ${matchers} matcher threads`,
    async () => {
      const run = await live(matchers)
      const where = `seed ${seed}, ${matchers} matchers`
      assert.ok(run.batches.length >= bursts, where)
      assert.ok(
        run.batches.some(({ commandCount }) => commandCount > 4),
        `${where}: batches`,
      )
      assertReplays(run, snapshotEvery, where)
      for (const others of isLongRun ? [2, 3] : [3 - matchers])
        assertReplaysWith(run, others, where)
      const snapshotSeq = assertSnapshots(run, where)
      await assertRecovers(run, (matchers + 1) % 4, snapshotSeq, where)
    },
  )
}

/** Random commands in bursts, so that batches are of one command and of many; liquidations; then a graceful end. */
async function live(matchers: number): Promise<Run> {
  const directory = mkdtempSync(join(tmpdir(), 'strikebook-replay-'))
  directories.push(directory)
  const exchange = await BareExchange.start({ directory, matchers, segmentBytes })
  // The rig is only the pen: its records go to the threads.
  const pen = new LiquidationRig(engineConfigDefault, 1, { logBytes: 1 << 20 })
  pen.commands = exchange.commands
  const commands = new MixedCommands(pen, seed + matchers, market)
  commands.open()
  exchange.send()
  await exchange.answered(pen.requests)
  for (let burst = 0; burst < bursts; burst++) {
    const before = pen.requests
    pen.nowMillis = Date.now()
    for (let count = 1 + commands.below(16); count > 0; count--) commands.next()
    exchange.send()
    await exchange.answered(pen.requests - before)
    commands.orderId = exchange.orderId
  }
  for (const { act } of liquidationStory(market)) {
    const before = pen.requests
    pen.nowMillis = Date.now()
    act(pen)
    exchange.send()
    await exchange.answered(pen.requests - before)
    // Two steps in one batch would have no state between them.
    await exchange.calm()
  }
  exchange.drain()
  await exchange.stop()
  assert.deepEqual(exchange.failures, [])
  return { directory, ...readJournal(directory, exchange.hash()) }
}

function readJournal(directory: string, finalHash: StateHash): Omit<Run, 'directory'> {
  const batches: BatchView[] = []
  const hashes: StateHash[] = []
  const files = new NodeFiles(directory)
  const recovered = recoverJournal({ files, fromBatch: 1, versions: engineVersions }, (batch) => {
    // The views stay good, since each segment is in memory of its own; the object is reused.
    batches.push(Object.assign(new ReadBatch(batch), batch))
    hashes.push({ low: batch.hashLow, high: batch.hashHigh })
  })
  assert.ok(recovered.shutDown && recovered.cutBytes === 0, 'a graceful end')
  return { batches, hashes: [...hashes, finalHash] }
}

/** Asserts the hashes of a replay, and of snapshots taken in between that replay the rest. */
function assertReplays({ batches, hashes }: Run, snapshotEvery: number, where: string): void {
  const first = new CoreReplica(engineConfigDefault)
  const second = new CoreReplica(engineConfigDefault)
  assert.deepEqual({ ...first.stateHash() }, hashes[0], `${where}: the empty engine`)
  let cuts = 0
  const states = new Set<string>()
  for (let border = 1; border <= batches.length; border++) {
    first.applyBatch(batches[border - 1]!)
    assert.deepEqual({ ...first.stateHash() }, hashes[border], `${where}: border ${border}`)
    if (first.state.remarks.running >= 0) cuts++
    for (const name of statesOf(first.state)) states.add(name)
    if (border % snapshotEvery > 0) continue
    second.load(first.save())
    assert.equal(second.batchNumber, border)
    assert.deepEqual({ ...second.stateHash() }, hashes[border], `${where}: snapshot ${border}`)
    const tail = border % wholeTailEvery === 0 ? batches.length : border + tailBatches
    for (let next = border; next < Math.min(tail, batches.length); next++) {
      second.applyBatch(batches[next]!)
      const { low, high } = second.stateHash()
      const wanted = hashes[next + 1]!
      if (low === wanted.low && high === wanted.high) continue
      assert.fail(`${where}: snapshot ${border} and its tail, border ${next + 1}`)
    }
  }
  assert.ok(cuts > 0, `${where}: no border fell into a re-mark`)
  for (const name of storyStates) {
    // The threads decide by their progress if the bid meets the position that it names.
    if (name === 'won') continue
    assert.ok(states.has(name), `${where}: no batch ends with a wallet ${name}`)
  }
}

/** The same batches by a core with another number of matchers. */
function assertReplaysWith({ batches, hashes }: Run, matchers: number, where: string): void {
  const rig = new CoreRig(engineConfigDefault, matchers, { logBytes: 1 << 22 })
  for (const [border, batch] of batches.entries()) {
    rig.replay(batch)
    rig.events()
    const { low, high } = rig.state.hash
    const text = `${where}: replay with ${matchers}, border ${border + 1}`
    assert.deepEqual({ low, high }, hashes[border + 1], text)
  }
}

/**
 * Asserts that the snapshots of the finished segments have the hashes of their batches.
 * @returns the sequence of the newest.
 */
function assertSnapshots({ directory, hashes }: Run, where: string): number {
  const store = new SnapshotStore(new NodeFiles(directory), engineVersions)
  assert.ok(store.list().length >= 2, `${where}: snapshots`)
  const { snapshot, damaged } = store.readNewest()
  assert.deepEqual(damaged, [])
  const { batchNumber, seq, hashLow, hashHigh } = snapshot!
  assert.deepEqual({ low: hashLow, high: hashHigh }, hashes[batchNumber], `${where}: snapshot`)
  return seq
}

/** A restart, with another number of matcher threads: the newest snapshot and its tail, and on it goes. */
async function assertRecovers(
  run: Run,
  matchers: number,
  historySeq: number,
  where: string,
): Promise<void> {
  const { directory, batches, hashes } = run
  const exchange = await BareExchange.start({ directory, matchers, segmentBytes, historySeq })
  exchange.drain()
  await exchange.stop()
  assert.deepEqual([exchange.failures, exchange.notes], [[], []])
  const later = readJournal(directory, exchange.hash())
  const text = `${where}: recovered with ${matchers}`
  assert.deepEqual(later.hashes[batches.length], hashes.at(-1), text)
}
