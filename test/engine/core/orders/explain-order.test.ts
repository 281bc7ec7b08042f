import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  failedOf,
  missingMicros,
  OrderTrace,
  type SeenCheck,
  type SeenOrder,
} from '../../../../engine/core/orders/explain-order.js'
import { AdmissionCheck, type CheckNumbers } from '../../../../engine/risk/admission-trace.js'
import { MarginVerdict, OrderCheck } from '../../../../engine/risk/order-check.js'
import type { CoreState } from '../../../../engine/state/core-state.js'
import {
  type EngineConfig,
  engineConfigDefault,
} from '../../../../engine/state/market/engine-config.js'
import { HaltMode, Tier } from '../../../../schemas/domain.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { Result, resultRows } from '../../../../schemas/results.js'
import { simulate } from '../../../simulation/simulation.js'
import { CoreRig } from '../../../support/core-rig.js'
import { MixedCommands, rigMarket } from '../../../support/mixed-commands.js'
import type { RigOrder } from '../../../support/rig-commands.js'

const names = Object.fromEntries(Object.entries(AdmissionCheck).map(([name, at]) => [at, name]))

/** Returns true if the numbers of a check say that it passes. */
function holds({ has, needs, limit, reducesRisk = false }: CheckNumbers): boolean {
  const isWithin = has >= (needs ?? has) && has <= (limit ?? has)
  return isWithin || reducesRisk
}

/** Asserts that what was seen of an order is why it came to what it did. */
function assertExplained(seen: SeenOrder, where: string): void {
  const { checks, isRepeat, judgedCount, orderId, result } = seen
  const failed = failedOf(seen)
  if (!isRepeat) assert.equal(failed?.result ?? Result.Accepted, result, `${where}: first failure`)
  if (orderId !== 0) assert.equal(failed, null, `${where}: works`)
  const order = checks.map(({ check }) => check)
  assert.deepEqual(
    order,
    [...order].sort((a, b) => a - b),
    `${where}: in their order`,
  )
  for (const one of checks) assertNumbers(one, where)
  const isWhole = judgedCount > 0 && result === Result.Accepted
  if (isWhole) assert.ok(order.includes(AdmissionCheck.Margin), `${where}: to the last check`)
}

function assertNumbers({ check, numbers, result }: SeenCheck, where: string): void {
  if (numbers === null) return
  const passed = result === Result.Accepted
  const context = `${where}: ${names[check]} ${JSON.stringify(numbers)} ${result}`
  assert.equal(holds(numbers), passed || numbers.reducesRisk === true, context)
}

const buy = { wallet: 1, side: 'Buy', price: '3000', size: '1' } as const
const sell = { ...buy, side: 'Sell' } as const

/** Returns the admission trace of an order in a market that `openMarket` has opened. */
function seenOf(rig: CoreRig, order: RigOrder): SeenOrder {
  const trace = new OrderTrace(rig.state)
  rig.run()
  rig.state.trace = trace
  rig.place(order)
  rig.run()
  rig.state.trace = null
  const [seen] = trace.seen
  assertExplained(seen!, JSON.stringify(order))
  return seen!
}

/** The check that has refused it, with its reason and what it compares. */
function refusalOf(seen: SeenOrder): readonly unknown[] {
  const { check, numbers, result } = failedOf(seen)!
  return [names[check], resultRows[result].code, numbers?.has, numbers?.needs ?? numbers?.limit]
}

test('an order that margin rejects names its binding value, and passes with the missing amount', () => {
  const rig = new CoreRig().openMarket()
  const large = { ...sell, size: '500' } as const
  const seen = seenOf(rig, large)
  const [name, code, has, needs] = refusalOf(seen) as [string, string, number, number]
  assert.deepEqual([name, code, has], ['Margin', 'insufficient_margin', 1e12])
  assert.ok(needs > has)
  const { margin } = failedOf(seen)!.numbers!
  const { lossMicros, premiumMicros, scenario, slippageMicros, underlyingMicros } = margin!
  assert.equal(scenario?.id, 'V4')
  assert.ok(lossMicros > 0)
  assert.equal(underlyingMicros + premiumMicros + slippageMicros, needs)
  assert.equal(
    seenOf(rig, { ...sell, size: String(seen.passingLots / 1e8) }).result,
    Result.Accepted,
  )
  const other = new CoreRig().openMarket()
  other.deposit(1, (needs - has - 1) / 1e6)
  assert.equal(seenOf(other, large).result, Result.InsufficientMargin)
  other.deposit(1, 1e-6)
  assert.equal(seenOf(other, large).result, Result.Accepted)
})

