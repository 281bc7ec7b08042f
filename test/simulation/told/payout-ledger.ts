import { clipped } from '../../../engine/memory/exact-sum.js'
import {
  type AnyEvent,
  EventType,
  PayoutEvent,
  SettlementEvent,
} from '../../../schemas/generated/events.js'
import { SettlementPhase } from '../../../schemas/record-values.js'
import { mustHold } from '../run/simulation-errors.js'

const payout = new PayoutEvent()
const settlement = new SettlementEvent()

/** A payout, or the end of an expiry with what rounding left: `id` is 0 then. */
interface Entry {
  readonly seq: number
  readonly id: number
  readonly account: number
  readonly instrument: number
  readonly micros: number
  /** What the value was lowered by; at the end of an expiry all of it. */
  readonly borneMicros: number
}

/** What a wallet was owed in an expiry, positions of it in sum, below 0 what it owed; and what it got less. */
interface Share {
  owedMicros: bigint
  borneMicros: bigint
}

/**
 * All payouts as a history store sees them: numbered without a gap, none of a position that was paid already, and
 * each expiry, with its dust, adding up to zero. Expiries are paid one after another. Those who owe in sum pay before
 * anybody is paid, and what is not paid is borne in proportion to what wallets are owed in sum.
 */
export class PayoutLedger {
  readonly #entries: Entry[] = []
  /** Payouts up to this one may have been lost. */
  #passed = 0

  /** Expiries that were settled. */
  get settledCount(): number {
    return this.#entries.filter(({ id }) => id === 0).length
  }

  get payoutCount(): number {
    return this.#entries.length - this.settledCount
  }

  /** Payouts that were lowered. */
  get loweredCount(): number {
    return this.#entries.filter(({ id, borneMicros }) => id > 0 && borneMicros > 0).length
  }

  /** Takes one event, in order; others than payouts and settlements mean nothing to it. */
  take(event: AnyEvent): void {
    const { seq, recordType } = event
    // What was taken and not flushed before a crash is told again.
    if (seq <= (this.#entries.at(-1)?.seq ?? 0)) return
    if (recordType === EventType.Payout) {
      const { payoutId, account, instrument, valueMicros, borneMicros } = payout.of(event)
      this.#pay({ seq, id: payoutId, account, instrument, micros: valueMicros, borneMicros })
    } else if (recordType === EventType.Settlement) {
      const { phase, dustMicros, borneMicros } = settlement.of(event)
      if (phase !== SettlementPhase.Settled) return
      this.#settle({ seq, id: 0, account: -1, instrument: -1, micros: dustMicros, borneMicros })
    }
  }

  /** A crash took back what came after: it was never durable. */
  forgetAfter(seq: number): void {
    while ((this.#entries.at(-1)?.seq ?? 0) > seq) this.#entries.pop()
  }

  /** Behind an accepted loss numbers go on above what was seen. */
  pass(payoutCount: number): void {
    this.#passed = payoutCount
  }

  #pay(entry: Entry): void {
    const { id, account, instrument } = entry
    const known = this.#entries.findLast((other) => other.id > 0)?.id ?? 0
    const last = Math.max(known, this.#passed)
    mustHold(id === last + 1, () => `payout ${id} follows ${last}`)
    const before = this.#entries.find(
      (other) => other.account === account && other.instrument === instrument,
    )
    const again = () => `payout ${id} pays ${account}/${instrument} again, after ${before?.id}`
    mustHold(before === undefined, again)
    this.#entries.push(entry)
  }

  #settle(entry: Entry): void {
    const first = this.#entries.findLastIndex(({ id }) => id === 0) + 1
    const paid = this.#entries.slice(first)
    const shares = sharesOf(paid)
    const borne = total(shares.map(({ borneMicros }) => borneMicros))
    // What is borne was owed by wallets that could not pay it: their own values say the whole. In sum it may be more
    // than a double holds: then the most that one does is told.
    const isTold = clipped(borne) === entry.borneMicros
    mustHold(isTold, () => `an expiry lowered ${borne}, and told ${entry.borneMicros}`)
    const sum = total(paid.map(({ micros }) => BigInt(micros))) + BigInt(entry.micros) + borne
    mustHold(sum === 0n, () => `an expiry and its dust add up to ${sum} micros`)
    const isSmall = Math.abs(entry.micros) * 2 <= paid.length
    mustHold(isSmall, () => `${entry.micros} micros of dust of ${paid.length} payouts`)
    checkShares(shares, borne)
    this.#entries.push(entry)
  }
}

/** By wallet, in the order in which they were paid. */
function sharesOf(paid: readonly Entry[]): Share[] {
  const shares = new Map<number, Share>()
  for (const { account, micros, borneMicros } of paid) {
    mustHold(borneMicros >= 0, () => `account ${account} bore ${borneMicros}`)
    const share = shares.get(account) ?? { owedMicros: 0n, borneMicros: 0n }
    share.owedMicros += BigInt(micros) + BigInt(borneMicros)
    share.borneMicros += BigInt(borneMicros)
    shares.set(account, share)
  }
  return [...shares.values()]
}

function checkShares(shares: readonly Share[], borne: bigint): void {
  const firstPaid = shares.findIndex(({ owedMicros }) => owedMicros >= 0n)
  const late = shares.findLastIndex(({ owedMicros }) => owedMicros < 0n)
  mustHold(firstPaid < 0 || late < firstPaid, () => 'somebody was paid before all have paid')
  const owed = total(shares.map(({ owedMicros }) => (owedMicros > 0n ? owedMicros : 0n)))
  for (const share of shares) {
    const owedMicros = share.owedMicros > 0n ? share.owedMicros : 0n
    const difference = share.borneMicros * owed - borne * owedMicros
    const isFair = difference <= owed && -difference <= owed
    const what = () => `${share.borneMicros} of ${borne} were borne of ${owedMicros} of ${owed}`
    mustHold(isFair, what)
  }
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}
