import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { publishBootstrap } from '../../../engine/core/operator/bootstrap.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { HaltMode, ProviderStatus } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { beginExact } from '../../simulation/checks/exact-invariants.js'
import { checkReload, checkState } from '../../simulation/checks/invariants.js'
import { RfqLedger } from '../../simulation/published/rfq-ledger.js'
import { isLongRun } from '../../support/long-test.js'
import { call100k, call110k, call120k, RfqRig, type RigLeg } from '../../support/rfq-rig.js'
import { uniformsOf } from '../pricing/random.js'

// Other files of the process cut amounts on purpose.
beforeEach(beginExact)

/** Stories, more of them by STRIKEBOOK_TEST_CASES; each takes a seed of its own. */
const cases = Number(process.env['STRIKEBOOK_TEST_CASES'] ?? (isLongRun ? 30 : 12))
const firstSeed = Number(process.env['STRIKEBOOK_TEST_SEED'] ?? 1)
const steps = 250
const wallets = [1, 2, 3, 4]
const agent = 71
const marks = new Map([
  [call100k, 6854],
  [call110k, 3270],
  [call120k, 1395],
])

interface Asked {
  readonly id: number
  readonly wallet: number
  readonly legs: readonly RigLeg[]
}

/** Takers and providers who do what they may, and now and then what they may not, in one market. */
class Story {
  readonly rig: RfqRig
  readonly ledger = new RfqLedger()
  readonly #uniform: () => number
  readonly #asked: Asked[] = []

