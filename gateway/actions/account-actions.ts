import { intervalMillisMax, limitMicrosMax } from '../../engine/matching/mmp-window.js'
import {
  intentBytesMax,
  payoutIdsMax,
  referralCodeBytesMax,
  referralCodeBytesMin,
} from '../../schemas/bounds.js'
import { parseAmountMicros } from '../../schemas/decimal.js'
import {
  type MarginMode,
  marginModeNames,
  type SelfTradeMode,
  selfTradeModeNames,
  tierInputs,
  tiersOfInputs,
} from '../../schemas/domain.js'
import {
  AgentCommand,
  BidLiquidationCommand,
  CancelAllCommand,
  CommandType,
  CreateReferralCodeCommand,
  EndMmpCommand,
  MarkPayoutsSeenCommand,
  RequestUsernameCommand,
  RevokeAllAgentsCommand,
  SetDeadManCommand,
  SetMarginModeCommand,
  SetMmpCommand,
  SetReferrerCommand,
  SetSelfTradeCommand,
  SetTierCommand,
  WithdrawUsdcCommand,
} from '../../schemas/generated/commands.js'
import { Envelope } from '../../schemas/interface/answer.js'
import { CancelScope } from '../../schemas/record-values.js'
import { type InstrumentSymbol, isUnderlying, parseSymbol, perpOf } from '../../schemas/symbol.js'
import { sameAddress } from '../../schemas/wallet.js'
import { auctionOfText } from '../wire/auction-ids.js'
import type { Fault } from '../wire/fault.js'
import { writeKey } from '../wire/instrument-key.js'
import type { MmpConfig } from '../wire/mmp-text.js'
import { referralCodeOf } from '../wire/referral-text.js'
import { invalidField, invalidParameter } from '../wire/request-fields.js'
import type { UserTier } from '../wire/tier-text.js'
import type {
  AgentAnswer,
  BidAnswer,
  CancelAllAnswer,
  DeadManAnswer,
  MarginModeAnswer,
  PayoutsSeenAnswer,
  ReferralCodeAnswer,
  ReferrerAnswer,
  SelfTradeAnswer,
  UsernameRequestAnswer,
  WithdrawalAnswer,
} from '../wire/wire-types.js'
import { type Action, action, answers, type Values } from './action.js'
import { bidPositions } from './bid-positions.js'
import {
  agent,
  asReceived,
  boolean,
  choice,
  count,
  decimal,
  field,
  integer,
  limit,
  optional,
  printable,
  sha256,
  signedAmount,
  signedAs,
  textField,
  underlying,
  unsigned,
  username,
  uuid,
  wallet,
} from './fields.js'
import { pushActions } from './push-actions.js'

/** A scope as it is written into a command. */
interface CancelTarget {
  readonly scope: CancelScope
  /** Of an underlying, terms that name it. */
  readonly terms: InstrumentSymbol | null
}

const deadManMillisLeast = 1000
const deadManMillisMost = 86_400_000
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
  shapeFault(ids, name) {
    const isList = Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id))
    if (isList && ids.length >= 1 && ids.length <= payoutIdsMax) return null
    return invalidParameter(name, `must be a list of 1 to ${payoutIdsMax} whole numbers`)
  },
  read: (ids, name) =>
    ids.every((id) => id >= 1) ? ids : invalidField(name, 'must be numbers from 1 on'),
})

/** What a cancel-all is about: `all`, an underlying, or a symbol. */
const cancelScope = textField(
  { type: 'string', minLength: 1 },
  (value, name): CancelTarget | Fault => {
    if (value === 'all') return { scope: CancelScope.All, terms: null }
    if (isUnderlying(value)) return { scope: CancelScope.Underlying, terms: perpOf(value) }
    const terms = parseSymbol(value)
    if (typeof terms !== 'string') return { scope: CancelScope.Instrument, terms }
    return invalidField(name, 'must be all, an underlying or a symbol')
  },
)

