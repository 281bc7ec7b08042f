import { InstrumentState, OrderStatus, RfqStatus } from './domain.js'
import { LiquidationState } from './record-values.js'

// State transitions and their conditions. The engine's simulation and the end-to-end tests check published states
// against these tables, and the interface documents are generated from them.

/** One transition; `from` is null at the start. */
export interface StateMove<State> {
  readonly from: State | null
  readonly to: State
  /** Condition in words. */
  readonly when: string
}

const { Acked, Canceled, Filled, Open, PartiallyFilled, Rejected } = OrderStatus
const working = [Acked, Open, PartiallyFilled]

export const orderMoves: readonly StateMove<OrderStatus>[] = [
  { from: null, to: Rejected, when: 'a check fails: it has no id, and `reason` says which one' },
  {
    from: null,
    to: Acked,
    when: 'it is accepted: it has its id, and waits for quotes where it is in an auction',
  },
  {
    from: Acked,
    to: Open,
    when: 'it rests on the book and has not traded; the direct answer still says ACKED',
  },
  ...movesFrom(working, PartiallyFilled, 'a part has traded, and the rest works'),
  ...movesFrom(working, Filled, 'all of it has traded'),
  ...movesFrom(
    working,
    Canceled,
    'it is cancelled or replaced; or the rest of `ioc` or `fok`, protection, self-trade prevention, expiry, delisting or ' +
      'liquidation ends it',
  ),
]

const { Active, Deleted, ExpiredPendingPrice, Settled } = InstrumentState

export const instrumentMoves: readonly StateMove<InstrumentState>[] = [
  { from: null, to: Active, when: 'the operator lists it: MarketUpdate `Created`' },
  {
    from: Active,
    to: ExpiredPendingPrice,
    when: 'its expiry has passed, at a start too: its orders are cancelled, new ones rejected; MarketUpdate `Expired`',
  },
  {
    from: ExpiredPendingPrice,
    to: Settled,
    when: 'its price is known and every position is paid: a payout and PositionExpired for each wallet',
  },
  ...movesFrom(
    [Active, ExpiredPendingPrice, Settled],
    Deleted,
    'the operator delists it, without a position: its orders are cancelled; MarketUpdate `Deleted`',
  ),
]

const { Accepted, Created, Executed, Expired, Failed, NoQuotes, QuotesReceived, SentToQps } =
  RfqStatus
const asked = [SentToQps, QuotesReceived]

export const rfqMoves: readonly StateMove<RfqStatus>[] = [
  { from: null, to: Created, when: 'it passes the checks of a request' },
  {
    from: Created,
    to: SentToQps,
    when: 'a provider other than the taker is connected: all of them are asked',
  },
  { from: Created, to: NoQuotes, when: 'none is' },
  {
    from: SentToQps,
    to: QuotesReceived,
    when: 'the first valid quote that does not execute by itself',
  },
  ...movesFrom(
    asked,
    Accepted,
    'an acceptance passes its checks; of one with a limit, a valid quote is eligible',
  ),
  { from: Accepted, to: Executed, when: 'all legs have traded, in the same step' },
  {
    from: SentToQps,
    to: NoQuotes,
    when: 'all that were asked have declined or left, or the time for quotes has ended',
  },
  {
    from: QuotesReceived,
    to: Expired,
    when: 'it expires; or the time for quotes ends, and no quote is live or it has a limit',
  },
  ...movesFrom(
    asked,
    Failed,
    'margin, cap or tier of the taker fails at the trade; a leg expires, is delisted or halted; the taker is in ' +
      'liquidation, or cancels all',
  ),
]

const { Healthy, InLiquidation, Liquidated, PreLiquidation } = LiquidationState

export const liquidationMoves: readonly StateMove<LiquidationState>[] = [
  { from: Healthy, to: PreLiquidation, when: 'equity is below the maintenance margin' },
  { from: PreLiquidation, to: Healthy, when: 'it is healthy again' },
  {
    from: PreLiquidation,
    to: InLiquidation,
    when: 'the grace period has ended (`partial`), or equity is not above 0 (`full`)',
  },
  {
    from: InLiquidation,
    to: InLiquidation,
    when: 'partial liquidation has not helped in its time, or cannot: all of the account goes to auction (`full`)',
  },
  { from: InLiquidation, to: Healthy, when: 'it is healthy again' },
  { from: InLiquidation, to: Liquidated, when: 'the account is cleared' },
  { from: Liquidated, to: Healthy, when: 'it is funded again' },
]

/** Returns true if a transition is allowed. */
export function isMove<State>(
  moves: readonly StateMove<State>[],
  from: State | null,
  to: State,
): boolean {
  return moves.some((move) => move.from === from && move.to === to)
}

// Function declarations, because the tables above are built while this file loads.

function movesFrom<State>(
  states: readonly State[],
  to: State,
  when: string,
): readonly StateMove<State>[] {
  return states.map((from) => ({ from, to, when }))
}
