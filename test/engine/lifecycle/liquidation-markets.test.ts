import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoreReplica } from '../../../engine/core/replica.js'
import { liquidationParametersDefault } from '../../../engine/risk/liquidation-parameters.js'
import {
  type EngineConfig,
  engineConfigDefault,
} from '../../../engine/state/market/engine-config.js'
import { EventType } from '../../../schemas/generated/events.js'
import { LiquidationState } from '../../../schemas/record-values.js'
import { Random } from '../../simulation/run/random.js'
import { assertInvariants, FollowedBooks } from '../../support/core-invariants.js'
import { LiquidationRig } from '../../support/liquidation-rig.js'
import { type RigInstrument, walletOf } from '../../support/rig-commands.js'

// Random markets with jumps, crashes and silent feeds, in which poor wallets are short. Liquidation neither makes nor
// loses money or contracts, leaves no wallet below zero without a record, and replays after every batch.

const seed = 20261125
const steps = 500
const wallets = [1, 2, 3, 4, 5, 6, 7, 8]
const instruments: readonly RigInstrument[] = [
  {},
  { strike: 90_000, right: 1 },
  { underlying: 'ETH', strike: 4000 },
  { underlying: 'ETH', strike: 3500, right: 1 },
]
/** One step in forty for each of them. */
const jumps = [0.72, 0.88, 0.92, 1.08, 1.12, 1.33]
/** Faster than by default, so that a short run includes everything. */
const config: EngineConfig = {
  ...engineConfigDefault,
  pricing: { ...engineConfigDefault.pricing, indexMaxAgeMillis: 8000, surfaceMaxAgeMillis: 0 },
  liquidation: {
    ...liquidationParametersDefault,
    graceSeconds: 5,
    partialSeconds: 15,
    repriceSeconds: 2,
    insolventSeconds: 30,
    maxAuctionSeconds: 60,
    feeRate: 0.00001,
  },
}

test('random crashes conserve money and contracts, leave nobody below zero unrecorded, and replay', () => {
  const seen = { transitions: new Set<string>(), won: 0, deleveraged: 0, insurance: 0, waiting: 0 }
  for (let run = 0; run < 5; run++) runMarket(seed + run, 1 + (run % 3), run < 3, seen)
  const wanted = ['healthy-pre', 'pre-healthy', 'pre-partial', 'pre-full', 'partial-healthy']
  wanted.push('full-liquidated', 'liquidated-healthy')
  for (const name of wanted) assert.ok(seen.transitions.has(name), `seed ${seed}: no ${name}`)
  for (const name of ['won', 'deleveraged', 'insurance', 'waiting'] as const) {
    assert.ok(seen[name] > 0, `seed ${seed}: nothing ${name}`)
  }
})

interface Seen {
  readonly transitions: Set<string>
  won: number
  deleveraged: number
  insurance: number
  waiting: number
}

function runMarket(runSeed: number, matchers: number, isBidOn: boolean, seen: Seen): void {
  const random = new Random(runSeed, 'market')
  const rig = new LiquidationRig(config, matchers)
  const prices = new Map([
    ['BTC', 100_000],
    ['ETH', 3800],
  ])
  // With a rich fund auctions last; with a poor one they end in auto-deleveraging.
  open(rig, prices, isBidOn ? 100_000 : 50)
  const books = new FollowedBooks()
  books.take(rig.events())
  let feedsSilent = 0
  for (let step = 0; step < steps; step++) {
    const where = `seed ${runSeed}, step ${step}`
    rig.nowMillis += random.below(1500)
    if (feedsSilent > 0) feedsSilent--
    else if (random.below(60) === 0) feedsSilent = 20
    else movePrices(rig, random, prices)
    for (let count = random.below(5); count > 0; count--) act(rig, random, isBidOn)
    rig.run()
    const events = rig.events()
    books.take(events)
    for (const { type, fields } of events) {
      if (type === EventType.Liquidation && fields['change'] === 1) {
        seen.transitions.add(`${stateName(fields, 'before')}-${stateName(fields, '')}`)
      }
    }
    assertInvariants(rig.state, books, where)
    assertBorne(rig, where)
    note(rig, seen)
    if (step % 40 === 0) assertReload(rig, where)
  }
  seen.won += wonOf.get(rig) ?? 0
  assertReplay(rig, runSeed, 1 + (matchers % 3))
}

/** Number of bids won, by rig. */
const wonOf = new WeakMap<LiquidationRig, number>()

function open(rig: LiquidationRig, prices: ReadonlyMap<string, number>, fundUsd: number): void {
  for (const instrument of instruments) rig.list(instrument)
  for (const [underlying, price] of prices) {
    rig.index(price, underlying)
    rig.surface(0.7, underlying)
  }
  for (const wallet of wallets) rig.deposit(wallet, wallet < 6 ? 12_000 * wallet : 2_000_000)
  rig.fundInsurance(fundUsd)
  rig.run()
}

