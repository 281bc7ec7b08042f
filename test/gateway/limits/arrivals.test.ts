import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import {
  type ArrivalLimits,
  ArrivalSource,
  Arrivals,
  arrivalLimits,
} from '../../../gateway/limits/arrivals.js'

/** Arrivals on a clock that only work moves. */
function arrivalsRig(limits: Partial<ArrivalLimits> = {}) {
  const clock = { millis: 0 }
  const arrivals = new Arrivals(
    { ...arrivalLimits, directItemsMin: 0, ...limits },
    () => clock.millis,
  )
  const done: string[] = []
  const floods: string[] = []
  const sourceOf = (name: string, last = 1) =>
    Object.assign(
      new ArrivalSource({
        address: Uint8Array.of(203, 0, 113, last),
        itemsMax: 100,
        bytesMax: () => 100_000,
        cork: (run) => run(),
        onFlood: (cause) => floods.push(`${name} ${cause}`),
        onWait: (isWaiting) => done.push(`${name} ${isWaiting ? 'waits' : 'is done'}`),
      }),
      { name },
    )
  type Named = ReturnType<typeof sourceOf>
  /** One item that takes so long, and may be an accepted command. */
  const arrive = (source: Named, label: string, millis = 0.3, isCommand = false, bytes = 1) => {
    const work = () => {
      clock.millis += millis
      if (isCommand) arrivals.earn(source.name)
      done.push(label)
    }
    if (arrivals.begin(source, bytes)) {
      work()
      arrivals.end()
    } else arrivals.keep(source, bytes, work)
  }
  const taken = () => done.splice(0).join(', ')
  return { arrivals, clock, done, floods, sourceOf, arrive, taken }
}

test('work is done at once while the turn has time, and later in its order', async () => {
  const { arrivals, arrive, sourceOf, taken } = arrivalsRig()
  const a = sourceOf('a')
  for (let i = 1; i <= 6; i++) arrive(a, `a${i}`)
  assert.deepEqual([taken(), arrivals.waiting], ['a1, a2, a3, a4, a waits', 2])
  await turn()
  assert.deepEqual([taken(), arrivals.waiting], ['a5, a6, a is done', 0])
  arrive(a, 'a7')
  assert.equal(taken(), 'a7', 'a new turn has time again')
})

test('the first small items of a turn are done at once, however late it is', () => {
  const { arrive, sourceOf, taken } = arrivalsRig({ directItemsMin: 4, directBytesMin: 100 })
  const [a, b] = [sourceOf('a'), sourceOf('b')]
  arrive(a, 'a1', 50)
  arrive(a, 'a2', 50)
  arrive(b, 'large', 50, false, 100)
  arrive(a, 'a3')
  assert.equal(taken(), 'a1, a2, b waits, a waits')
})

test('an item does not overtake waiting ones of its source', () => {
  const { arrive, sourceOf, taken } = arrivalsRig()
  const a = sourceOf('a')
  arrive(a, 'long', 5)
  arrive(a, 'second')
  a.credit = { wallet: 'a', millis: 5 }
  arrive(a, 'third')
  assert.equal(taken(), 'long, a waits')
})

test('a command gives its wallet credit, until other work has used it up', async () => {
  const { arrive, sourceOf, taken } = arrivalsRig({ creditMillis: 1 })
  const [stranger, trader] = [sourceOf('s'), sourceOf('t', 2)]
  arrive(trader, 'order', 0.1, true)
  for (let i = 0; i < 3; i++) arrive(stranger, `s${i}`, 0.9)
  arrive(trader, 'order', 0.1, true)
  for (let i = 0; i < 4; i++) arrive(trader, `t${i}`, 0.4)
  assert.equal(taken(), 'order, s0, s waits, order, t0, t1, t2, t waits')
  await turn()
  assert.equal(taken(), 's1, t3, t is done')
})

test('all connections of a wallet share its credit', async () => {
  const { arrive, clock, sourceOf, taken } = arrivalsRig({ otherMillisMax: 100 })
  const connections = Array.from({ length: 50 }, () => sourceOf('t'))
  for (const connection of connections) {
    arrive(connection, 'cancel', 0.001, true)
    await turn()
  }
  taken()
  const begin = clock.millis
  for (const connection of connections) arrive(connection, 'subscribe', 0.5)
  // 5 ms of credit, and the time that all sources share.
  assert.ok(clock.millis - begin < 7, `${clock.millis - begin} ms in one turn`)
})

test('sources with saved credit have a small part of a turn for work that is not a command', async () => {
  const { arrive, clock, sourceOf, taken } = arrivalsRig()
  const sources = Array.from({ length: 50 }, (_, i) => sourceOf(`s${i}`))
  for (const source of sources) {
    arrive(source, 'cancel', 0.001, true)
    await turn()
  }
  const trader = sourceOf('t', 2)
  arrive(trader, 'order', 0.1, true)
  taken()
  const begin = clock.millis
  // The first frame of each may be a command; the others wait.
  for (const source of sources) for (let i = 0; i < 5; i++) arrive(source, 'subscribe', 0.1)
  assert.ok(clock.millis - begin < 8, `${clock.millis - begin} ms in one turn`)
  arrive(trader, 'next', 0.1, true)
  assert.ok(taken().endsWith('next'), 'a trader does not wait for them')
  const middle = clock.millis
  await turn()
  assert.ok(clock.millis - middle < 7, `${clock.millis - middle} ms in the next turn`)
})

