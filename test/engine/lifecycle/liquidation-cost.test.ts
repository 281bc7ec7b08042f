import assert from 'node:assert/strict'
import { test } from 'node:test'
import { liquidate } from '../../../engine/lifecycle/liquidate.js'
import { verify } from '../../../schemas/assert.js'
import { LiquidationRig, still } from '../../support/liquidation-rig.js'

// The cost of the continuous check is counted in reads of its columns: the same event costs the same, however many
// other wallets there are.

const ether = { underlying: 'ETH', strike: 110_000 }
const [few, many] = [10, 400]
/** Wallets with positions in ETH. */
const etherWallets = [1, 2, 3]

// Runs first: once columns are counted, the compiler no longer treats them as the plain arrays that they are.
test('the check of healthy wallets leaves no garbage', {
  skip: verify && 'the checks of STRIKEBOOK_VERIFY allocate',
}, () => {
  const rig = crowd(few)
  const { state, core } = rig
  const { changed } = state.risk
  const checks = 100_000
  const round = () => {
    for (let i = 0; i < checks; i++) {
      changed.add(i % state.accounts.count)
      state.liquidations.checksLeft = 1
      liquidate(state, core.batch)
    }
  }
  for (let warmUp = 0; warmUp < 5; warmUp++) round()
  let grownBytes = Number.POSITIVE_INFINITY
  // The compiler works on threads of its own: if they wait for a processor, this takes several tries.
  for (let tries = 0; tries < 20 && grownBytes > checks; tries++) {
    const before = process.memoryUsage().heapUsed
    round()
    const grown = process.memoryUsage().heapUsed - before
    // A negative value means that the collector ran in between.
    if (grown >= 0) grownBytes = Math.min(grownBytes, grown)
  }
  assert.ok(grownBytes <= checks, `${grownBytes} bytes in ${checks} checks`)
})

test("a trade's check costs the same among few wallets as among many", () => {
  const reads = [few, many].map((others) => {
    const rig = crowd(others)
    rig.place({ wallet: 1, side: 'Sell', price: '3000', size: '0.1', instrument: ether })
    rig.place({ wallet: 2, side: 'Buy', price: '3000', size: '0.1', instrument: ether })
    return readsOf(rig)
  })
  assert.deepEqual(reads[0], reads[1])
  assert.equal(reads[0]!.looks, 2)
  assert.ok(reads[0]!.columns > 0)
})

test("a re-mark's check reads the wallets of its underlying only", () => {
  const reads = [few, many].map((others) => {
    const rig = crowd(others)
    rig.index(101_000, 'ETH')
    return readsOf(rig)
  })
  assert.deepEqual(reads[0], reads[1])
  assert.equal(reads[0]!.looks, etherWallets.length)
  const rig = crowd(many)
  rig.index(100_500)
  assert.equal(readsOf(rig).looks, many + 1, 'the short wallets and the long one')
})

test('the engine finds the next of many deadlines without reading the others', () => {
  const rig = crowd(many)
  rig.index(108_000)
  rig.run()
  const { liquidations } = rig.state
  assert.equal(liquidations.rows.length, many)
  const [first] = wallets(1)
  rig.nowMillis += 1
  rig.deposit(first!, 1)
  rig.run()
  // Its deadline is unchanged: only the path from top to bottom of the heap moves.
  const rows = countedArray(liquidations.rows)
  Object.assign(liquidations, { rows: rows.proxy })
  rig.nowMillis += 1
  rig.deposit(first!, 1)
  rig.run()
  assert.ok(rows.reads() < 50, `${rows.reads()} reads of ${many} rows`)
})

/** Makes wallets from 1000 on short one BTC call each, bought by wallet 4; three others trade ETH. */
function crowd(others: number): LiquidationRig {
  const rig = new LiquidationRig(still).openMarket()
  rig.list(ether)
  rig.index(100_000, 'ETH')
  rig.surface(0.6, 'ETH')
  rig.deposit(4, 5_000_000)
  for (const wallet of wallets(others)) rig.deposit(wallet, 15_000)
  rig.run()
  rig.outcome(rig.place({ wallet: 4, side: 'Buy', price: '3270', size: String(others) }))
  for (const wallet of wallets(others)) {
    rig.place({ wallet, side: 'Sell', price: '3270', size: '1' })
  }
  rig.run()
  const [one, two, three] = etherWallets
  rig.trade(one!, two!, '3000', '1', { instrument: ether })
  rig.trade(one!, three!, '3000', '1', { instrument: ether })
  rig.run().events()
  assert.equal(rig.position(wallets(others).at(-1)!), -1)
  return rig
}

function wallets(count: number): number[] {
  return Array.from({ length: count }, (_, index) => 1000 + index)
}

/**
 * Runs pending commands.
 * @returns the number of checked wallets, and of reads of account and bucket columns
 */
function readsOf(rig: LiquidationRig): { looks: number; columns: number } {
  const { risk } = rig.state
  const { buckets, changed } = risk
  let looks = 0
  const take = changed.take.bind(changed)
  changed.take = () => {
    looks++
    return take()
  }
  const counters = [
    ...columnsOf(risk, ['cashMicros', 'modelKind', 'firstBucket', 'firstExposure']),
    ...columnsOf(buckets, ['account', 'underlying', 'nextInAccount', 'version']),
  ]
  rig.run()
  return { looks, columns: counters.reduce((sum, reads) => sum + reads(), 0) }
}

/** Counts the reads of each column. */
function columnsOf<Owner extends object>(
  owner: Owner,
  names: readonly (keyof Owner)[],
): (() => number)[] {
  return names.map((name) => {
    const counted = countedArray(owner[name] as object)
    Object.assign(owner, { [name]: counted.proxy })
    return counted.reads
  })
}

/** Returns the same array with its element reads counted. */
function countedArray<T extends object>(array: T): { proxy: T; reads: () => number } {
  let reads = 0
  const proxy = new Proxy(array, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++
      const value = Reflect.get(target, key) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { proxy, reads: () => reads }
}
