import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlowKind, makeFlow } from '../../../bench/book-replay/book-flow.js'
import { Matcher } from '../../../engine/matching/matcher.js'
import { setLimits } from '../../../engine/matching/mmp-window.js'
import { priceMicrosOf } from '../../../engine/matching/price-grid.js'
import { windowFor } from '../../../engine/matching/protection-table.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { verify } from '../../../schemas/assert.js'
import { OrderFlag, type SelfTradeMode, type Side, type Tif } from '../../../schemas/domain.js'
import { MatcherOrder, OrderRecord } from '../../../schemas/generated/orders.js'
import { countsAsTakerFlag } from '../../../schemas/record-values.js'

const flow = makeFlow({
  seed: 23,
  events: 100_000,
  middleIndex: 150_000,
  spreadIndexes: 60,
  crossing: 0.2,
  cancels: 0.4,
  replaces: 0,
  reach: 400,
  accounts: 50,
  plain: false,
})
const commandsPerCall = 200
const warmUps = 6
const rounds = 10
const triesMax = 5
/** Half a boxed number every tenth command would be above it. */
const grownBytesMax = 2 * flow.count

const protectedFlags = OrderFlag.MmpEnabled | countsAsTakerFlag
const order = new MatcherOrder()
/** Engine time only rises. */
const clock = { millis: 1_700_000_000_000 }

const skip = verify && 'the checks of STRIKEBOOK_VERIFY allocate'

for (const [name, flags] of [
  ['a million commands', 0],
  ['a million orders under protection, counted as makers and takers,', protectedFlags],
] as const) {
  test(`${name} leave no garbage`, { skip }, () => {
    const orderMemory = allocateRing(1 << 16)
    const resultMemory = allocateRing(1 << 20)
    const orders = new Ring(orderMemory, 'producer')
    const results = new Ring(resultMemory, 'consumer')
    const matcher = new Matcher(
      new Ring(orderMemory, 'consumer'),
      new Ring(resultMemory, 'producer'),
      () => assert.fail('the result ring is never full'),
    )
    if (flags !== 0) protectAll(matcher)
    for (let round = 0; round < warmUps; round++) runFlow(matcher, orders, results, flags)
    let grownBytes: number[] = []
    // The compiler works on threads of its own: where they wait for a core, it takes more than one try.
    for (let tries = 0; tries < triesMax; tries++) {
      grownBytes = []
      for (let round = 0; round < rounds; round++) {
        const before = process.memoryUsage().heapUsed
        runFlow(matcher, orders, results, flags)
        grownBytes.push(process.memoryUsage().heapUsed - before)
      }
      // A collection in between makes a round look thrifty, never wasteful: the median tells.
      grownBytes.sort((a, b) => a - b)
      if (grownBytes[rounds >> 1] < grownBytesMax) break
    }
    assert.ok(grownBytes[rounds >> 1] < grownBytesMax, `bytes of each round: ${grownBytes}`)
  })
}

/** Windows that slide and that no fill ever triggers. */
function protectAll({ pool }: Matcher): void {
  for (let account = 0; account < 50; account++) {
    setLimits(
      windowFor(pool.protections, account, 0),
      0,
      500,
      0,
      Float64Array.of(2 ** 52, 0, 2 ** 52),
    )
  }
}

/** Sends the whole flow to a matcher, reads every result away, and closes the book. */
function runFlow(matcher: Matcher, orders: Ring, results: Ring, flags: number): void {
  for (let step = 0; step < flow.count; step++) {
    send(orders, step, flags)
    if (step % commandsPerCall !== commandsPerCall - 1) continue
    orders.commit()
    while (matcher.doWork() > 0) {}
    while (results.next() >= 0) {}
    results.release()
  }
  order.claim(orders, OrderRecord.CloseBook)
  order.instrument = 0
  orders.commit()
  while (matcher.doWork() > 0) {}
  while (results.next() >= 0) {}
  results.release()
}

function send(orders: Ring, step: number, flags: number): void {
  const isCancel = flow.kind[step] === FlowKind.Cancel
  order.claim(orders, isCancel ? OrderRecord.Cancel : OrderRecord.Place)
  order.ticket = step
  order.instrument = 0
  order.handle = isCancel ? flow.oldHandle[step] : flow.handle[step]
  order.account = flow.account[step]
  order.side = flow.side[step] as Side
  order.tif = flow.tif[step] as Tif
  order.flags = flags
  order.underlying = 0
  order.nowMillis = clock.millis++
  order.deltaMicros = 250_000 + step
  order.vegaMicros = 90e6 + step
  order.selfTrade = flow.selfTrade[step] as SelfTradeMode
  order.priceMicros = priceMicrosOf(flow.priceIndex[step])
  order.sizeLots = flow.sizeLots[step]
  order.round = step
  order.positionLots = 0
  order.quotedMicros = 0
}