function movePrices(rig: LiquidationRig, random: Random, prices: Map<string, number>): void {
  for (const [underlying, price] of prices) {
    const base = underlying === 'BTC' ? 100_000 : 3800
    const jump = jumps[random.below(40)]
    const factor = jump ?? 0.995 + random.below(100) / 10_000
    // Stays within a range, so that events continue.
    const next = Math.min(base * 1.6, Math.max(base * 0.6, price * factor))
    prices.set(underlying, Math.round(next))
    rig.index(Math.round(next), underlying)
  }
}

function act(rig: LiquidationRig, random: Random, isBidOn: boolean): void {
  const wallet = random.pick(wallets)
  const kind = random.below(20)
  if (kind === 0) rig.deposit(wallet, 1 + random.below(20_000))
  else if (kind === 1) rig.fundInsurance(1 + random.below(20))
  else if (kind < 4 && isBidOn) bid(rig, random)
  else place(rig, random, wallet)
}

function bid(rig: LiquidationRig, random: Random): void {
  const row = rig.state.liquidations.rows.find(({ auction, mode }) => auction > 0 && mode === 2)
  if (row === undefined) return
  const liquidated = wallets.find((wallet) => rig.account(wallet) === row.account)!
  const bidder = random.pick([6, 7, 8])
  rig.run()
  if (rig.state.liquidations.find(row.account)?.mode !== 2) return
  const version = rig.row(liquidated)!.positionsVersion
  rig.bid({ wallet: bidder, liquidated, usd: random.below(3) === 0 ? 1 : 1e6 })
  rig.run()
  if ((rig.row(liquidated)?.positionsVersion ?? -1) !== version) {
    wonOf.set(rig, (wonOf.get(rig) ?? 0) + 1)
  }
}

/** Places orders near the mark; rich wallets bid and offer what poor ones may take. */
function place(rig: LiquidationRig, random: Random, wallet: number): void {
  const id = random.below(instruments.length)
  const mark = rig.state.marks.markMicros[id]! / 1e6
  if (!(mark > 1)) return
  const price = String(Math.max(1, Number((mark * (0.9 + random.below(20) / 100)).toPrecision(4))))
  const side = random.below(2) === 0 ? 'Buy' : 'Sell'
  const scale = instruments[id]!.underlying === 'ETH' ? 10 : 1
  const size = String(((1 + random.below(100)) * scale) / 100)
  const reduceOnly = random.below(6) === 0
  rig.place({ wallet, side, price, size, instrument: instruments[id]!, reduceOnly })
}

/** Asserts that a wallet with negative equity is in liquidation or has its debt on record. */
function assertBorne(rig: LiquidationRig, where: string): void {
  for (const wallet of wallets) {
    const { equity } = rig.margin(wallet)
    if (equity >= 0) continue
    const row = rig.row(wallet)
    assert.ok(row !== null, `${where}: wallet ${wallet} owes ${equity} and is healthy`)
    if (row.state !== LiquidationState.Liquidated) continue
    assert.ok(row.uncoveredMicros / 1e6 >= -equity - 1e-6, `${where}: wallet ${wallet} owes more`)
  }
}

function note(rig: LiquidationRig, seen: Seen): void {
  for (const row of rig.state.liquidations.rows) {
    seen.deleveraged += row.deleveragedMicros
    seen.insurance += row.insuranceMicros
    seen.waiting += row.waiting
  }
}

function assertReload(rig: LiquidationRig, where: string): void {
  const replica = new CoreReplica(config)
  replica.load(rig.save())
  assert.deepEqual({ ...replica.stateHash() }, { ...rig.state.hash }, `${where}: snapshot`)
}

/** Replays every batch with another number of matchers to the same hash; halfway it continues from a snapshot. */
function assertReplay(rig: LiquidationRig, runSeed: number, matchers: number): void {
  let other = new LiquidationRig(config, matchers)
  const { batches } = rig
  for (const [index, batch] of batches.entries()) {
    const hash = `${other.state.hash.low} ${other.state.hash.high}`
    const wanted = `${batch.hashLow} ${batch.hashHigh}`
    if (hash !== wanted) assert.fail(`seed ${runSeed}: batch ${index} replays with ${matchers}`)
    other.replay(batch)
    other.events()
    if (index % 500 !== 250) continue
    const saved = other.save()
    other = new LiquidationRig(config, 1 + (index % 3))
    other.restore(saved)
  }
  assert.deepEqual({ ...other.state.hash }, { ...rig.state.hash }, `seed ${runSeed}: the end`)
  for (const wallet of wallets) {
    const account = other.state.accounts.find(walletOf(wallet), 0)
    assert.equal(other.state.risk.cashMicros[account], rig.state.risk.cashMicros[account])
  }
}

function stateName(fields: Readonly<Record<string, number>>, prefix: string): string {
  const state = fields[prefix === '' ? 'state' : 'before']!
  const mode = fields[prefix === '' ? 'mode' : 'beforeMode']!
  if (state === LiquidationState.InLiquidation) return mode === 1 ? 'partial' : 'full'
  return ['healthy', 'pre', '', 'liquidated'][state]!
}