test('the explanation includes checks after the one that fails', () => {
  const rig = new CoreRig().openMarket()
  rig.halt(HaltMode.CancelOnly)
  const { checks } = seenOf(rig, { ...sell, size: '500', reduceOnly: true })
  const failures = checks.filter(({ result }) => result !== Result.Accepted)
  assert.deepEqual(
    failures.map(({ check, isBeyond }) => [names[check], isBeyond]),
    [
      ['Halt', false],
      ['ReduceOnly', true],
      ['Margin', true],
    ],
  )
})

test('each check names the values that it compares', () => {
  const limits = engineConfigDefault.tiers.map((tier) => ({ ...tier, openOrdersMax: 1 }))
  const rig = new CoreRig({ ...narrow, tiers: limits } as EngineConfig).openMarket()
  assert.deepEqual(refusalOf(seenOf(rig, { ...buy, reduceOnly: true })), [
    ...['ReduceOnly', 'reduce_only', 1e8, 0],
  ])
  const [name, code, price, highest] = refusalOf(seenOf(rig, { ...buy, price: '5000' }))
  assert.deepEqual([name, code, price], ['PriceBand', 'price_band', 5e9])
  assert.ok(Number(highest) < 5e9)
  assert.deepEqual(refusalOf(seenOf(rig, { ...buy, instrument: { strike: 7 } })), [
    ...['Instrument', 'invalid_symbol', undefined, undefined],
  ])
  rig.tier(3, Tier.Tier1)
  assert.deepEqual(refusalOf(seenOf(rig, { ...sell, wallet: 3 })), [
    ...['Tier', 'tier_long_only', 1e8, 0],
  ])
  assert.equal(seenOf(rig, { ...buy, clientId: 'a' }).result, Result.Accepted)
  const second = seenOf(rig, { ...buy, clientId: 'a' })
  assert.deepEqual(refusalOf(second), ['OpenOrders', 'limit_exceeded', 2, 1])
  assert.ok(
    second.checks.some(({ check, result }) => check === AdmissionCheck.ClientId && result !== 0),
  )
  assert.deepEqual(refusalOf(seenOf(rig, { ...buy, signer: 2 })).slice(0, 2), [
    ...['Signer', 'unauthorized'],
  ])
  assert.deepEqual(refusalOf(seenOf(rig, { ...buy, wallet: 77 })).slice(0, 2), [
    ...['Account', 'no_funds'],
  ])
})

test('an order that its matcher rejects has passed all checks except that of its book', () => {
  const rig = new CoreRig().openMarket()
  rig.place({ ...sell, wallet: 2 })
  const seen = seenOf(rig, { ...buy, tif: 'alo' })
  assert.deepEqual(refusalOf(seen).slice(0, 2), ['Book', 'post_only_would_trade'])
  assert.ok(seen.checks.some(({ check }) => check === AdmissionCheck.Margin))
})

test('a nonce that was used is not a duplicate, and a duplicate has no checks', () => {
  const rig = new CoreRig().openMarket()
  assert.equal(seenOf(rig, { ...buy, nonce: 900, digest: 1 }).result, Result.Accepted)
  assert.equal(seenOf(rig, { ...buy, nonce: 900, digest: 1 }).isRepeat, true)
  const used = seenOf(rig, { ...buy, nonce: 900, digest: 2 })
  assert.deepEqual(refusalOf(used).slice(0, 2), ['Nonce', 'nonce_used'])
})

/** Asks once more for what was refused, with just what was missing: in the state in which it was refused. */
class FundingTrace extends OrderTrace {
  funded = 0
  resized = 0
  readonly #state: CoreState
  #check: OrderCheck | null = null

  constructor(state: CoreState) {
    super(state)
    this.#state = state
  }

  override onChecksBegin(...[batch, ticket, order]: Parameters<OrderTrace['onChecksBegin']>): void {
    this.#check = order.check
    super.onChecksBegin(batch, ticket, order)
  }

