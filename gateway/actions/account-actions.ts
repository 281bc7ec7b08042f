import { intervalMillisMax, limitMicrosMax } from '../../engine/matching/mmp-window.js'
import {
  agentAddressAt,
  agentCommandBytes,
  marginModeAt,
  revokeAllAgentsBytes,
  selfTradeModeAt,
  setMarginModeBytes,
  setSelfTradeBytes,
  setTierBytes,
  tierAt,
} from '../../schemas/commands.js'
import {
  marginModeNames,
  selfTradeModeNames,
  tierInputs,
  tiersOfInputs,
} from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import {
  bidAuctionAt,
  bidCountAt,
  bidIntentAt,
  bidIntentBytesAt,
  bidIntentBytesMax,
  bidLiquidatedAt,
  bidMicrosAt,
  bidPositionBytes,
  bidPositionEntryMicrosAt,
  bidPositionLotsAt,
  bidPositionsAt,
  bidValuationMillisAt,
  bidVersionAt,
} from '../../schemas/liquidation.js'
import {
  endMmpBytes,
  mmpFrozenMillisAt,
  mmpIntervalMillisAt,
  mmpLimitsAt,
  mmpUnderlyingAt,
  setMmpBytes,
} from '../../schemas/mmp.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { payoutIdsMax, seenCountAt, seenIdsAt, seenValueAt } from '../../schemas/settlement.js'
import { Envelope } from '../wire/answers.js'
import { auctionOfText } from '../wire/auction-ids.js'
import { writeAscii, writeKey } from '../wire/instrument-key.js'
import { invalidField } from '../wire/request-fields.js'
import type {
  AgentAnswer,
  BidAnswer,
  MarginModeAnswer,
  MmpConfig,
  PayoutsSeenAnswer,
  SelfTradeAnswer,
  UserTier,
} from '../wire/wire-types.js'
import { type Action, action, answers } from './action.js'
import { type BidPosition, bidPositions } from './bid-positions.js'
import {
  agent,
  asReceived,
  boolean,
  choice,
  count,
  field,
  integer,
  limit,
  optional,
  printable,
  signedAmount,
  signedAs,
  text,
  underlying,
  unsigned,
  uuid,
  wallet,
} from './fields.js'

const auctionIdCharsMax = 64
const mmpLimit = optional(limit(limitMicrosMax), 0)
const agentFields = { agent, wallet: optional(unsigned(wallet), null) }

/** Ids of payouts in the order of the request, repeats kept: so they are signed. */
const payoutIds = field({
  schema: {
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    minItems: 1,
    maxItems: payoutIdsMax,
  },
  kind: 'any',
  signedType: 'string',
  sign: (ids) => ids.join(','),
  typeFault(ids) {
    const isList = Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id))
    if (isList && ids.length >= 1 && ids.length <= payoutIdsMax) return null
    return `must be a list of 1 to ${payoutIdsMax} whole numbers`
  },
  read: (ids, name) =>
    ids.every((id) => id >= 1) ? ids : invalidField(name, 'must be numbers from 1 on'),
})

