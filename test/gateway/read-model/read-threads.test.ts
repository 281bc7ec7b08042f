import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { EventScript, smallMemory, walletOf } from '../../../bench/event-script.js'
import { StopFlag } from '../../../engine/memory/duty.js'
import { type ExchangeMemory, flagWords, wakeupOf } from '../../../engine/memory/exchange-memory.js'
import { Wakeup } from '../../../engine/memory/wakeup.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { HistoryPool } from '../../../gateway/read-model/history/history-pool.js'
import type { HistoryThreadData } from '../../../gateway/read-model/history/history-thread.js'
import type { ReadModelThreadData } from '../../../gateway/read-model/read-model-thread.js'
import { tradeSeedNone } from '../../../gateway/read-model/views/trade-statistics.js'
import { ReadClient } from '../../support/read-client.js'

const start = Date.UTC(2026, 5, 1)
const engine = engineConfigDefault
const folders: string[] = []

after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'threads-'))
  folders.push(folder)
  return folder
}

function startThread(file: string, workerData: ReadModelThreadData | HistoryThreadData) {
  const url = new URL(`../../../gateway/read-model/${file}.js`, import.meta.url)
  const worker = new Worker(url, { workerData })
  return new Promise<number>((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', resolve)
  })
}

function startHistory(memory: ExchangeMemory, dataDir: string) {
  return startThread('history/history-thread', {
    memory,
    dataDir,
    journalDirectory: join(dataDir, 'journal'),
    identity: '',
    engine,
    keepDays: 0,
    pinnedCore: undefined,
  })
}

function openPool(
  context: TestContext,
  memory: ExchangeMemory,
  dataDir: string,
  more: { onFault?: (error: Error) => void } = {},
) {
  const pool = new HistoryPool({
    memory,
    dataDir,
    refusesUnknown: false,
    hidesWallets: false,
    threadsMax: 1,
    ...more,
  })
  context.after(() => pool.close())
  return pool
}

function bench(context: TestContext) {
  const memory = smallMemory()
  const script = new EventScript(memory, start)
  const wakeups = [wakeupOf.readModel, wakeupOf.history].map(
    (index) => new Wakeup(memory.wakeups, index),
  )
  const ring = () => {
    for (const wakeup of wakeups) wakeup.ring()
  }
  const publish = () => {
    const position = script.commit()
    ring()
    return position
  }
  const stop = () => {
    new StopFlag(memory.flags, flagWords.stopOthers).raise()
    ring()
  }
  context.after(stop)
  return { memory, script, publish, ring, stop }
}

test('the read-model thread answers, and ends on request', async (context) => {
  const { memory, script, publish, ring, stop } = bench(context)
  const config = {
    engine,
    testnet: false,
    minTradeLots: 1,
    chainMillis: 250,
    refusesUnknown: false,
  }
  const ended = startThread('read-model-thread', {
    memory,
    config,
    tradeSeed: tradeSeedNone,
    dataDir: '',
    idle: 'park',
    pinnedCore: undefined,
  })
  script.bootstrap()
  const client = new ReadClient(memory)
  client.ask(3, `/authorized-agents?wallet=${walletOf(1)}`, publish())
  ring()
  let reply = client.take()
  for (let turn = 0; reply === null && turn < 12_000; turn++) {
    await sleep(5)
    reply = client.take()
  }
  const text = '{"agents":[],"api_wallets":[],"as_of_seq":0}'
  assert.deepEqual(reply, { slot: 3, status: 200, text, parts: 1 })
  stop()
  assert.equal(await ended, 0)
})

