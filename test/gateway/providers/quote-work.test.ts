import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { walletOf } from '../../../bench/event-script.js'
import { quoteRig, snapshotText, wireRow } from '../../../bench/quote-rig.js'
import { QuoteFrame } from '../../../gateway/providers/quote-frame.js'
import { type FrameSource, QuoteWork } from '../../../gateway/providers/quote-work.js'

const manyCount = 6000

class Source implements FrameSource {
  readonly wallet: string
  isClosed = false
  waitingFrames = 0
  waitingBytes = 0
  isFlooded = false

  constructor(wallet: string) {
    this.wallet = wallet
  }

  onFlood(): void {
    this.isFlooded = true
  }
}

function workRig() {
  const rig = quoteRig(1, manyCount)
  const [quotes] = rig.gateways as [(typeof rig.gateways)[number]]
  const done: string[] = []
  const work = new QuoteWork<Source>({
    service: quotes.service,
    instruments: quotes.instruments,
    onMessage: ({ wallet }, { type }) => done.push(`${wallet} ${type}`),
    onPublished: ({ wallet }, { rowCount }) => done.push(`${wallet} ${rowCount}`),
    onProgress: () => {},
  })
  const take = (source: Source, text: string) => {
    const bytes = Buffer.from(text)
    work.take(source, new QuoteFrame(bytes, 1000))
    bytes.fill(0) // the transport takes it back
  }
  const many = snapshotText(Array.from({ length: manyCount }, (_, i) => wireRow(i, '1')))
  return { board: quotes.board, done, take, many }
}

async function turnsUntil(isDone: () => boolean): Promise<number> {
  let turns = 0
  for (; !isDone() && turns < 10_000; turns++) await turn()
  assert.ok(isDone())
  return turns
}

test('a frame is published whole', async () => {
  const { board, done, take } = workRig()
  take(new Source(walletOf(1)), snapshotText([wireRow(0, '1'), wireRow(1, '2')]))
  await turnsUntil(() => done.length === 1)
  assert.deepEqual([board.rowCount, done], [2, [`${walletOf(1)} 2`]])
})

test('a large frame takes several turns, between which others have theirs', async () => {
  const { board, done, take, many } = workRig()
  const [large, small] = [new Source(walletOf(1)), new Source(walletOf(2))]
  take(large, many)
  assert.ok(board.rowCount < manyCount && large.waitingBytes === many.length)
  take(small, snapshotText([wireRow(0, '1')]))
  const turns = await turnsUntil(() => done.length === 2)
  assert.deepEqual(done, [`${walletOf(2)} 1`, `${walletOf(1)} ${manyCount}`])
  assert.ok(turns > 2, `${turns} turns`)
  assert.deepEqual([large.waitingBytes, small.waitingBytes], [0, 0])
})

test('frames of one wallet are published in the order of their arrival', async () => {
  const { board, done, take, many } = workRig()
  const source = new Source(walletOf(1))
  take(source, many)
  take(source, snapshotText([wireRow(0, '2')]))
  take(source, '{"type":"rfq_response"}')
  await turnsUntil(() => done.length === 3)
  assert.deepEqual(
    done.map((line) => line.split(' ')[1]),
    [String(manyCount), '1', 'rfq_response'],
  )
  assert.equal(board.rowCount, 1)
})

test('no further row of an ended session is published', async () => {
  const { board, done, take, many } = workRig()
  const source = new Source(walletOf(1))
  take(source, many)
  source.isClosed = true
  await turnsUntil(() => source.waitingBytes === 0)
  assert.deepEqual(done, [])
  assert.ok(board.rowCount < manyCount)
})

test('a provider that sends more than is processed gets an error', () => {
  const { take, many } = workRig()
  const source = new Source(walletOf(1))
  for (let bytes = 0; bytes <= 8 * 1024 * 1024; bytes += many.length) take(source, many)
  take(source, many)
  assert.equal(source.isFlooded, true)
})