/** The signed writes of an account, under the struct that is signed: a row says all that follows from none other. */
export const accountActions = {
  /** Which model the wallet's book is judged by. */
  SetMarginMode: action('SetMarginMode', {
    endpoint: ['POST', '/margin-mode'],
    fields: { wallet, margin_mode: choice(marginModeNames) },
    command: CommandType.SetMarginMode,
    bytes: setMarginModeBytes,
    write: ({ i32 }, at, values) => {
      i32[(at + marginModeAt) >> 2] = values.margin_mode
    },
    isOwnersResort: true,
    answer: answers<MarginModeAnswer>(),
  }),
  /** What happens when the wallet would trade with itself. */
  SetSelfTradePrevention: action('SetSelfTradePrevention', {
    endpoint: ['POST', '/self-trade-prevention'],
    fields: { wallet, mode: choice(selfTradeModeNames) },
    command: CommandType.SetSelfTrade,
    bytes: setSelfTradeBytes,
    write: ({ i32 }, at, values) => {
      i32[(at + selfTradeModeAt) >> 2] = values.mode
    },
    isOwnersResort: true,
    answer: answers<SelfTradeAnswer>(),
  }),
  /** The wallet is the one whose tier changes; the nonce counts for the signer. */
  SetUserTier: action('SetUserTier', {
    endpoint: ['POST', '/user-tier'],
    fields: { wallet, tier: choice(tierInputs) },
    command: CommandType.SetUserTier,
    bytes: setTierBytes,
    write: ({ i32 }, at, values) => {
      i32[(at + tierAt) >> 2] = tiersOfInputs[values.tier]!
    },
    signedBy: 'operator',
    answer: answers<UserTier>(),
  }),
  /** Sets the protection of a wallet in an underlying. */
  SetMmpConfig: action('SetMmpConfig', {
    endpoint: ['POST', '/mmp-config'],
    fields: {
      wallet,
      currency: underlying,
      interval_ms: integer(1, intervalMillisMax),
      frozen_time_ms: integer(0, intervalMillisMax),
      qty_limit: mmpLimit,
      delta_limit: mmpLimit,
      vega_limit: mmpLimit,
    },
    command: CommandType.SetMmp,
    bytes: setMmpBytes,
    check: (terms) =>
      limitsOf(terms).some((micros) => micros > 0)
        ? null
        : invalidField('qty_limit', 'one of the three limits must be given'),
    write: ({ f64, u8 }, at, terms) => {
      writeAscii(terms.currency, u8, at + mmpUnderlyingAt)
      f64[(at + mmpIntervalMillisAt) >> 3] = terms.interval_ms
      f64[(at + mmpFrozenMillisAt) >> 3] = terms.frozen_time_ms
      f64.set(limitsOf(terms), (at + mmpLimitsAt) >> 3)
    },
    answer: answers<MmpConfig>(),
  }),
  /** Ends it. */
  DeleteMmpConfig: mmpEnd('DeleteMmpConfig', ['DELETE', '/mmp-config'], CommandType.DeleteMmp),
  /** Clears sums and freeze. */
  ResetMmp: mmpEnd('ResetMmp', ['POST', '/mmp-config/reset'], CommandType.ResetMmp),
  /** The wallet is whoever signs. */
  ApproveAgent: agentAction(
    'ApproveAgent',
    ['POST', '/approve-agent'],
    CommandType.ApproveAgent,
    false,
  ),
  RevokeAgent: agentAction(
    'RevokeAgent',
    ['DELETE', '/revoke-agent'],
    CommandType.RevokeAgent,
    true,
  ),
  RevokeAllAgents: action('RevokeAllAgents', {
    endpoint: ['DELETE', '/revoke-all-agents'],
    fields: { wallet: agentFields.wallet },
    command: CommandType.RevokeAllAgents,
    bytes: revokeAllAgentsBytes,
    envelope: Envelope.Success,
    signedBy: 'owner',
    isOwnersResort: true,
    answer: answers<AgentAnswer>(),
  }),
  SetSettlementPayoutSeen: action('SetSettlementPayoutSeen', {
    endpoint: ['POST', '/settlement-payouts/seen'],
    fields: {
      wallet,
      ids: signedAs('payoutIds', payoutIds),
      seen: optional(boolean, true, true),
    },
    command: CommandType.MarkPayoutsSeen,
    bytes: seenIdsAt,
    listBytes: ({ ids }) => ids.length * 8,
    write: ({ i32, f64 }, at, { ids, seen }) => {
      i32[(at + seenValueAt) >> 2] = seen ? 1 : 0
      i32[(at + seenCountAt) >> 2] = ids.length
      f64.set(ids, (at + seenIdsAt) >> 3)
    },
    envelope: Envelope.Success,
    answer: answers<PayoutsSeenAnswer>(),
  }),
  /** A bid for a share of a wallet in auction; below 0 it is the least that the bidder wants to be paid. */
  StandardMarginLiquidationOrder: action('StandardMarginLiquidationOrder', {
    endpoint: ['POST', '/liquidation/standard-margin'],
    fields: {
      wallet,
      liquidated_wallet: asReceived(wallet),
      request_id: uuid,
      auction_id: printable(auctionIdCharsMax),
      bid_usdc: signedAmount,
      portfolio_hash: text,
      auction_terms_hash: text,
      bid_intent_hash: printable(bidIntentBytesMax),
      positions: bidPositions,
      auction_version: count,
      valuation_timestamp_ms: unsigned(count),
    },
    command: CommandType.BidLiquidation,
    bytes: bidPositionsAt,
    listBytes: ({ positions }) => positions.length * bidPositionBytes,
    write: writeBid,
    answer: answers<BidAnswer>(),
  }),
}

export type AccountActions = typeof accountActions
export type AccountActionName = keyof AccountActions

/** Quantity, delta, vega, in micros; 0: none. */
export function limitsOf(terms: {
  readonly qty_limit: number
  readonly delta_limit: number
  readonly vega_limit: number
}): readonly [number, number, number] {
  return [terms.qty_limit, terms.delta_limit, terms.vega_limit]
}

// Function declarations, because the table above is built while this file loads.

function mmpEnd(name: string, endpoint: Action['endpoint'], command: CommandType) {
  return action(name, {
    endpoint,
    fields: { wallet, currency: underlying },
    command,
    bytes: endMmpBytes,
    write: ({ u8 }, at, { currency }) => writeAscii(currency, u8, at + mmpUnderlyingAt),
    answer: answers<string>(),
  })
}

function agentAction(
  name: string,
  endpoint: Action['endpoint'],
  command: CommandType,
  isOwnersResort: boolean,
) {
  return action(name, {
    endpoint,
    fields: agentFields,
    command,
    bytes: agentCommandBytes,
    write: ({ u8 }, at, values) => u8.set(values.agent, at + agentAddressAt),
    envelope: Envelope.Success,
    signedBy: 'owner',
    isOwnersResort,
    answer: answers<AgentAnswer>(),
  })
}

interface BidTerms {
  readonly liquidated_wallet: Uint8Array
  readonly auction_id: string
  readonly bid_usdc: number
  readonly bid_intent_hash: string
  readonly positions: readonly BidPosition[]
  readonly auction_version: number
  readonly valuation_timestamp_ms: number
}

function writeBid(record: RecordViews, at: number, bid: BidTerms): void {
  const { f64, i32, u8 } = record
  u8.set(bid.liquidated_wallet, at + bidLiquidatedAt)
  i32[(at + bidIntentBytesAt) >> 2] = bid.bid_intent_hash.length
  f64[(at + bidAuctionAt) >> 3] = auctionOfText(bid.auction_id)
  f64[(at + bidVersionAt) >> 3] = bid.auction_version
  f64[(at + bidMicrosAt) >> 3] = bid.bid_usdc
  f64[(at + bidValuationMillisAt) >> 3] = bid.valuation_timestamp_ms
  i32[(at + bidCountAt) >> 2] = bid.positions.length
  writeAscii(bid.bid_intent_hash, u8, at + bidIntentAt)
  for (const [index, { terms, lots, entryMicros }] of bid.positions.entries()) {
    const position = at + bidPositionsAt + index * bidPositionBytes
    writeKey(record, position, terms)
    f64[(position + bidPositionLotsAt) >> 3] = lots
    f64[(position + bidPositionEntryMicrosAt) >> 3] = entryMicros
  }
}