test('a history query waits for its position, and sees everything before it', async (context) => {
  const { memory, script, publish, stop } = bench(context)
  const dataDir = dataFolder()
  const ended = startHistory(memory, dataDir)
  const pool = openPool(context, memory, dataDir)
  const countOf = async (position: number, query = '') => {
    const answer = await pool.query('/trades', query, position)
    return answer.status === 200 ? JSON.parse(answer.body).data.length : answer.status
  }
  script.instrument(0, 'BTC-20260925-110000-C', 0, start + 86_400_000)
  for (let id = 1; id <= 20; id++) {
    script.trade(id, 0, walletOf(1), walletOf(2))
    const position = publish()
    let count = await countOf(position)
    // On a stalled machine the thread may take longer than the two seconds that a query waits.
    for (let again = 0; count === 503 && again < 10; again++) count = await countOf(position)
    assert.equal(count, id)
  }
  const countsOnce = async (id: number) => {
    const position = publish()
    const early = countOf(position + 1)
    const bySequence = countOf(position, `min_seq=${script.seq + 1}`)
    await sleep(50)
    script.trade(id, 0, walletOf(1), walletOf(2))
    publish()
    return Promise.all([early, bySequence])
  }
  let id = 21
  let counts = await countsOnce(id)
  // On a stalled machine the trade may come after the two seconds that a query waits.
  while (counts.includes(503) && id < 30) counts = await countsOnce(++id)
  assert.deepEqual(counts, [id, id])
  stop()
  assert.equal(await ended, 0)
})

test('history queries that wait for a sequence run again once it arrives, and cost nothing until then', async (context) => {
  const { memory, script, publish, stop } = bench(context)
  const dataDir = dataFolder()
  const ended = startHistory(memory, dataDir)
  const pool = openPool(context, memory, dataDir)
  script.instrument(0, 'BTC-20260925-110000-C', 0, start + 86_400_000)
  const position = publish()
  // On a stalled machine the thread may take longer than the two seconds that a query waits.
  let first = await pool.query('/trades', '', position)
  for (let again = 0; first.status === 503 && again < 10; again++)
    first = await pool.query('/trades', '', position)
  assert.equal(first.status, 200)
  const run = context.mock.method(Piscina.prototype, 'run')
  const waiting = Array.from({ length: 20 }, (_, index) =>
    pool.query('/trades', `min_seq=${script.seq + 1 + (index % 2) * 1000}`, position),
  )
  await sleep(300)
  script.trade(1, 0, walletOf(1), walletOf(2))
  publish()
  const statuses = (await Promise.all(waiting)).map(({ status }) => status)
  assert.ok(statuses.every((status, index) => index % 2 === 0 || status === 503))
  // Once each, once more for those whose sequence has arrived, and a few checks of the store, but not hundreds each.
  assert.ok(run.mock.callCount() <= 120, String(run.mock.callCount()))
  stop()
  assert.equal(await ended, 0)
})

test('a history query that waits in vain fails after two seconds', async (context) => {
  const { memory, script, publish, stop } = bench(context)
  const dataDir = dataFolder()
  const ended = startHistory(memory, dataDir)
  const pool = openPool(context, memory, dataDir)
  script.remarked(0)
  const position = publish()
  const before = performance.now()
  const answers = await Promise.all([
    pool.query('/trades', '', position + 1),
    pool.query('/trades', 'min_seq=99', position),
    pool.query('/historical-theos', 'instrument_name=X&min_seq=99', position),
  ])
  assert.ok(performance.now() - before >= 1990)
  for (const answer of answers) {
    const body = JSON.parse(answer.body)
    assert.deepEqual([answer.status, body.code, body.success], [503, 'not_ready', false])
  }
  assert.equal(JSON.parse(answers[2]!.body).data, null)
  stop()
  await ended
})

test('the history thread absorbs everything that is durable before it ends', async (context) => {
  const { memory, script, stop } = bench(context)
  const dataDir = dataFolder()
  script.instrument(0, 'BTC-20260925-110000-C', 0, start + 86_400_000)
  for (let id = 1; id <= 3000; id++) script.trade(id, 0, walletOf(1), walletOf(2))
  script.commit()
  stop()
  const ended = startHistory(memory, dataDir)
  assert.equal(await ended, 0)
  const pool = openPool(context, memory, dataDir)
  const answer = await pool.query('/trades', 'limit=1', 0)
  assert.equal(JSON.parse(answer.body).data[0].trade_id, 3000)
})

test('a query that the store cannot answer is an internal error, and is reported', async (context) => {
  const { memory } = bench(context)
  const faults: Error[] = []
  const onFault = (error: Error) => faults.push(error)
  const pool = openPool(context, memory, join(dataFolder(), 'nowhere'), { onFault })
  const answer = await pool.query('/trades', '', 0)
  assert.deepEqual([answer.status, JSON.parse(answer.body).code], [500, 'internal_error'])
  assert.equal(faults.length, 1)
})
