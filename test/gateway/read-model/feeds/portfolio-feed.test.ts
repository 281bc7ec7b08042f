import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../../bench/event-script.js'
import { EventLogReader } from '../../../../engine/memory/event-log.js'
import { logReaders } from '../../../../engine/memory/exchange-memory.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { PushKind } from '../../../../gateway/link/read-protocol.js'
import { type Publication, ReadClient } from '../../../../gateway/link/reads.js'
import { ReadModel } from '../../../../gateway/read-model/read-model.js'
import { WatchRecord } from '../../../../schemas/generated/reads.js'

const start = Date.UTC(2026, 5, 1)
const wallet = walletOf(1)
const contract = 100_000_000

function bench(gateways = 1, instruments = 1) {
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
  const clients = Array.from({ length: gateways }, (_, gateway) => {
    const log = new EventLogReader(memory.eventLog, logReaders.gateway(gateway))
    const client = new ReadClient(memory, gateway, log)
    const seen: Publication[] = []
    const state = { client, seen, flushes: 0 }
    client.sink = { onPublication: (each) => seen.push(each), flush: () => state.flushes++ }
    return state
  })
  script.bootstrapBegin()
  for (let id = 0; id < instruments; id++) {
    script.instrument(id, `BTC-20260925-${50_000 + id * 10}-C`, 0, start + 86_400_000)
  }
  script.account({ account: 0, wallet, cashMicros: 0 })
  script.bootstrapEnd()
  script.commit()
  model.doWork()
  return { script, clock, model, clients }
}

function fill(script: EventScript, instrument: number, count: number): void {
  script.fill({
    ...{ fillId: count, tradeId: count, orderId: 1, wallet, account: 0, instrument },
    ...{ sizeLots: contract, positionLots: count * contract, cashMicros: -count * 100_000_000 },
  })
  script.commit()
}

const kinds = (seen: readonly Publication[]) => seen.map(({ kind }) => kind)

test('a snapshot waits for the position of its Subscribe', () => {
  const { script, model, clients } = bench()
  const { client, seen } = clients[0]!
  fill(script, 0, 1)
  client.watch(WatchRecord.Portfolio, 5, wallet)
  model.doWork()
  client.takeReplies()
  assert.deepEqual(kinds(seen), [PushKind.Initial, PushKind.MarginUpdate])
  const [initial] = seen
  assert.deepEqual([initial!.slot, initial!.wallet, initial!.seq], [5, wallet, 1])
  assert.equal(JSON.parse(initial!.body.toString()).positions.length, 1)
  assert.equal(clients[0]!.flushes, 1, 'what was published leaves at once')
})

test('every gateway that watches gets the same message, and the others nothing', () => {
  const { script, model, clients } = bench(3)
  for (const { client } of clients.slice(0, 2)) client.watch(WatchRecord.Portfolio, 1, wallet)
  model.doWork()
  for (const { client, seen } of clients) {
    client.takeReplies()
    seen.length = 0
  }
  fill(script, 0, 1)
  model.doWork()
  for (const { client } of clients) client.takeReplies()
  const [one, two, three] = clients
  assert.deepEqual(kinds(one!.seen), [PushKind.PositionUpdate, PushKind.BalanceUpdate])
  assert.deepEqual(one!.seen, two!.seen)
  assert.deepEqual(three!.seen, [])
  two!.client.watch(WatchRecord.PortfolioEnd, 2, wallet)
  fill(script, 0, 2)
  model.doWork()
  for (const { client } of clients) client.takeReplies()
  assert.equal(one!.seen.length, 4)
  assert.equal(two!.seen.length, 2)
})

test('an Initial larger than a record arrives in parts, whole', () => {
  const { script, model, clients } = bench(1, 300)
  const { client, seen } = clients[0]!
  for (let id = 0; id < 300; id++) {
    script.fill({
      ...{ fillId: id, tradeId: id, orderId: 1, wallet, account: 0, instrument: id },
      ...{ positionLots: contract, cashMicros: 0 },
    })
  }
  script.commit()
  model.doWork()
  client.watch(WatchRecord.Portfolio, 1, wallet)
  for (let turn = 0; turn < 5; turn++) {
    model.doWork()
    client.takeReplies()
  }
  assert.deepEqual(kinds(seen), [PushKind.Initial, PushKind.MarginUpdate])
  assert.ok(seen[0]!.body.length > 65_536)
  assert.equal(JSON.parse(seen[0]!.body.toString()).positions.length, 300)
})

test('a gateway that does not read gets the latest state later, and delays nobody', () => {
  const { script, model, clients } = bench(2)
  for (const { client } of clients) client.watch(WatchRecord.Portfolio, 1, wallet)
  model.doWork()
  const [slow, quick] = clients
  for (let count = 1; count <= 2000; count++) {
    fill(script, 0, count)
    model.doWork()
    quick!.client.takeReplies()
  }
  assert.equal(quick!.seen.length, 2 + 2 * 2000)
  for (let turn = 0; turn < 50; turn++) {
    slow!.client.takeReplies()
    model.doWork()
  }
  assert.ok(slow!.seen.length < 2000, `merged to ${slow!.seen.length}`)
  const amounts = slow!.seen
    .filter(({ kind }) => kind === PushKind.PositionUpdate)
    .map(({ body }) => Number(JSON.parse(body.toString()).position.amount))
  assert.equal(amounts.at(-1), 2000)
  assert.deepEqual(
    amounts,
    [...amounts].sort((one, other) => one - other),
    'never an older state after a newer one',
  )
})

test('a bootstrap that renumbers accounts keeps the watched ones', () => {
  const { script, model, clients } = bench()
  const { client, seen } = clients[0]!
  client.watch(WatchRecord.Portfolio, 1, wallet)
  model.doWork()
  client.takeReplies()
  script.bootstrapBegin()
  script.instrument(0, 'BTC-20260925-50000-C', 0, start + 86_400_000)
  script.account({ account: 0, wallet, cashMicros: 7_000_000 })
  script.bootstrapEnd()
  script.commit()
  model.doWork()
  client.takeReplies()
  const messages = seen.slice(2).map(({ body }) => JSON.parse(body.toString()))
  assert.deepEqual(
    messages.map(({ kind, cash }) => [kind, cash]),
    [['BalanceUpdate', '7']],
  )
})
