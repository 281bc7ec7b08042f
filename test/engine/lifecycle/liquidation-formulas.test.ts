import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Closing,
  type Counterparty,
  compareRanks,
  shareDeficit,
} from '../../../engine/lifecycle/auto-deleveraging.js'
import {
  bonusBpsAfter,
  bonusMicros,
  legalPriceDown,
  legalPriceUp,
  limitMicros,
  reducingLots,
} from '../../../engine/lifecycle/partial-formulas.js'
import {
  auctionTerms,
  insolventMicros,
  priceShareAfter,
  shareOf,
  unpayableAfter,
} from '../../../engine/risk/auction-terms.js'
import { atLeast, ceilDiv, floorDiv, halfEvenDiv } from '../../../engine/risk/exact-share.js'
import { liquidationParametersDefault } from '../../../engine/risk/liquidation-parameters.js'
import { mulDivHalfEven, valueMicros } from '../../../engine/risk/money.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { Side } from '../../../schemas/domain.js'
import { readProjectJson } from '../../support/project.js'

interface Vectors {
  readonly liquidation: {
    readonly curve: readonly { t_s: number; f: number }[]
    readonly share: readonly {
      equity: number
      maintenance_margin: number
      buffer: number
      t_s: number
      share_max: number
      price: number
      equity_after: number
      maintenance_after: number
    }[]
    readonly insolvent: readonly {
      equity: number
      maintenance_margin: number
      t_s: number
      paid_to_bidder: number
    }[]
    readonly partial_size: readonly {
      equity: number
      maintenance_per_contract: number
      contracts: number
      target_ratio: number
      cost_per_contract: number
      size: number
      equity_after: number
      maintenance_after: number
    }[]
    readonly bonus: readonly { t_s: number; bonus_bps: number }[]
    readonly auto_deleveraging: readonly {
      side: string
      size: number
      mark_price: number
      deficit_after_fund: number
      counterparties: readonly {
        wallet: string
        size: number
        entry_price: number
        equity: number
      }[]
      bankruptcy_price: number
      ranks: readonly { wallet: string; rank: number }[]
    }[]
  }
}

const { liquidation: vectors } = readProjectJson<Vectors>('test/vectors/options.json')
const parameters = liquidationParametersDefault
const usd = (amount: number) => Math.round(amount * 1e6)

function marginOf(row: { equity: number; maintenance_margin: number }) {
  return { equityMicros: usd(row.equity), maintenanceMicros: usd(row.maintenance_margin) }
}

test("the auction price falls along the vectors' curve", () => {
  for (const { t_s: seconds, f } of vectors.curve) {
    const { numerator, divisor } = priceShareAfter(parameters, seconds * 1000)
    assert.ok(Math.abs(Number(numerator) / Number(divisor) - f) < 1e-9, `${seconds} s`)
  }
})

test("share, required bid, and the account's rest match the vectors", () => {
  for (const row of vectors.share) {
    const account = {
      ...marginOf(row),
      ...{ nowMillis: 7 + row.t_s * 1000, begunMillis: 7, insolventMillis: 0 },
    }
    const { share, requiredMicros } = auctionTerms(
      { ...parameters, auctionBuffer: row.buffer },
      account,
    )
    const part = Number(share.numerator) / Number(share.divisor)
    assert.ok(Math.abs(part - row.share_max) < 1e-9, `share ${part}`)
    // Rounded up to the next micro.
    assert.ok(requiredMicros / 1e6 - row.price >= -1e-8 && requiredMicros / 1e6 - row.price <= 1e-6)
    const equityAfter = row.equity * (1 - part) + row.price
    assert.ok(Math.abs(equityAfter - row.equity_after) < 1e-6)
    const lost = shareOf(share, account.maintenanceMicros) / 1e6
    assert.ok(Math.abs(row.maintenance_margin - lost - row.maintenance_after) < 2e-6)
  }
})

test('an insolvent account is offered as a whole, and its bidder is paid along the ramp', () => {
  for (const row of vectors.insolvent) {
    const account = {
      ...marginOf(row),
      ...{ nowMillis: 1000 + row.t_s * 1000, begunMillis: 0, insolventMillis: 1000 },
    }
    assert.equal(insolventMicros(parameters, account), usd(row.paid_to_bidder))
    const { share, requiredMicros } = auctionTerms(parameters, account)
    assert.deepEqual(share, { numerator: 1n, divisor: 1n })
    assert.equal(requiredMicros, -usd(row.paid_to_bidder) + 0)
  }
})

