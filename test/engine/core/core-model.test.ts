import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoreReplica } from '../../../engine/core/replica.js'
import {
  type EngineConfig,
  engineConfigDefault,
} from '../../../engine/state/market/engine-config.js'
import { HaltMode, OrderStatus, type Tier } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { EventType } from '../../../schemas/generated/events.js'
import { OutcomeFlag } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import {
  assertInvariants,
  assertReduces,
  assertSameMargins,
  FollowedBooks,
} from '../../support/core-invariants.js'
import { CoreRig } from '../../support/core-rig.js'
import { isLongRun } from '../../support/long-test.js'
import { type RigOrder, walletOf } from '../../support/rig-commands.js'
import type { RigEvent } from '../../support/rig-event.js'

const seeds = isLongRun ? [1, 2, 3, 4, 5, 6] : [1]
const bursts = 120
const underlyings = ['BTC', 'ETH', 'SOL', 'XRP']
/** Windows so short that they overflow within a run. */
const smallWindows: EngineConfig = { ...engineConfigDefault, noncesKept: 24, outcomesKept: 6 }
const fewWindows: EngineConfig = { ...engineConfigDefault, noncesKept: 9, outcomesKept: 3 }

for (const seed of seeds) {
  test(`a random market keeps its invariants, replays and reloads, seed ${seed}`, () => {
    const market = new RandomMarket(seed, 1)
    market.play()
    const other = new RandomMarket(seed, 3)
    other.play()
    assert.ok(market.reduced > 0 && market.cut > 0, `seed ${seed}: reduce-only orders trade`)
    assert.deepEqual(other.digests, market.digests, `seed ${seed}: 3 matchers tell the same`)
    assertReplays(market, seed)
    assertReloads(market, seed)
  })
}

/** A few wallets that do everything at random, with mistakes; the same for the same seed. */
class RandomMarket {
  readonly rig: CoreRig
  readonly digests: number[] = []
  /** Trades of reduce-only orders, and how often one of them lost size. */
  reduced = 0
  cut = 0
  /** Number of published events after each batch. */
  readonly bordersAt: number[] = []
  readonly #seed: number
  #state: number
  readonly #books = new FollowedBooks()
  readonly #sent: RigOrder[] = []
  readonly #requests = new Map<number, string>()
  readonly #accepted = new Set<string>()
  readonly #orderIds: number[] = [1024]
  readonly #sizes = new Map<number, number>()
  #nonce = 100

  constructor(seed: number, matchers: number) {
    this.#seed = seed
    this.#state = seed * 7919
    this.rig = new CoreRig(engineConfigDefault, matchers)
  }

  play(): void {
    const { rig } = this
    this.#operated(rig.configure(smallWindows))
    for (const underlying of underlyings) {
      this.#operated(rig.list({ underlying, strike: 110_000 }))
      this.#operated(rig.list({ underlying, strike: 90_000, right: 1 }, rig.nowMillis + 90_000))
      this.#operated(rig.index(100_000, underlying))
      this.#operated(rig.surface(0.6, underlying))
    }
    for (const wallet of [1, 2, 3, 4]) this.#operated(rig.deposit(wallet, 300_000 * wallet))
    this.#operated(rig.deposit(5, 500))
    this.#answer()
    for (let burst = 0; burst < bursts; burst++) {
      const count = 1 + this.#below(24)
      for (let i = 0; i < count; i++) this.#command()
      this.#answer()
      rig.nowMillis += this.#below(4) === 0 ? this.#below(4000) : 0
      if (burst === 60) this.#operated(rig.configure(fewWindows))
    }
    this.#answer()
    assert.equal(this.#requests.size, 0, `seed ${this.#seed}: every command is answered`)
  }

  #answer(): void {
    const { rig } = this
    while (rig.step()) {
      const seen = rig.events()
      const where = `seed ${this.#seed}, batch ${rig.state.batchNumber}`
      this.#take(seen, where)
      assertInvariants(rig.state, this.#books, where)
      if (rig.state.batchNumber % 16 === 0) this.#assertReloadedMargins(where)
    }
  }

  #take(seen: readonly RigEvent[], where: string): void {
    this.#books.take(seen)
    let seq = this.digests.length
    for (const event of seen) {
      assert.equal(event.seq, ++seq, `${where}: no gap in the sequence`)
      this.digests.push(event.fields['digest'] ?? 0)
      if (assertReduces(event, where)) this.reduced++
      this.#takeSize(event)
      if (event.type === EventType.Outcome) this.#takeOutcome(event.fields, where)
    }
    this.bordersAt.push(this.digests.length)
  }