  constructor(seed: number) {
    this.#uniform = uniformsOf(seed * 31 + 5)
    const rfq = { ...engineConfigDefault.rfq, maxOpenPerWallet: 6, priceByMarks: seed % 4 === 3 }
    const fees = { ...engineConfigDefault.fees, makerRate: 0.0002, takerRate: 0.0005 }
    const standardIsDefinedRisk = seed % 5 === 4
    const more = { mmpIncludeRfq: seed % 2 === 0, ...(seed % 3 === 0 ? { fees } : {}) }
    this.rig = new RfqRig({ rfq, standardIsDefinedRisk, ...more })
    this.rig.openCombos(3000 + this.#below(60_000))
    this.rig.provider(4)
    this.rig.connectProvider(4, 2)
    this.rig.story()
    publishBootstrap(this.rig.state, () => {})
    this.rig.follow((event) => this.ledger.take(event))
  }

  step(): void {
    const dice = this.#uniform()
    if (dice < 0.16) this.#submit()
    else if (dice < 0.5) this.#quote()
    else if (dice < 0.66) this.#accept()
    else if (dice < 0.68) this.#decline()
    else if (dice < 0.8) this.rig.nowMillis += Math.floor(10 ** (this.#uniform() * 4))
    else if (dice < 0.9) this.#order()
    else this.#disturb()
    // Some of them share a batch.
    if (this.#uniform() < 0.4) return
    while (this.rig.step()) checkState(this.rig.state)
    this.rig.follow((event) => this.ledger.take(event))
    if (this.#uniform() < 0.05) checkReload(this.rig.state)
  }

  #submit(): void {
    const options = [...marks.keys()].filter(() => this.#uniform() < 0.6)
    if (options.length === 0) return
    const legs = options.map((option) => [option, this.#contracts()] as const)
    const id = this.#uniform() < 0.05 ? this.#below(60) : 60 + this.#asked.length
    const asked = { id, wallet: this.#pick(wallets), legs }
    this.#asked.push(asked)
    const worth = legs.reduce((sum, [option, size]) => sum + size * marks.get(option)!, 0)
    const limit = Math.abs(worth) * (0.8 + 0.4 * this.#uniform())
    const signer = this.#uniform() < 0.1 ? agent : asked.wallet
    this.rig.submit({ ...asked, ...(this.#uniform() < 0.5 ? { limit } : {}) }, { signer })
  }

  #quote(): void {
    const asked = this.#latest()
    if (asked === null) return
    const off = 0.85 + 0.3 * this.#uniform()
    const isFar = this.#uniform() < 0.1
    const prices = asked.legs.map(([option]) => {
      return Math.round(marks.get(option)! * (isFar ? 3 * this.#uniform() + 0.1 : off) * 1e3) / 1e3
    })
    const legs = this.#uniform() < 0.04 ? asked.legs.slice(1) : asked.legs
    if (legs.length === 0) return
    const validMillis = this.#pick([0, 1, 500, 5000, 60_000, 60_000])
    const provider = this.#pick(this.#uniform() < 0.9 ? [2, 3, 4] : wallets)
    this.rig.quote({ id: asked.id, provider, legs, prices, validMillis })
  }

  #accept(): void {
    const { quotes } = this.rig
    if (quotes.length === 0) return
    const quote = quotes.at(-1 - this.#below(Math.min(4, quotes.length)))!
    const asked = this.#asked.findLast(({ id }) => id === quote.rfq)
    if (asked === undefined) return
    const wallet = this.#uniform() < 0.05 ? this.#pick(wallets) : asked.wallet
    this.rig.accept(asked.id, quote, { wallet })
  }

  #decline(): void {
    const asked = this.#latest()
    if (asked !== null) this.rig.decline(asked.id, this.#pick(wallets))
  }

  #order(): void {
    const option = this.#pick([...marks.keys()])
    const price = String(
      Number((marks.get(option)! * (0.7 + 0.6 * this.#uniform())).toPrecision(4)),
    )
    const side = this.#uniform() < 0.5 ? 'Buy' : 'Sell'
    const size = String(Math.abs(this.#contracts()))
    const flags = { reduceOnly: this.#uniform() < 0.4, mmpEnabled: this.#uniform() < 0.4 }
    const order = { wallet: this.#pick(wallets), side, price, size, instrument: option } as const
    this.rig.place({ ...order, ...flags })
  }

  #disturb(): void {
    const { rig } = this
    const wallet = this.#pick(wallets)
    const { Active, Suspended } = ProviderStatus
    const kind = this.#below(14)
    if (kind === 13) rig.setMmp(wallet, { interval: 60_000, frozen: 2000, qty: 0.5 })
    if (kind === 0) rig.halt(this.#pick([HaltMode.CancelOnly, HaltMode.Halted]), 'BTC')
    else if (kind <= 3) rig.halt(HaltMode.Open, 'BTC')
    else if (kind === 4) rig.provider(wallet, this.#uniform() < 0.8 ? Active : Suspended)
    else if (kind >= 9 && kind <= 11) rig.connectProvider(wallet, this.#below(3))
    else if (kind === 5) rig.leaveProvider(wallet, this.#below(3))
    else if (kind === 6) rig.agent(CommandType.ApproveAgent, wallet, agent)
    else if (kind === 7) rig.agent(CommandType.RevokeAgent, wallet, agent)
    else if (kind === 8 || kind === 12) rig.deposit(wallet, this.#below(1000) + 1)
  }

  /** Mostly one of the last few. */
  #latest(): Asked | null {
    const { length } = this.#asked
    return length === 0 ? null : this.#asked[length - 1 - this.#below(Math.min(4, length))]!
  }

  #contracts(): number {
    const size = Math.round(10 ** (this.#uniform() * 3 - 2) * 1e4) / 1e4
    return this.#uniform() < 0.5 ? size : -size
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#below(all.length)]!
  }

  #below(count: number): number {
    return Math.floor(this.#uniform() * count)
  }
}

/** A replay of all batches has the hashes that they were journaled with, and ends in the same state. */
function mustReplay({ batches, state }: RfqRig): void {
  const again = new RfqRig(state.config)
  for (const batch of batches) {
    const { low, high } = again.state.hash
    assert.deepEqual([low, high], [batch.hashLow, batch.hashHigh], `batch ${batch.batchNumber}`)
    again.replay(batch)
  }
  const { low, high } = again.state.hash
  assert.deepEqual([low, high], [state.hash.low, state.hash.high])
}

test('with random takers and providers, each request ends once, and exactly its net premium moves', () => {
  let executed = 0
  for (let seed = firstSeed; seed < firstSeed + cases; seed++) {
    const story = new Story(seed)
    for (let step = 0; step < steps; step++) {
      try {
        story.step()
      } catch (error) {
        throw new Error(`seed ${seed}, step ${step}: ${String(error)}`, { cause: error })
      }
    }
    executed += story.ledger.executed
    // Nothing stays open for ever.
    story.rig.run()
    story.rig.nowMillis += 60_000
    story.rig.run()
    story.rig.follow((event) => story.ledger.take(event))
    assert.equal(story.rig.state.rfqs.count, 0)
    mustReplay(story.rig)
  }
  if (cases < 12) return
  assert.ok(executed >= 3 * cases, `${executed} packages`)
})
