import { randomFrom } from '../book-replay/book-flow.js'
import { type LoadInstrument, legalPriceMicros } from './load-market.js'

/** Kind of a planned command, named by `loadKindNames`. */
export const LoadKind = { Place: 0, Cancel: 1, Replace: 2, Take: 3 } as const
export type LoadKind = (typeof LoadKind)[keyof typeof LoadKind]
export const loadKindNames = ['place', 'cancel', 'replace', 'take'] as const

/** Weights of the kinds. Only their ratios matter. */
export type LoadMix = Readonly<Record<(typeof loadKindNames)[number], number>>

export interface CommandPlanOptions {
  /** Number of commands, including the ramp. */
  readonly count: number
  readonly wallets: number
  readonly instruments: readonly LoadInstrument[]
  readonly mix: LoadMix
  /** Number of orders that the first commands place, and that stay open from then on. */
  readonly openOrders: number
  /** Minimum distance, in commands, between an order and a cancel or replace of it. */
  readonly settleCommands: number
  readonly seed: number
}

const lotsPerStep = 1_000_000 // a hundredth of a contract
const placeStepsMin = 50
const placeStepsSpan = 50
// A resting order is larger than several takes, so that cancels and replaces mostly find their order.
const takeStepsSpan = 10
const spreadMin = 0.02
const spreadSpan = 0.1
/** Takes reach beyond every resting order of the plan. */
const takeReach = 0.2
/** Relative deviation of planned from wanted open orders at which a drawn kind is changed. */
const openTolerance = 0.02
const noTarget = -1

//  0      count    2 count
//  | kind | side   | wallet u16 | instrument u16 | target i32 | price f64 | size f64 |
const bytesPerCommand = 1 + 1 + 2 + 2 + 4 + 8 + 8
const slackBytes = 6 * 8

/**
 * All commands of a run in columns, planned before it from a seed. The same options give the same plan. The columns are in
 * shared memory, which the signing threads read.
 */
export class CommandPlan {
  readonly count: number
  readonly memory: SharedArrayBuffer
  readonly kind: Uint8Array
  /** 0 buy, 1 sell. */
  readonly side: Uint8Array
  readonly wallet: Uint16Array
  readonly instrument: Uint16Array
  /** Index of the order that a cancel or replace names; -1 for other kinds. */
  readonly target: Int32Array
  readonly priceMicros: Float64Array
  readonly sizeLots: Float64Array

  constructor(count: number, memory = new SharedArrayBuffer(count * bytesPerCommand + slackBytes)) {
    this.count = count
    this.memory = memory
    let at = 0
    const take = (bytes: number) => {
      const begin = at
      at = Math.ceil((at + bytes) / 8) * 8
      return begin
    }
    this.priceMicros = new Float64Array(memory, take(8 * count), count)
    this.sizeLots = new Float64Array(memory, take(8 * count), count)
    this.target = new Int32Array(memory, take(4 * count), count)
    this.wallet = new Uint16Array(memory, take(2 * count), count)
    this.instrument = new Uint16Array(memory, take(2 * count), count)
    this.kind = new Uint8Array(memory, take(count), count)
    this.side = new Uint8Array(memory, take(count), count)
  }
}

/** Plans a run: first `openOrders` places, then the mix at about that number of open orders. */
export function planCommands(options: CommandPlanOptions): CommandPlan {
  const plan = new CommandPlan(options.count)
  const random = randomFrom(options.seed)
  const open = new OpenPlan(options.settleCommands)
  for (let i = 0; i < options.count; i++) {
    open.advance(i)
    const kind = i < options.openOrders ? LoadKind.Place : drawKind(options, open, random)
    const target =
      kind === LoadKind.Cancel || kind === LoadKind.Replace ? open.takeSettled(random) : noTarget
    plan.kind[i] = kind
    plan.target[i] = target
    if (target === noTarget) {
      plan.wallet[i] = Math.floor(random() * options.wallets)
      plan.instrument[i] = Math.floor(random() * options.instruments.length)
    } else {
      plan.wallet[i] = plan.wallet[target]
      plan.instrument[i] = plan.instrument[target]
    }
    drawTerms(plan, i, options.instruments, random)
    if (kind === LoadKind.Place || kind === LoadKind.Replace) open.add(i)
  }
  return plan
}

/** Orders that the plan assumes to be open. Young ones are not yet named by cancels and replaces. */
class OpenPlan {
  readonly #settleCommands: number
  readonly #settled: number[] = []
  #young: number[] = []
  #youngAt = 0

  constructor(settleCommands: number) {
    this.#settleCommands = settleCommands
  }

  get count(): number {
    return this.#settled.length + this.#young.length - this.#youngAt
  }

  get settledCount(): number {
    return this.#settled.length
  }

  add(index: number): void {
    this.#young.push(index)
  }

  advance(index: number): void {
    const young = this.#young
    while (this.#youngAt < young.length && young[this.#youngAt] + this.#settleCommands <= index) {
      this.#settled.push(young[this.#youngAt++])
    }
    if (this.#youngAt > 4096 && this.#youngAt * 2 > young.length) {
      this.#young = young.slice(this.#youngAt)
      this.#youngAt = 0
    }
  }

  takeSettled(random: () => number): number {
    const settled = this.#settled
    const place = Math.floor(random() * settled.length)
    const index = settled[place]
    settled[place] = settled[settled.length - 1]
    settled.pop()
    return index
  }
}

function drawKind(
  { mix, openOrders }: CommandPlanOptions,
  open: OpenPlan,
  random: () => number,
): LoadKind {
  const draw = random() * (mix.place + mix.cancel + mix.replace + mix.take)
  let kind: LoadKind = LoadKind.Place
  if (draw >= mix.place) kind = LoadKind.Cancel
  if (draw >= mix.place + mix.cancel) kind = LoadKind.Replace
  if (draw >= mix.place + mix.cancel + mix.replace) kind = LoadKind.Take
  if (kind === LoadKind.Take) return kind
  if (kind === LoadKind.Place && open.count > openOrders * (1 + openTolerance)) {
    kind = LoadKind.Cancel
  } else if (kind === LoadKind.Cancel && open.count < openOrders * (1 - openTolerance)) {
    kind = LoadKind.Place
  }
  return open.settledCount === 0 ? LoadKind.Place : kind
}

function drawTerms(
  plan: CommandPlan,
  i: number,
  instruments: readonly LoadInstrument[],
  random: () => number,
): void {
  const instrument = instruments[plan.instrument[i]]
  const isTake = plan.kind[i] === LoadKind.Take
  const isSell = random() < 0.5
  const distance = spreadMin + random() * spreadSpan
  plan.side[i] = isSell ? 1 : 0
  // Resting orders are away from the middle on their own side. Takes cross all of them.
  const shift = isTake ? (isSell ? -takeReach : takeReach) : isSell ? distance : -distance
  plan.priceMicros[i] = legalPriceMicros(instrument, instrument.middleMicros * (1 + shift))
  const steps = isTake
    ? 1 + Math.floor(random() * takeStepsSpan)
    : placeStepsMin + Math.floor(random() * placeStepsSpan)
  plan.sizeLots[i] = steps * lotsPerStep
}