  #takeSize({ type, fields: { orderId = 0, size = 0, result, status } }: RigEvent): void {
    if (type !== EventType.OrderUpdate || orderId === 0) return
    const isGone = result === Result.ReduceOnly && status === OrderStatus.Canceled
    if (isGone || size < (this.#sizes.get(orderId) ?? 0)) this.cut++
    this.#sizes.set(orderId, size)
  }

  #takeOutcome(fields: Readonly<Record<string, number>>, where: string): void {
    const signed = this.#requests.get(fields['request'] ?? -1)
    assert.notEqual(signed, undefined, `${where}: one answer per request`)
    this.#requests.delete(fields['request'] ?? -1)
    if ((fields['orderId'] ?? 0) > 0) this.#orderIds.push(fields['orderId'] ?? 0)
    const isRepeat = ((fields['flags'] ?? 0) & OutcomeFlag.Repeat) !== 0
    if (signed === '' || isRepeat || !isAccepted(fields)) return
    assert.ok(!this.#accepted.has(signed!), `${where}: nonce ${signed} works twice`)
    this.#accepted.add(signed!)
  }

  #assertReloadedMargins(where: string): void {
    const replica = new CoreReplica(engineConfigDefault)
    replica.load(this.rig.save())
    const { low, high } = this.rig.state.hash
    assert.deepEqual({ ...replica.stateHash() }, { low, high }, `${where}: hash of the snapshot`)
    assertSameMargins(this.rig.state, replica.state, where)
  }

  #command(): void {
    if (this.#below(12) > 0) {
      this.#single(this.#below(100))
      return
    }
    this.rig.bulk(() => {
      for (let i = 1 + this.#below(12); i > 0; i--) this.#single(this.#below(78))
    })
  }

