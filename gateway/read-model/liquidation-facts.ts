import { eventMillisAt, eventSeqAt } from '../../schemas/events.js'
import {
  auctionAccountAt,
  auctionChangeAt,
  auctionNumberAt,
  auctionRequiredMicrosAt,
  auctionVersionAt,
  liquidationAccountAt,
  liquidationAuctionAt,
  liquidationAuctionMillisAt,
  liquidationBeforeModeAt,
  liquidationBeforeStateAt,
  liquidationBonusBpsAt,
  liquidationBonusMicrosAt,
  liquidationChangeAt,
  liquidationClockMillisAt,
  liquidationCountAt,
  liquidationDeadlineMillisAt,
  liquidationDeleveragedMicrosAt,
  liquidationEnteredMillisAt,
  liquidationEquityMicrosAt,
  liquidationFeeMicrosAt,
  liquidationInsolventMillisAt,
  liquidationInsuranceMicrosAt,
  liquidationIsStandingAt,
  liquidationIsWaitingAt,
  liquidationMarginModeAt,
  liquidationMmMicrosAt,
  liquidationModeAt,
  liquidationNeededMicrosAt,
  liquidationPositionBytes,
  liquidationPositionEntryMicrosAt,
  liquidationPositionInstrumentAt,
  liquidationPositionLotsAt,
  liquidationPositionsAt,
  liquidationRepricedMillisAt,
  liquidationSharedMicrosAt,
  liquidationStateAt,
  liquidationTargetMicrosAt,
  liquidationUncoveredMicrosAt,
  liquidationVersionAt,
  liquidationWalletAt,
  liquidationWinnerAt,
} from '../../schemas/liquidation.js'
import { formatAddress, isZeroAddress } from '../../schemas/wallet.js'
import type { EventRecords } from './event-text.js'

/** A position of a wallet in auction, by instrument id. */
export interface HeldPosition {
  readonly instrument: number
  readonly lots: number
  readonly entryMicros: number
}

/** A Liquidation event as plain values. Amounts are micros, times Unix milliseconds, 0 where there is none. */
export interface LiquidationFacts {
  readonly seq: number
  readonly millis: number
  readonly account: number
  readonly wallet: string
  readonly change: number
  readonly beforeState: number
  readonly beforeMode: number
  readonly state: number
  readonly mode: number
  readonly marginMode: number
  readonly equityMicros: number
  readonly mmMicros: number
  readonly enteredMillis: number
  readonly deadlineMillis: number
  readonly targetMicros: number
  readonly repricedMillis: number
  readonly bonusBps: number
  readonly auction: number
  readonly auctionMillis: number
  readonly version: number
  readonly neededMicros: number
  readonly insolventMillis: number
  /** null without one. */
  readonly winner: string | null
  readonly bonusMicros: number
  readonly insuranceMicros: number
  readonly deleveragedMicros: number
  readonly uncoveredMicros: number
  readonly feeMicros: number
  /** Time by which grace, partial phase and auction run. */
  readonly clockMillis: number
  readonly sharedMicros: number
  readonly isWaiting: boolean
  /** Whether that time stands still, since a market of its positions is closed. */
  readonly isStanding: boolean
  readonly positions: readonly HeldPosition[]
}

/** An Auction event, the terms of a running auction. */
export interface AuctionFacts {
  readonly account: number
  readonly change: number
  readonly auction: number
  readonly version: number
  readonly requiredMicros: number
  readonly valuationMillis: number
}

/** Reads the Liquidation event at `at`; nothing of the log is kept. */
export function liquidationFacts(log: EventRecords, at: number): LiquidationFacts {
  const { f64, i32, u8 } = log
  const amount = (offset: number) => f64[(at + offset) >> 3]!
  const number = (offset: number) => i32[(at + offset) >> 2]!
  const winnerAt = at + liquidationWinnerAt
  return {
    seq: amount(eventSeqAt),
    millis: amount(eventMillisAt),
    account: number(liquidationAccountAt),
    wallet: formatAddress(u8, at + liquidationWalletAt),
    change: number(liquidationChangeAt),
    beforeState: number(liquidationBeforeStateAt),
    beforeMode: number(liquidationBeforeModeAt),
    state: number(liquidationStateAt),
    mode: number(liquidationModeAt),
    marginMode: number(liquidationMarginModeAt),
    equityMicros: amount(liquidationEquityMicrosAt),
    mmMicros: amount(liquidationMmMicrosAt),
    enteredMillis: amount(liquidationEnteredMillisAt),
    deadlineMillis: amount(liquidationDeadlineMillisAt),
    targetMicros: amount(liquidationTargetMicrosAt),
    repricedMillis: amount(liquidationRepricedMillisAt),
    bonusBps: number(liquidationBonusBpsAt),
    auction: amount(liquidationAuctionAt),
    auctionMillis: amount(liquidationAuctionMillisAt),
    version: amount(liquidationVersionAt),
    neededMicros: amount(liquidationNeededMicrosAt),
    insolventMillis: amount(liquidationInsolventMillisAt),
    winner: isZeroAddress(u8, winnerAt) ? null : formatAddress(u8, winnerAt),
    bonusMicros: amount(liquidationBonusMicrosAt),
    insuranceMicros: amount(liquidationInsuranceMicrosAt),
    deleveragedMicros: amount(liquidationDeleveragedMicrosAt),
    uncoveredMicros: amount(liquidationUncoveredMicrosAt),
    feeMicros: amount(liquidationFeeMicrosAt),
    clockMillis: amount(liquidationClockMillisAt),
    sharedMicros: amount(liquidationSharedMicrosAt),
    isStanding: number(liquidationIsStandingAt) === 1,
    isWaiting: number(liquidationIsWaitingAt) === 1,
    positions: Array.from({ length: number(liquidationCountAt) }, (_, index) => {
      const position = at + liquidationPositionsAt + index * liquidationPositionBytes
      return {
        instrument: i32[(position + liquidationPositionInstrumentAt) >> 2]!,
        lots: f64[(position + liquidationPositionLotsAt) >> 3]!,
        entryMicros: f64[(position + liquidationPositionEntryMicrosAt) >> 3]!,
      }
    }),
  }
}

/** Reads the Auction event at `at`. */
export function auctionFacts({ f64, i32 }: EventRecords, at: number): AuctionFacts {
  return {
    account: i32[(at + auctionAccountAt) >> 2]!,
    change: i32[(at + auctionChangeAt) >> 2]!,
    auction: f64[(at + auctionNumberAt) >> 3]!,
    version: f64[(at + auctionVersionAt) >> 3]!,
    requiredMicros: f64[(at + auctionRequiredMicrosAt) >> 3]!,
    valuationMillis: f64[(at + eventMillisAt) >> 3]!,
  }
}
