import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../bench/event-script.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { ReadModel } from '../../../gateway/read-model/read-model.js'
import { ReadClient } from '../../support/read-client.js'

const start = Date.UTC(2026, 5, 1)
const wallet = walletOf(1)
const tier = `/user-tier?wallet=${wallet}`

function bench(gateways = 1) {
  const memory = smallMemory(gateways)
  const script = new EventScript(memory, start)
  const clock = { millis: start }
  const config = {
    engine: engineConfigDefault,
    testnet: false,
    minTradeLots: 1,
    chainMillis: 250,
    refusesUnknown: false,
  }
  const model = new ReadModel(memory, config, () => clock.millis)
  const client = new ReadClient(memory)
  return { memory, script, clock, model, client }
}

test('a read waits for the bootstrap, then is answered with the sequence it saw', () => {
  const { script, model, client } = bench()
  script.seq = 41
  client.ask(7, tier)
  model.doWork()
  assert.equal(client.take(), null)
  script.bootstrap()
  script.commit()
  assert.ok(model.doWork() > 0)
  const reply = client.take()
  assert.deepEqual([reply?.slot, reply?.status], [7, 200])
  assert.equal(JSON.parse(reply!.text).as_of_seq, 41)
  assert.equal(model.doWork(), 0)
})

test('a read waits until the log has reached its position', () => {
  const { script, model, client } = bench()
  script.bootstrap()
  const before = script.commit()
  model.doWork()
  client.ask(1, tier, before)
  client.ask(2, tier, before + 4)
  model.doWork()
  assert.equal(client.take()?.slot, 1)
  assert.equal(client.take(), null)
  script.remarked(0)
  script.commit()
  model.doWork()
  assert.equal(client.take()?.slot, 2)
})

test('a read with min_seq waits for it, and fails after two seconds', () => {
  const { script, model, client, clock } = bench()
  script.bootstrap()
  script.commit()
  client.ask(1, `${tier}&min_seq=1`)
  client.ask(2, `${tier}&min_seq=2`)
  model.doWork()
  assert.equal(client.take(), null)
  script.remarked(0)
  script.commit()
  model.doWork()
  assert.equal(client.take()?.slot, 1)
  clock.millis += 1999
  model.doWork()
  assert.equal(client.take(), null)
  clock.millis += 1
  model.doWork()
  const reply = client.take()
  assert.deepEqual([reply?.slot, reply?.status], [2, 503])
  const body = JSON.parse(reply!.text)
  assert.deepEqual([body.success, body.data, body.code], [false, null, 'not_ready'])
})

test('a wrong query fails at once, even before the bootstrap', () => {
  const { model, client } = bench()
  client.ask(1, '/user-tier?min_seq=x')
  client.ask(2, '/user-tier?a=1&a=2')
  model.doWork()
  assert.deepEqual([client.take()?.status, client.take()?.status], [400, 400])
})

test('a large answer arrives in parts, and requests wait while the ring has no room', () => {
  const { script, model, client, memory } = bench()
  script.bootstrapBegin()
  for (let id = 0; id < 400; id++) {
    script.instrument(id, `BTC-20260925-${50_000 + id * 100}-C`, 0, start + 86_400_000)
  }
  script.bootstrapEnd()
  script.commit()
  for (let slot = 0; slot < 3; slot++) client.ask(slot, '/instruments')
  model.doWork()
  assert.ok(memory.replyRings[0]!.byteLength < 3 * 300_000)
  for (let slot = 0; slot < 3; slot++) {
    let reply = client.take()
    for (let turn = 0; reply === null && turn < 20; turn++) {
      model.doWork()
      reply = client.take()
    }
    assert.equal(reply?.slot, slot)
    assert.ok(reply!.parts > 1)
    assert.equal(JSON.parse(reply!.text).result.length, 400)
  }
  assert.equal(model.doWork(), 0)
})

test('each gateway gets its own answers', () => {
  const { script, model, memory } = bench(2)
  script.bootstrap()
  script.commit()
  const clients = [new ReadClient(memory, 0), new ReadClient(memory, 1)]
  clients[1]!.ask(5, tier)
  model.doWork()
  assert.equal(clients[0]!.take(), null)
  assert.equal(clients[1]!.take()?.slot, 5)
})

test('the log is released up to the read position, over many wraps', () => {
  const { script, model } = bench()
  script.bootstrap()
  for (let round = 0; round < 100; round++) {
    for (let event = 0; event < 1000; event++) script.level(0, 0, 1_000_000 + event, event)
    script.commit()
    model.doWork()
  }
  assert.equal(model.views.seq, 100_000)
  assert.equal(model.views.market.books.of(0).count(0), 999)
})