test('sizes of the partial phase match the vectors, within a lot', () => {
  for (const row of vectors.partial_size) {
    const lots = reducingLots(
      row.target_ratio,
      usd(row.equity),
      usd(row.maintenance_per_contract * row.contracts),
      usd(row.maintenance_per_contract),
      usd(row.cost_per_contract),
      row.contracts * lotsPerContract,
    )
    assert.equal(lots, Math.round(row.size * lotsPerContract))
    const equityAfter = row.equity - (row.cost_per_contract * lots) / lotsPerContract
    assert.ok(Math.abs(equityAfter - row.equity_after) < 1e-6)
  }
})

test('a size is at most the position, and 0 where closing does not help', () => {
  const size = (relief: number, cost: number, equity = 14_000) =>
    reducingLots(1.1, usd(equity), usd(15_000), usd(relief), usd(cost), 3)
  assert.equal(size(7500, 0), 3, 'the size is the whole position')
  assert.equal(size(100, 110), 0, 'a denominator of 0')
  assert.equal(size(100, 111), 0, 'a denominator below 0')
  assert.equal(size(7500, 0, 16_500), 0, 'no equity is missing')
  assert.equal(size(7500, 0, 16_499.999999), 1, 'one micro is missing, so the size is one lot')
})

test('the bonus rises by a step at each reprice, up to its maximum', () => {
  for (const { t_s: seconds, bonus_bps } of vectors.bonus) {
    assert.equal(bonusBpsAfter(parameters, seconds * 1000), bonus_bps, `${seconds} s`)
  }
  assert.equal(bonusMicros(3_000_000_000, 500), 150_000_000)
})

test("limits are valid prices: a buy's rounds down, a sell's up", () => {
  assert.equal(limitMicros(Side.Buy, 3_270_260_505, 16_351_303), 3_286_600_000)
  assert.equal(limitMicros(Side.Sell, 3_270_260_505, 16_351_303), 3_254_000_000)
  assert.equal(limitMicros(Side.Buy, 0, 0), 0, 'no valid price')
  assert.equal(limitMicros(Side.Sell, 0, 0), 1)
  assert.deepEqual([legalPriceDown(123_456), legalPriceUp(123_456)], [123_450, 123_460])
  assert.deepEqual([legalPriceDown(99_999), legalPriceUp(99_999)], [99_999, 99_999])
})

test('deficits, bankruptcy price and deleveraging ranks match the vectors', () => {
  for (const row of vectors.auto_deleveraging) {
    const lots = row.size * lotsPerContract
    const closing: Closing = {
      instrument: 0,
      positionLots: row.side === 'short' ? -lots : lots,
      valueMicros: valueMicros(usd(row.mark_price), lots),
      marginMicros: 1,
      takers: [],
      deficitMicros: 0,
    }
    assert.equal(shareDeficit([closing], usd(row.deficit_after_fund), new Map()), 0)
    const price = mulDivHalfEven(closing.valueMicros - closing.deficitMicros, lotsPerContract, lots)
    assert.equal(price, usd(row.bankruptcy_price))
    const ranked = row.counterparties
      .map((other, index) => ({
        wallet: other.wallet,
        party: partyOf(other, row.mark_price, index),
      }))
      .sort((a, b) => compareRanks(b.party, a.party))
    const wanted = [...row.ranks].sort((a, b) => b.rank - a.rank)
    assert.deepEqual(
      ranked.map(({ wallet }) => wallet),
      wanted.map(({ wallet }) => wallet),
    )
    for (const { wallet, rank } of row.ranks) {
      const { party } = ranked.find((found) => found.wallet === wallet)!
      const value =
        (party.unrealizedMicros / party.entryMicros) * (party.valueMicros / party.equityMicros)
      assert.ok(Math.abs(value - rank) < 1e-9)
    }
  }
})

test('a wallet without equity or profit ranks last, and equal ranks are equal', () => {
  const party = partyOf({ size: 1, entry_price: 3000, equity: 20_000 }, 12_000, 0)
  const broke = { ...party, equityMicros: 0 }
  const losing = { ...party, unrealizedMicros: -5 }
  assert.ok(compareRanks(party, broke) > 0)
  assert.ok(compareRanks(losing, broke) > 0)
  assert.ok(compareRanks(party, losing) > 0)
  const doubled = {
    ...party,
    valueMicros: party.valueMicros * 2,
    equityMicros: party.equityMicros * 2,
  }
  assert.equal(compareRanks(party, doubled), 0)
  assert.equal(compareRanks(broke, { ...broke, equityMicros: -7 }), 0)
})

