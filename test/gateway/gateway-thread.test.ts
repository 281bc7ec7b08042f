import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { allocateExchangeMemory } from '../../engine/memory/exchange-memory.js'
import type { GatewayReport, GatewayThreadData } from '../../gateway/gateway-thread.js'
import { allocateLimitMemory } from '../../gateway/limits/limit-memory.js'
import { loadTransports } from '../../gateway/transport/transports.js'
import { FakeCore } from '../support/fake-core.js'
import {
  orderBody,
  owner,
  testBuild,
  testConfig,
  testExpiryMillis,
  testSymbol,
} from '../support/gateway-rig.js'

const threadFile = new URL('../../gateway/gateway-thread.js', import.meta.url)

/** Waits for the thread's next report that is no log line. */
function reportOf(worker: Worker): Promise<GatewayReport> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.on('message', (report: GatewayReport) => {
      if (report.type !== 'log') resolve(report)
    })
  })
}

test('two gateway threads serve one port, drain and end by themselves', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'strikebook-gateway-'))
  const memory = allocateExchangeMemory(2, 0)
  const core = new FakeCore(memory)
  const workers: Worker[] = []
  context.after(async () => {
    await Promise.all(workers.map((worker) => worker.terminate()))
    core.stop()
    rmSync(dataDir, { recursive: true })
  })
  const { port, release } = await (await loadTransports('auto')).holdPort('127.0.0.1', 0)
  const config = testConfig({ dataDir })
  const limits = allocateLimitMemory()
  const start = (gatewayIndex: number) => {
    const workerData: GatewayThreadData = {
      memory,
      gatewayIndex,
      config,
      limits,
      build: testBuild,
      port,
    }
    return new Worker(threadFile, { workerData })
  }
  workers.push(start(0), start(1))
  core.script.bootstrapBegin()
  core.script.instrument(0, testSymbol, 0, testExpiryMillis, 0)
  core.script.bootstrapEnd()
  await assert.rejects(
    fetch(`http://127.0.0.1:${port}/health`),
    'nothing answers before it is ready',
  )
  const listening = workers.map(reportOf)
  core.script.account({ account: 0, wallet: owner.address, cashMicros: 1 })
  core.start()
  for (const report of await Promise.all(listening)) {
    assert.deepEqual(report, { type: 'listening', port })
  }
  release()
  const asked = new Set<number>()
  for (let i = 0; i < 100 && asked.size < 2; i++) {
    const response = await fetch(`http://127.0.0.1:${port}/order`, {
      method: 'POST',
      headers: { connection: 'close' },
      body: JSON.stringify(orderBody()),
    })
    assert.equal(response.status, 200)
    asked.add(core.seen.at(-1)!.gateway)
  }
  assert.deepEqual([...asked].sort(), [0, 1])
  const codes = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
  for (const worker of workers) {
    const report = reportOf(worker)
    worker.postMessage({ type: 'stop' })
    assert.deepEqual(await report, { type: 'stopped' })
  }
  assert.deepEqual(await Promise.all(codes), [0, 0])
})

test('an unavailable port is reported, and the thread ends', async (context) => {
  const memory = allocateExchangeMemory(1, 0)
  const core = new FakeCore(memory)
  core.start()
  context.after(() => core.stop())
  const config = testConfig({ host: '192.0.2.1', preset: 'development' })
  const limits = allocateLimitMemory()
  const workerData = { memory, gatewayIndex: 0, config, limits, build: testBuild, port: 1 }
  const worker = new Worker(threadFile, { workerData })
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  const report = await reportOf(worker)
  assert.equal(report.type, 'failed')
  assert.equal(await ended, 0)
})