  #single(kind: number): void {
    if (kind < 31) this.#place({})
    else if (kind < 45) this.#reduce()
    else if (kind < 58) this.#place({ replaces: this.#orderId() })
    else if (kind < 72) this.#cancel()
    else if (kind < 78) this.#again()
    else if (kind < 83) this.#agents()
    else this.#operate()
  }

  #place(extra: Partial<RigOrder>): void {
    const side = this.#below(2) === 0 ? 'Buy' : 'Sell'
    const order: RigOrder = {
      wallet: 1 + this.#below(6),
      side,
      price: String(3000 + this.#below(20) * 10),
      size: ['1', '0.5', '2.25', '40'][this.#below(4)]!,
      tif: (['gtc', 'gtc', 'gtc', 'ioc', 'fok', 'alo'] as const)[this.#below(6)]!,
      clientId: this.#below(3) === 0 ? `c${this.#below(4)}` : '',
      nonce: this.#newNonce(),
      reduceOnly: this.#below(8) === 0,
      instrument: this.#instrument(),
      ...(this.#below(12) === 0 ? { signer: 50 } : {}),
      ...extra,
    }
    this.#sent.push(order)
    this.#expect(this.rig.place(order), order)
  }

  /** Closes a part of what a wallet holds, or a little more than all of it. */
  #reduce(): void {
    const { accounts, instruments, risk } = this.rig.state
    const { exposures, firstExposure } = risk
    const wallet = 1 + this.#below(6)
    const account = accounts.find(walletOf(wallet), 0)
    const skipped = this.#below(4)
    let row = account < 0 ? -1 : firstExposure[account]!
    for (let i = 0; i < skipped && row >= 0; i++) row = exposures.nextInAccount[row]!
    const positionLots = row < 0 ? 0 : exposures.positionLots[row]!
    if (positionLots === 0) {
      this.#place({ wallet, reduceOnly: true })
      return
    }
    const id = exposures.instrument[row]!
    const size = (Math.abs(positionLots) / 1e8) * [0.25, 0.5, 1, 1, 1.25][this.#below(5)]!
    this.#place({
      wallet,
      side: positionLots > 0 ? 'Sell' : 'Buy',
      size: String(Math.ceil(size * 4) / 4),
      price: String(3000 + (positionLots > 0 ? 120 : 0) + this.#below(9) * 10),
      reduceOnly: true,
      instrument: {
        underlying: instruments.underlyingNames[instruments.underlying[id]!]!,
        strike: instruments.strikeMicros[id]! / 1e6,
        right: instruments.right[id]!,
      },
    })
  }

  /** Sends something once more, to the letter or not. */
  #again(): void {
    if (this.#sent.length === 0) return
    const order = this.#sent[Math.max(0, this.#sent.length - 1 - this.#below(30))]!
    const digest = this.#below(3) === 0 ? { digest: 7 } : {}
    this.#expect(this.rig.place({ ...order, ...digest }), order)
  }

  #cancel(): void {
    const wallet = 1 + this.#below(6)
    const nonce = this.#newNonce()
    const request =
      this.#below(3) === 0
        ? this.rig.cancelClient(wallet, `c${this.#below(4)}`, { nonce })
        : this.rig.cancel(wallet, this.#orderId(), { nonce })
    this.#expect(request, { wallet, nonce })
  }

  #agents(): void {
    const wallet = 1 + this.#below(7)
    const nonce = this.#newNonce()
    if (this.#below(3) === 0) {
      const request = this.rig.selfTrade(wallet, this.#below(4), { nonce })
      this.#expect(request, { wallet, nonce })
      return
    }
    const types = [CommandType.ApproveAgent, CommandType.RevokeAgent, CommandType.RevokeAllAgents]
    const type = types[this.#below(3)]!
    this.#expect(this.rig.agent(type, wallet, 50 + this.#below(3), { nonce }), { wallet, nonce })
  }

  #operate(): void {
    const { rig } = this
    const underlying = underlyings[this.#below(4)]!
    const kind = this.#below(9)
    const right = this.#below(2)
    const strike = right === 0 ? 110_000 : 90_000
    let request = 0
    if (kind < 3) request = rig.index(99_000 + this.#below(2000), underlying)
    else if (kind === 3) request = rig.index(90_000, underlying, rig.nowMillis - 5000)
    else if (kind === 4) request = rig.deposit(1 + this.#below(6), 1000, `d${this.#below(9)}`)
    else if (kind === 5) request = rig.tier(1 + this.#below(6), this.#below(4) as Tier)
    else if (kind === 6) request = rig.halt(this.#below(4) === 0 ? HaltMode.Halted : 0, underlying)
    else if (kind === 7) request = rig.delist({ underlying, strike, right })
    else request = rig.list({ underlying, strike, right }, rig.nowMillis + 20_000 * this.#below(9))
    this.#operated(request)
  }

  #operated(request: number): void {
    this.#requests.set(request, '')
  }

  #expect(request: number, signed: Pick<RigOrder, 'wallet' | 'nonce'>): void {
    this.#requests.set(request, `${signed.wallet}/${signed.nonce}`)
  }

  /** Mostly rising, now and then far below or of the past. */
  #newNonce(): number {
    const kind = this.#below(12)
    if (kind === 0) return 1 + this.#below(90)
    return kind === 1 ? this.#nonce - this.#below(50) : this.#nonce++
  }

  #orderId(): number {
    const recent = Math.max(0, this.#orderIds.length - 1 - this.#below(40))
    return this.#below(10) === 0 ? this.#below(900) * 1024 : this.#orderIds[recent]!
  }

  #instrument(): NonNullable<RigOrder['instrument']> {
    const underlying = underlyings[this.#below(this.#below(2) * 4)]!
    return this.#below(3) === 0
      ? { underlying, strike: 90_000, right: 1 }
      : { underlying, strike: 110_000 }
  }

  #below(count: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0
    return count === 0 ? 0 : (this.#state >>> 8) % count
  }
}

function isAccepted({ result = 0, status = 0 }: RigEvent['fields']): boolean {
  if (result === Result.ReduceOnly) return status === OrderStatus.Canceled
  const { Accepted, CanceledOnRequest, IocRemainder, FokNotFilled, SelfTrade } = Result
  const accepted: readonly number[] = [
    Accepted,
    CanceledOnRequest,
    IocRemainder,
    FokNotFilled,
    SelfTrade,
  ]
  return accepted.includes(result)
}

function assertReplays(market: RandomMarket, seed: number): void {
  const { batches, state } = market.rig
  const replica = new CoreReplica(engineConfigDefault)
  for (const batch of batches) {
    const recorded = { low: batch.hashLow, high: batch.hashHigh }
    const where = `seed ${seed}: hash before batch ${batch.batchNumber}`
    assert.deepEqual({ ...replica.stateHash() }, recorded, where)
    replica.applyBatch(batch)
  }
  assert.deepEqual({ ...replica.stateHash() }, { low: state.hash.low, high: state.hash.high })
}

/** Asserts that snapshots after some batches, with the rest of the journal, publish the same events. */
function assertReloads(market: RandomMarket, seed: number): void {
  const { batches } = market.rig
  const step = 1 + ((seed * 13) % 40)
  const first = new CoreReplica(engineConfigDefault)
  let applied = 0
  for (let border = step; border < batches.length; border += 97) {
    while (applied < border) first.applyBatch(batches[applied++]!)
    const second = new CoreRig()
    second.restore(first.save().slice())
    for (const batch of batches.slice(border, border + 60)) {
      const { low, high } = second.state.hash
      const where = `seed ${seed}, snapshot ${border}, batch ${batch.batchNumber}`
      assert.deepEqual({ low, high }, { low: batch.hashLow, high: batch.hashHigh }, where)
      second.replay(batch)
      const from = market.bordersAt[batch.batchNumber - 2] ?? 0
      const digests = market.digests.slice(from, market.bordersAt[batch.batchNumber - 1])
      assert.deepEqual(
        second.events().map(({ fields }) => fields['digest']),
        digests,
        where,
      )
    }
  }
}
