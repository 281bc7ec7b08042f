import { priceIndexMax } from '../../engine/matching/price-grid.js'
import { sizeLotsMax } from '../../schemas/bounds.js'
import type { CommandKind } from './book-command.js'

/** Shape of a random flow. Chances are parts of one, weights are relative. */
export interface BookProfile {
  /** Frequency of this profile, relative to the others. */
  readonly share: number
  /** Commands of an episode; fewer where books are deep and the plain ones slow. */
  readonly commands: number
  readonly instruments: number
  readonly accounts: number
  /** Middles of the prices, as places on the price grid; an episode takes one. */
  readonly middles: readonly number[]
  readonly spreadIndexes: number
  /** Chance of a price on the other side of the middle. */
  readonly crossing: number
  readonly sizes: readonly number[]
  readonly reduceOnly: number
  /** Chance of an order to be under protection, and of one of those to count as taker. */
  readonly mmpEnabled: number
  readonly takerCounts: number
  /** Above this, orders are cancelled more often than placed. */
  readonly restingMax: number
  /** Commands of a round, at most. */
  readonly roundMax: number
  readonly weights: Readonly<Record<Exclude<CommandKind, 'round'>, number>>
}

// Prices where something ends: the grid, a decade of it, a node of the level index of either side
// (the keys of buys count down from 2^20 - 1).
const gridEnds = [1, 3, priceIndexMax, priceIndexMax - 2]
const decadeEnds = [99_999, 100_000, 189_999, 190_000, 279_999, 280_000, 909_999, 910_000]
const nodeEnds = [31, 32, 63, 1023, 1024, 32_767, 32_768, 65_536, 524_287, 524_288, 983_040]
const borders = [...gridEnds, ...decadeEnds, ...nodeEnds]
const everywhere = [250_000]

const few = [1, 2, 3, 5, 8, 13, 21]
/** Limits are whole micros of a contract: a hundred lots. */
const protectedSizes = [30, 100, 150, 300, 550, 900, 7_000]
const extremes = [1, 2, 3, 99_999_999, 100_000_000, sizeLotsMax - 1, sizeLotsMax]

const calm = { protect: 0, unprotect: 0, resetMmp: 0 }
const amends = { replace: 20, cancel: 18, cancelAll: 1 }
const weights = { place: 60, decide: 5, ...amends, close: 0.2, move: 1, ...calm }

const narrow: BookProfile = {
  share: 40,
  commands: 20_000,
  instruments: 1,
  accounts: 4,
  middles: borders,
  spreadIndexes: 9,
  crossing: 0.2,
  sizes: few,
  reduceOnly: 0,
  mmpEnabled: 0,
  takerCounts: 0,
  restingMax: 18,
  roundMax: 6,
  weights,
}

export const bookProfiles: Readonly<Record<string, BookProfile>> = {
  narrow,
  oneLevel: { ...narrow, share: 8, spreadIndexes: 1, crossing: 0.1, restingMax: 25 },
  reducing: {
    ...narrow,
    share: 25,
    reduceOnly: 0.5,
    accounts: 3,
    weights: { ...weights, move: 6 },
  },
  reducingBooks: { ...narrow, share: 8, reduceOnly: 0.4, instruments: 3, roundMax: 40 },
  protecting: {
    ...narrow,
    share: 15,
    accounts: 3,
    sizes: protectedSizes,
    mmpEnabled: 0.7,
    takerCounts: 0.3,
    roundMax: 12,
    weights: { ...weights, protect: 3, unprotect: 0.3, resetMmp: 2 },
  },
  protectingBooks: {
    ...narrow,
    share: 15,
    instruments: 5,
    accounts: 3,
    sizes: protectedSizes,
    mmpEnabled: 0.8,
    takerCounts: 0.1,
    reduceOnly: 0.15,
    restingMax: 40,
    roundMax: 40,
    weights: { ...weights, protect: 3, unprotect: 0.3, resetMmp: 3 },
  },
  // Cancels by protection affect the size that reduce-only orders lose.
  protectingReducing: {
    ...narrow,
    share: 10,
    accounts: 2,
    sizes: protectedSizes,
    reduceOnly: 0.5,
    mmpEnabled: 0.5,
    takerCounts: 0.2,
    restingMax: 30,
    weights: { ...weights, decide: 15, move: 8, protect: 6, unprotect: 0.3, resetMmp: 15 },
  },
  extremes: { ...narrow, share: 8, sizes: extremes, reduceOnly: 0.2 },
  wide: {
    ...narrow,
    share: 8,
    middles: everywhere,
    spreadIndexes: priceIndexMax,
    crossing: 0.35,
    restingMax: 30,
  },
  books: { ...narrow, share: 6, instruments: 6, accounts: 5, roundMax: 256 },
  deep: {
    ...narrow,
    share: 5,
    commands: 6_000,
    spreadIndexes: 120,
    crossing: 0.03,
    accounts: 12,
    restingMax: 400,
    weights: { ...weights, place: 80, cancelAll: 0.1, close: 0.02 },
  },
  deepReducing: {
    ...narrow,
    share: 5,
    commands: 4_000,
    spreadIndexes: 20,
    crossing: 0.05,
    reduceOnly: 0.5,
    restingMax: 150,
    weights: { ...weights, place: 80, cancelAll: 0.1, close: 0.02, move: 4 },
  },
  // A thousand levels all over the grid: every node of the level index has several children.
  deepWide: {
    ...narrow,
    share: 1,
    commands: 5_000,
    middles: everywhere,
    spreadIndexes: priceIndexMax,
    crossing: 0.02,
    accounts: 12,
    restingMax: 1_000,
    weights: { ...weights, place: 120, cancelAll: 0.1, close: 0.02 },
  },
  // Some 900 orders of the greatest size on one level reach the 2^53 where a total saturates.
  saturated: {
    ...narrow,
    share: 0.6,
    commands: 5_000,
    middles: [500_000],
    spreadIndexes: 1,
    crossing: 0.02,
    accounts: 40,
    sizes: [sizeLotsMax],
    restingMax: 2_200,
    weights: { ...weights, place: 120, replace: 8, cancel: 5, cancelAll: 0, close: 0 },
  },
}