test('maintenance margin shares a deficit, and others bear what a short cannot', () => {
  const short = {
    instrument: 0,
    positionLots: -1,
    valueMicros: 100,
    marginMicros: 3,
    takers: [],
    deficitMicros: 0,
  }
  const long = {
    instrument: 1,
    positionLots: 1,
    valueMicros: 100,
    marginMicros: 1,
    takers: [],
    deficitMicros: 0,
  }
  const share = (closings: Closing[], deficit: number) => {
    const left = shareDeficit(closings, deficit, new Map())
    return [...closings.map(({ deficitMicros }) => deficitMicros), left]
  }
  assert.deepEqual(share([{ ...short }, { ...long }], 80), [60, 20, 0])
  assert.deepEqual(share([{ ...short }, { ...long }], 200), [100, 100, 0])
  assert.deepEqual(share([{ ...short }], 130), [100, 30])
  assert.deepEqual(share([{ ...short, marginMicros: 0 }], 30), [30, 0])
  assert.deepEqual(share([{ ...short }, { ...long }], 3), [2, 1, 0])
})

test('a long bears at most what a price can express, and others or nobody the rest', () => {
  const rich = 2 ** 52
  for (const lots of [1, 3, 7, lotsPerContract - 1, lotsPerContract]) {
    const dust: Closing = {
      instrument: 0,
      positionLots: lots,
      valueMicros: 5,
      marginMicros: 1,
      takers: [{ account: 1, sizeLots: lots }],
      deficitMicros: 0,
    }
    const short = { ...dust, instrument: 1, positionLots: -1, valueMicros: 40, takers: [] }
    const owed = 2 ** 51 + 12_345
    const closings = [{ ...dust }, { ...short }]
    const left = shareDeficit(closings, owed, new Map([[1, rich]]))
    const [borne, other] = closings.map(({ deficitMicros }) => deficitMicros)
    assert.equal(borne! + other! + left, owed)
    const price = (BigInt(5 + borne!) * BigInt(lotsPerContract)) / BigInt(lots)
    assert.ok(price < BigInt(Number.MAX_SAFE_INTEGER), `${lots} lots at ${price}`)
    if (lots < lotsPerContract / 4) {
      assert.equal(other, 40)
      const oneMore = (BigInt(6 + borne!) * BigInt(lotsPerContract)) / BigInt(lots)
      assert.ok(
        oneMore >= BigInt(Number.MAX_SAFE_INTEGER) - 1n,
        'the long bears all that a price can express',
      )
    }
  }
})

test('divisions round as their names say, on both sides of 0', () => {
  assert.deepEqual([floorDiv(-7n, 2n), ceilDiv(-7n, 2n), halfEvenDiv(-7n, 2n)], [-4n, -3n, -4n])
  assert.deepEqual([floorDiv(5n, 2n), ceilDiv(5n, 2n), halfEvenDiv(5n, 2n)], [2n, 3n, 2n])
  assert.deepEqual([atLeast(1.05, 100), atLeast(1.05, 101), atLeast(1.1, 0)], [105, 107, 0])
})

function partyOf(
  other: { readonly size: number; readonly entry_price: number; readonly equity: number },
  mark: number,
  account: number,
): Counterparty {
  return {
    account,
    sizeLots: other.size * lotsPerContract,
    unrealizedMicros: usd((mark - other.entry_price) * other.size),
    entryMicros: usd(other.entry_price * other.size),
    valueMicros: usd(mark * other.size),
    equityMicros: usd(other.equity),
  }
}

test('an offer exceeds the fund from the first millisecond at which the fund cannot pay it', () => {
  const base = { maintenanceMicros: 5_000e6, begunMillis: 0, insolventMillis: 1_000 }
  for (const equityMicros of [-1, -1e6, -1_000e6, -4_999_999_999]) {
    const whole = base.maintenanceMicros - equityMicros
    for (const heldMicros of [0, 1, 1e6, 3_000e6, whole - 1]) {
      const after = unpayableAfter(parameters, whole, heldMicros)
      const offerAt = (millis: number) =>
        insolventMicros(parameters, { ...base, equityMicros, nowMillis: 1_000 + millis })
      assert.ok(offerAt(after) > heldMicros, `${whole} of ${heldMicros}`)
      assert.ok(offerAt(after - 1) <= heldMicros, `${whole} of ${heldMicros}`)
    }
    assert.equal(unpayableAfter(parameters, whole, whole), Number.POSITIVE_INFINITY)
  }
})