/** Signed as it came, kept as `referralCodeOf` has it. */
const referralCode = textField({ type: 'string', minLength: 1 }, (value, name) => {
  const code = referralCodeOf(value)
  if (code !== null) return code
  const lengths = `${referralCodeBytesMin} to ${referralCodeBytesMax}`
  return invalidField(name, `must be ${lengths} of A-Z, 0-9, _ and -`)
})

/** The signed writes of an account, most under the struct that is signed: a row says all that follows from none other. */
export const accountActions = {
  /** Which model the wallet's book is judged by. */
  SetMarginMode: action('SetMarginMode', {
    endpoint: ['POST', '/margin-mode'],
    fields: { wallet, margin_mode: choice(marginModeNames) },
    command: CommandType.SetMarginMode,
    record: SetMarginModeCommand,
    content: ({ margin_mode }) => ({ mode: margin_mode as MarginMode }),
    isOwnersResort: true,
    answer: answers<MarginModeAnswer>(),
  }),
  /** What happens when the wallet would trade with itself. */
  SetSelfTradePrevention: action('SetSelfTradePrevention', {
    endpoint: ['POST', '/self-trade-prevention'],
    fields: { wallet, mode: choice(selfTradeModeNames) },
    command: CommandType.SetSelfTrade,
    record: SetSelfTradeCommand,
    content: ({ mode }) => ({ mode: mode as SelfTradeMode }),
    isOwnersResort: true,
    answer: answers<SelfTradeAnswer>(),
  }),
  /** Ends the wallet's working orders, requests for quote and live quotes of a scope, before anything else trades. */
  CancelAll: action('CancelAll', {
    endpoint: ['POST', '/cancel-all'],
    fields: { wallet, scope: cancelScope },
    command: CommandType.CancelAll,
    record: CancelAllCommand,
    content:
      ({ scope: { scope, terms } }) =>
      (command) => {
        command.scope = scope
        if (terms !== null) writeKey(command.key, terms)
      },
    answer: answers<CancelAllAnswer>(),
  }),
  /** Ends all of them where the wallet does nothing for so long; 0 ends the timer. */
  SetDeadMan: action('SetDeadMan', {
    endpoint: ['POST', '/dead-man'],
    fields: { wallet, timeout_ms: integer(0, deadManMillisMost) },
    command: CommandType.SetDeadMan,
    record: SetDeadManCommand,
    check: ({ timeout_ms }) =>
      timeout_ms === 0 || timeout_ms >= deadManMillisLeast
        ? null
        : invalidField('timeout_ms', `must be 0, or from ${deadManMillisLeast} on`),
    content: ({ timeout_ms }) => ({ timeoutMillis: timeout_ms }),
    answer: answers<DeadManAnswer>(),
  }),
  /** The wallet is the one whose tier changes; the nonce counts for the signer. */
  SetUserTier: action('SetUserTier', {
    endpoint: ['POST', '/user-tier'],
    fields: { wallet, tier: choice(tierInputs) },
    command: CommandType.SetUserTier,
    record: SetTierCommand,
    content: ({ tier }) => ({ tier: tiersOfInputs[tier]! }),
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
    record: SetMmpCommand,
    check: (terms) =>
      limitsOf(terms).some((micros) => micros > 0)
        ? null
        : invalidField('qty_limit', 'one of the three limits must be given'),
    content: (terms) => (command) => {
      command.underlyingText = terms.currency
      command.intervalMillis = terms.interval_ms
      command.frozenMillis = terms.frozen_time_ms
      command.limitsView().set(limitsOf(terms))
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
    record: RevokeAllAgentsCommand,
    envelope: Envelope.Success,
    signedBy: 'owner',
    isOwnersResort: true,
    answer: answers<AgentAnswer>(),
  }),
  /** What the wallet is shown as, at once or when the operator has approved it. */
  SubmitUsernameRequest: action('SubmitUsernameRequest', {
    endpoint: ['POST', '/submitUsernameRequest'],
    fields: { wallet, requested_username: username },
    command: CommandType.RequestUsername,
    record: RequestUsernameCommand,
    content: ({ requested_username }) => ({ usernameText: requested_username }),
    answer: answers<UsernameRequestAnswer>(),
  }),
  SetSettlementPayoutSeen: action('SetSettlementPayoutSeen', {
    endpoint: ['POST', '/settlement-payouts/seen'],
    fields: {
      wallet,
      ids: signedAs('payoutIds', payoutIds),
      seen: optional(boolean, true, true),
    },
    command: CommandType.MarkPayoutsSeen,
    record: MarkPayoutsSeenCommand,
    rows: ({ ids }) => ids.length,
    content:
      ({ ids, seen }) =>
      (command) => {
        command.seen = seen ? 1 : 0
        command.count = ids.length
        command.idsView(ids.length).set(ids)
      },
    envelope: Envelope.Success,
    answer: answers<PayoutsSeenAnswer>(),
  }),
  ...pushActions,
  /** Takes a code for the wallet, for good. */
  CreateReferralCode: action('CreateReferralCode', {
    endpoint: ['POST', '/referrals/code'],
    fields: { wallet, code: referralCode },
    command: CommandType.CreateReferralCode,
    record: CreateReferralCodeCommand,
    content: ({ code }) => ({ codeText: code }),
    envelope: Envelope.Bare,
    answer: answers<ReferralCodeAnswer>(),
  }),
  /** Says who has brought the wallet here, for good: the owner of the code, which is not signed. */
  SetReferrer: action('SetReferrer', {
    endpoint: ['POST', '/referrals/set-referrer'],
    fields: { wallet, code: unsigned(referralCode), referrer: wallet },
    command: CommandType.SetReferrer,
    record: SetReferrerCommand,
    content:
      ({ code, referrer }) =>
      (command) => {
        command.codeText = code
        command.u8.set(referrer, command.referrerAt)
      },
    envelope: Envelope.Bare,
    answer: answers<ReferrerAnswer>(),
  }),
  /** Sends the wallet's money away, under the id of what was signed. */
  WithdrawUsdc: action('WithdrawUsdc', {
    endpoint: ['POST', '/withdraw/usdc'],
    fields: { wallet, account: agent, destination: agent, amount: decimal(parseAmountMicros) },
    command: CommandType.WithdrawUsdc,
    record: WithdrawUsdcCommand,
    check: ({ wallet: owner, account, amount }) => {
      if (!sameAddress(owner, 0, account, 0)) return invalidField('account', 'must be the wallet')
      return amount > 0 ? null : invalidField('amount', 'must be above 0')
    },
    content: ({ amount, destination }) => ({ amountMicros: amount, destination }),
    envelope: Envelope.Success,
    isOwnersOnly: true,
    isOwnersResort: true,
    answer: answers<WithdrawalAnswer>(),
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
      portfolio_hash: sha256,
      auction_terms_hash: sha256,
      bid_intent_hash: printable(intentBytesMax),
      positions: bidPositions,
      auction_version: count,
      valuation_timestamp_ms: unsigned(count),
    },
    command: CommandType.BidLiquidation,
    record: BidLiquidationCommand,
    rows: ({ positions }) => positions.length,
    content: (bid) => (command) => writeBid(command, bid),
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
    record: EndMmpCommand,
    content: ({ currency }) => ({ underlyingText: currency }),
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
    record: AgentCommand,
    content: (terms) => ({ agent: terms.agent }),
    envelope: Envelope.Success,
    signedBy: 'owner',
    isOwnersResort,
    answer: answers<AgentAnswer>(),
  })
}

type BidTerms = Values<AccountActions['StandardMarginLiquidationOrder']['fields']>

function writeBid(command: BidLiquidationCommand, bid: BidTerms): void {
  command.u8.set(bid.liquidated_wallet, command.liquidatedAt)
  command.auction = auctionOfText(bid.auction_id)
  command.version = bid.auction_version
  command.bidMicros = bid.bid_usdc
  command.valuationMillis = bid.valuation_timestamp_ms
  command.count = bid.positions.length
  command.intentText = bid.bid_intent_hash
  for (const [index, { terms, lots, entryMicros }] of bid.positions.entries()) {
    const position = command.positions(index)
    writeKey(position.key, terms)
    position.lots = lots
    position.entryMicros = entryMicros
  }
}