  override onChecksEnd(
    ...[batch, ticket, oldNamed, result]: Parameters<OrderTrace['onChecksEnd']>
  ): void {
    super.onChecksEnd(batch, ticket, oldNamed, result)
    const seen = this.seen.find(({ at, views }) => {
      return views === batch.views[ticket] && at === batch.at[ticket]
    })!
    const missing = result === Result.Accepted ? 0 : missingMicros(seen)
    if (missing > 0) {
      const where = `batch ${this.#state.batchNumber}, ${missing} missing`
      assert.equal(this.#judge(missing, 0), Result.Accepted, where)
      assert.notEqual(this.#judge(missing - 1, 0), Result.Accepted, where)
      this.funded++
    }
    if (seen.passingLots > 0) {
      assert.equal(this.#judge(0, seen.passingLots), Result.Accepted)
      this.resized++
    }
  }

  #judge(moreMicros: number, lots: number): Result {
    const { risk } = this.#state
    const order = Object.assign(new OrderCheck(), this.#check!, { starts: false, trace: null })
    if (lots > 0) order.sizeLots = lots
    risk.cashMicros[order.account] += moreMicros
    const result = risk.checkOrder(order, new MarginVerdict())
    risk.cashMicros[order.account] -= moreMicros
    return result
  }
}

/** Keeps an admission trace of each state, and checks its orders after every batch. */
class Watched {
  readonly refused = new Map<Result, number>()
  accepted = 0
  beyond = 0
  funded = 0
  resized = 0
  readonly #where: string
  #state: CoreState | null = null
  #trace: FundingTrace | null = null

  constructor(where: string) {
    this.#where = where
  }

  look(state: CoreState): void {
    if (state !== this.#state) {
      this.#state = state
      this.#trace = new FundingTrace(state)
      state.trace = this.#trace
      return
    }
    const trace = this.#trace!
    for (const seen of trace.seen) {
      assertExplained(seen, `${this.#where}, batch ${state.batchNumber}`)
      this.beyond += seen.checks.filter(({ isBeyond }) => isBeyond).length
      if (seen.result === Result.Accepted) this.accepted++
      else this.refused.set(seen.result, (this.refused.get(seen.result) ?? 0) + 1)
    }
    this.funded += trace.funded
    this.resized += trace.resized
    trace.funded = 0
    trace.resized = 0
    trace.clear()
  }
}

const bands = { ...engineConfigDefault.bands, enabled: true, spotShift: 0.01, volShift: 0.01 }
const tiers = engineConfigDefault.tiers.map((tier) => ({ ...tier, openOrdersMax: 12 }))
const narrow = { ...engineConfigDefault, bands, tiers } as EngineConfig

for (const [index, config] of [engineConfigDefault, narrow].entries()) {
  const seed = 71 + index
  test(`the first failed check is the reason of every rejection, and tracing changes nothing, seed ${seed}`, () => {
    const watched = new Watched(`seed ${seed}`)
    const alone = mixedEnd(seed, config, () => {})
    assert.equal(
      mixedEnd(seed, config, (state) => watched.look(state)),
      alone,
    )
    assert.ok(watched.accepted > 80, `${watched.accepted} accepted`)
    assert.ok(watched.refused.size > 4, `only ${[...watched.refused.keys()]}`)
    assert.ok(watched.beyond > 20)
    assert.ok(watched.funded > 3 && watched.resized > 3, JSON.stringify(watched))
  })
}

/** Runs a market of mixed commands. @returns its final state hash. */
function mixedEnd(seed: number, config: EngineConfig, behind: (state: CoreState) => void): string {
  const rig = new CoreRig(config)
  const mixed = new MixedCommands(rig, seed, { ...rigMarket, config })
  mixed.open()
  let digest = 0
  for (let step = 0; step < 500; step++) {
    mixed.next()
    if (step % 4 === 0) rig.place(largeOrder(mixed))
    if (step % 5 !== 0) continue
    while (rig.step()) behind(rig.state)
    for (const { fields, type } of rig.events()) {
      digest = (Math.imul(digest, 31) + (fields['digest'] ?? 0)) | 0
      if (type === EventType.OrderUpdate && fields['orderId']! > 0)
        mixed.orderId = fields['orderId']!
    }
    rig.nowMillis += 10
  }
  return `${digest} ${rig.state.hash.low} ${rig.state.hash.high}`
}

/** Returns an order of a size that some of the wallets can afford. */
function largeOrder(mixed: MixedCommands): RigOrder {
  const side = mixed.below(2) === 0 ? 'Buy' : 'Sell'
  const instrument = { underlying: 'BTC', strike: 110_000, expiryDate: rigMarket.expiryDate }
  const size = String(10 + mixed.below(150))
  const terms = { price: String(3000 + mixed.below(400)), size, reduceOnly: mixed.below(8) === 0 }
  return { wallet: 1 + mixed.below(4), side, instrument, ...terms }
}

for (const seed of [12, 20]) {
  test(`so it is in a simulated exchange with everything that strikes it, seed ${seed}`, () => {
    const watched = new Watched(`seed ${seed}`)
    const disturb = (state: CoreState) => watched.look(state)
    const seen = simulate({ seed, steps: 100, seams: { disturb } })
    assert.equal(seen.failure, null, seen.failure?.what)
    assert.ok(watched.accepted > 0)
    const { eventsHash, traceHash } = simulate({ seed, steps: 100 })
    assert.deepEqual([seen.eventsHash, seen.traceHash], [eventsHash, traceHash])
  })
}