test('commands beyond their part of a turn wait, and precede other waiting work', async () => {
  const { arrive, sourceOf, taken } = arrivalsRig({ commandMillisMax: 1 })
  const [stranger, trader] = [sourceOf('s'), sourceOf('t', 2)]
  arrive(stranger, 's0', 1)
  arrive(stranger, 's1', 1)
  Object.assign(trader, { credit: { wallet: 't', millis: 5 }, isCommanding: true })
  for (let i = 0; i < 4; i++) arrive(trader, `c${i}`, 0.5, true)
  assert.equal(taken(), 's0, s waits, c0, c1, t waits')
  await turn()
  assert.equal(taken(), 'c2, c3, t is done, s1, s is done')
})

test('an order that fails unread costs no credit', () => {
  const { arrivals, clock, sourceOf } = arrivalsRig()
  const trader = Object.assign(sourceOf('t'), { credit: { wallet: 't', millis: 1 } })
  for (const isSpared of [true, true, false]) {
    assert.ok(arrivals.begin(trader, 1))
    clock.millis += 0.75
    if (isSpared) arrivals.spare()
    arrivals.end()
  }
  assert.equal(trader.credit.millis, 0.25)
})

test('waiting sources take turns by address, then by connection', async () => {
  const { arrive, sourceOf, taken } = arrivalsRig({ laterMillisMax: 100 })
  const [a, b, c] = [sourceOf('a'), sourceOf('b'), sourceOf('c', 2)]
  arrive(a, 'long', 2)
  for (const [source, count] of [
    [a, 3],
    [b, 3],
    [c, 3],
  ] as const) {
    for (let i = 0; i < count; i++) arrive(source, source.name, 0.1)
  }
  taken()
  await turn()
  assert.equal(taken(), 'a, c, b, c, a, c, c is done, b, a, a is done, b, b is done')
})

test('a source with one long item makes up for it', async () => {
  const { arrive, sourceOf, taken } = arrivalsRig({ laterMillisMax: 100 })
  const [a, b] = [sourceOf('a'), sourceOf('b')]
  arrive(a, 'now', 2)
  arrive(a, 'long', 0.35)
  arrive(a, 'next', 0.1)
  for (let i = 0; i < 5; i++) arrive(b, `b${i}`, 0.1)
  taken()
  await turn()
  assert.equal(taken(), 'long, b0, b1, b2, next, a is done, b3, b4, b is done')
})

test('waiting work leaves time in each turn for everything else', async () => {
  const { arrive, clock, sourceOf } = arrivalsRig()
  const a = sourceOf('a')
  for (let i = 0; i < 60; i++) arrive(a, `a${i}`)
  const begun = clock.millis
  await turn()
  assert.ok(clock.millis - begun <= 1.3, `${clock.millis - begun} ms`)
})

test('more waiting items or bytes than allowed close their source only', async () => {
  const { arrivals, arrive, floods, sourceOf, taken } = arrivalsRig()
  const [many, large, small] = [sourceOf('many'), sourceOf('large', 2), sourceOf('small', 3)]
  arrive(many, 'now', 2)
  arrive(small, 'small')
  for (let i = 0; i < 101; i++) arrive(many, `m${i}`)
  arrive(large, 'l', 0, false, 60_000)
  arrive(large, 'l', 0, false, 60_000)
  arrive(many, 'dropped')
  assert.deepEqual(floods, ['many frame_limit', 'large byte_limit'])
  assert.equal(arrivals.waiting, 1)
  taken()
  await turn()
  assert.equal(taken(), 'small, small is done')
})

test('each address has an equal share of the waiting space, and a source a minimum', () => {
  const { arrive, floods, sourceOf } = arrivalsRig({ itemsMax: 40, sourceItemsMin: 4 })
  const crowd = Array.from({ length: 8 }, (_, i) => sourceOf(`c${i}`))
  const other = sourceOf('other', 2)
  arrive(other, 'long', 2)
  for (const source of crowd) for (let i = 0; i < 4; i++) arrive(source, 'c')
  for (let i = 0; i < 20; i++) arrive(other, 'o')
  assert.deepEqual(floods, [])
  arrive(crowd[0]!, 'c')
  arrive(other, 'o')
  assert.deepEqual(floods, ['c0 frame_limit', 'other frame_limit'])
})

test('a source that ends during its own work has no further work done', async () => {
  const { arrivals, arrive, sourceOf, taken } = arrivalsRig()
  const a = sourceOf('a')
  arrive(a, 'long', 2)
  arrivals.keep(a, 1, () => arrivals.forget(a))
  arrive(a, 'never')
  taken()
  await turn()
  await turn()
  assert.deepEqual([taken(), arrivals.waiting, a.waitingBytes], ['', 0, 0])
})

test('a request without a connection of its own is served while the turn has time', () => {
  const { arrivals, clock } = arrivalsRig()
  assert.ok(arrivals.begin(null, 1))
  clock.millis += 2
  arrivals.end()
  assert.equal(arrivals.begin(null, 1), false)
})
