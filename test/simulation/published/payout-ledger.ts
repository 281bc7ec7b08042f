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

/** Payout, or end of an expiry with its rounding dust, for which `id` is 0. */
interface Entry {
  readonly seq: number
  readonly id: number
  readonly account: number
  readonly instrument: number
  readonly micros: number
  /** Amount by which the value was lowered; at the end of an expiry the total. */
  readonly borneMicros: number
}

/** Net amount that a wallet is owed in an expiry, negative if it owes; and the reduction of its payouts. */
interface Share {
  owedMicros: bigint
  borneMicros: bigint
}

/**
 * Checks all payouts, as a history store sees them. They are numbered without a gap, no position is paid twice, and
 * each expiry adds up to zero with its dust. Expiries are paid one after another. Net debtors pay before anybody is
 * paid, and the unpaid rest is borne in proportion to what wallets are owed net.
 */
export class PayoutLedger {
  readonly #entries: Entry[] = []
  /** Payouts up to this one may have been lost. */
  #passed = 0

  /** Number of settled expiries. */
  get settledCount(): number {
    return this.#entries.filter(({ id }) => id === 0).length
  }

  get payoutCount(): number {
    return this.#entries.length - this.settledCount
  }

  /** Number of lowered payouts. */
  get loweredCount(): number {
    return this.#entries.filter(({ id, borneMicros }) => id > 0 && borneMicros > 0).length
  }

  /** Handles events in order and ignores types other than payouts and settlements. */
  take(event: AnyEvent): void {
    const { seq, recordType } = event
    // Events read but not flushed before a crash come again.
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

  /** Drops the events after `seq`: they were lost in a crash, so they were never durable. */
  forgetAfter(seq: number): void {
    while ((this.#entries.at(-1)?.seq ?? 0) > seq) this.#entries.pop()
  }

  /** Continues, after an accepted loss, with numbers above those seen. */
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
    // Wallets that could not pay owed the borne amount; their own values state it in full. The sum may exceed a double,
    // so the published total is clamped to the maximum.
    const isTold = clipped(borne) === entry.borneMicros
    mustHold(isTold, () => `an expiry lowered ${borne}, and published ${entry.borneMicros}`)
    const sum = total(paid.map(({ micros }) => BigInt(micros))) + BigInt(entry.micros) + borne
    mustHold(sum === 0n, () => `an expiry and its dust add up to ${sum} micros`)
    const isSmall = Math.abs(entry.micros) * 2 <= paid.length
    mustHold(isSmall, () => `${entry.micros} micros of dust of ${paid.length} payouts`)
    checkShares(shares, borne)
    this.#entries.push(entry)
  }
}

/** Returns the shares by wallet, in the order of payment. */
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
