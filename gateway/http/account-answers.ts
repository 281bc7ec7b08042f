import { agentsPerWalletMax } from '../../schemas/bounds.js'
import { formatMicros } from '../../schemas/decimal.js'
import { marginModeNames, selfTradeModeNames, tiersOfInputs } from '../../schemas/domain.js'
import type { MmpConfig } from '../../schemas/interface/account.js'
import type { DataOf } from '../../schemas/interface/answer.js'
import type { AccountActionName, AccountRows } from '../../schemas/interface/writes.js'
import { PushTopic, UsernameChange } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { auctionTermsHash, portfolioHash } from '../../schemas/signing/auction-terms-hash.js'
import { type AccountActions, limitsOf } from '../actions/account-actions.js'
import type { ActionRequest } from '../actions/action.js'
import type { GatewayContext } from '../link/gateway-context.js'
import { readOutcome } from '../link/outcome.js'
import { payoutsOwnedQuestion } from '../link/read-protocol.js'
import { type Answer, answerIn } from '../wire/answers.js'
import { auctionOfText } from '../wire/auction-ids.js'
import { Fault } from '../wire/fault.js'
import { mmpConfigJson } from '../wire/mmp-text.js'
import { endpointFaultOf } from '../wire/push-endpoint.js'
import { referralCodeJson } from '../wire/referral-text.js'
import { invalidField } from '../wire/request-fields.js'
import { tierView } from '../wire/tier-text.js'
import { type Accepted, type AccountAnswer, accountWriteFault } from './account-write.js'
import { withdrawalAnswer } from './withdrawal-answer.js'

type FieldsOf<Name extends AccountActionName> = AccountActions[Name]['body']
type PayoutsSeen = DataOf<AccountRows['SetSettlementPayoutSeen']>
type Bid = ActionRequest<FieldsOf<'StandardMarginLiquidationOrder'>>

const agentAnswer = {
  dataOf: ({ wallet, seq }: Pick<Accepted, 'wallet' | 'seq'>) => {
    return { success: true, error: null, wallet, seq } as const
  },
}

/** Answers to accepted account actions, by action. */
export const accountAnswers: {
  readonly [Name in AccountActionName]: AccountAnswer<FieldsOf<Name>, DataOf<AccountRows[Name]>>
} = {
  // The engine fails it with 403 `margin_mode_unavailable`, or with 409 `conflict` if initial margin would not be met,
  // or while the engine liquidates the wallet.
  SetMarginMode: {
    dataOf({ wallet, values, event }) {
      const margin_mode = marginModeNames[values.margin_mode]
      const previous_mode = marginModeNames[event.facts.previousMode]
      return { wallet, margin_mode, previous_mode }
    },
  },
  SetSelfTradePrevention: {
    dataOf: ({ wallet, values }) => ({ wallet, mode: selfTradeModeNames[values.mode] }),
  },
  CancelAll: {
    dataOf: ({ wallet, message, event }) => ({
      wallet,
      scope: String(message['scope']),
      canceled: event.facts.canceledCount,
    }),
    faultOf: (result, { message }) =>
      result === Result.InvalidSymbol
        ? new Fault(Result.NotFound, {}, `Invalid symbol: ${message['scope']}`)
        : null,
  },
  SetDeadMan: {
    dataOf: ({ wallet, values, event }) => {
      const { timeout_ms } = values
      const { firesMillis } = event.facts
      const fires_at = firesMillis === 0 ? null : firesMillis
      return { wallet, timeout_ms, fires_at }
    },
  },
  SetUserTier: {
    dataOf: ({ context, wallet, values }) =>
      tierView(wallet, tiersOfInputs[values.tier]!, context.tiers),
  },
  SetMmpConfig: {
    dataOf: mmpConfigOf,
    faultOf: mmpFault,
  },
  DeleteMmpConfig: { dataOf: () => 'deleted', faultOf: mmpFault },
  ResetMmp: { dataOf: () => 'reset', faultOf: mmpFault },
  ApproveAgent: {
    ...agentAnswer,
    faultOf: (result) =>
      result === Result.LimitExceeded
        ? new Fault(
            result,
            {},
            `Limit exceeded: at most ${agentsPerWalletMax} agents per wallet are allowed`,
          )
        : null,
  },
  RevokeAgent: agentAnswer,
  RevokeAllAgents: agentAnswer,
  SubmitUsernameRequest: {
    dataOf({ wallet, values, event }) {
      const isPending = event.facts.usernameChange === UsernameChange.Requested
      const status = isPending ? 'pending' : 'approved'
      const { requested_username } = values
      return { wallet_address: wallet, requested_username, status }
    },
    faultOf: (result, { values }) =>
      result === Result.Conflict
        ? conflict(`Username ${values.requested_username} is taken`)
        : null,
  },
  WithdrawUsdc: withdrawalAnswer,
  SetSettlementPayoutSeen: { dataOf: countPayouts },
  PushSubscribe: {
    dataOf: ({ wallet, values, event }) => {
      const { endpoint } = values.subscription
      return { wallet, endpoint, preferences: preferencesOf(event.facts.pushTopics) }
    },
    refuses: ({ config: { push } }, { values }) => {
      if (!push.enabled) return new Fault(Result.UnsupportedEndpoint)
      const fault = endpointFaultOf(values.subscription.endpoint, push)
      return fault === null ? null : invalidField('subscription.endpoint', fault)
    },
  },
  PushUnsubscribe: {
    dataOf: ({ wallet, event }) => ({ wallet, removed: event.facts.removedCount }),
  },
  PushPreferences: {
    dataOf: ({ wallet, event }) => ({
      wallet,
      preferences: preferencesOf(event.facts.pushTopics),
    }),
  },
  CreateReferralCode: {
    dataOf: ({ context, wallet, values, event }) =>
      referralCodeJson(values.code, wallet, readOutcome(event, context.names).timeMillis),
  },
  SetReferrer: {
    dataOf: ({ wallet, message }) => ({
      referred_wallet: wallet,
      referrer_wallet: String(message['referrer']),
    }),
  },
  StandardMarginLiquidationOrder: {
    dataOf: ({ wallet, message }) => ({
      request_id: String(message['requestId']),
      auction_id: String(message['auctionId']),
      liquidated_wallet: String(message['liquidatedWallet']).toLowerCase(),
      liquidator_wallet: wallet,
    }),
    refuses: (context, bid) =>
      areTermsSound(context, bid) ? null : conflict('auction terms are not current'),
    faultOf: bidFault,
  },
}

function preferencesOf(topics: number) {
  return {
    fills: (topics & PushTopic.Fills) !== 0,
    liquidations: (topics & PushTopic.Liquidations) !== 0,
    settlements: (topics & PushTopic.Settlements) !== 0,
  }
}

function mmpConfigOf({
  wallet,
  values,
  message,
  event,
}: Accepted<FieldsOf<'SetMmpConfig'>>): MmpConfig {
  const { facts } = event
  return mmpConfigJson({
    wallet,
    currency: values.currency,
    intervalMillis: values.interval_ms,
    frozenMillis: values.frozen_time_ms,
    limitMicros: limitsOf(values),
    nonce: String(message['nonce']),
    frozenUntilMillis: facts.mmpFrozenUntilMillis,
    windowMicros: [facts.mmpQtyMicros, facts.mmpDeltaMicros, facts.mmpVegaMicros],
  })
}

function mmpFault(
  result: Result,
  { values }: { readonly values: { readonly currency: string } },
): Fault | null {
  const { currency } = values
  if (result === Result.NotFound)
    return new Fault(result, {}, `No market-maker protection is set for ${currency}`)
  // The numbers have already been checked.
  if (result === Result.ValueRefused) return invalidField('currency', 'must be a listed underlying')
  return null
}

/** Counts which of the named payouts are the wallet's in the history store, since the engine stores no payouts. */
async function countPayouts({
  ask,
  wallet,
  values,
  seq,
}: Accepted<FieldsOf<'SetSettlementPayoutSeen'>>): Promise<Answer<PayoutsSeen>> {
  const { ids } = values
  const { status, body } = await ask(payoutsOwnedQuestion, `wallet=${wallet}&ids=${ids.join(',')}`)
  if (status !== 200) return { status, body }
  const { data: affected } = JSON.parse(body) as { data: number }
  return answerIn(
    'whole',
    { success: true, requested: ids.length, affected, error: null, seq },
    seq,
  )
}

/**
 * Checks that the signed hashes match the terms of the bid. The engine then compares those terms with the account,
 * number by number, so a bid signed over other terms never wins.
 */
function areTermsSound({ auctions }: GatewayContext, { values: bid, message }: Bid): boolean {
  const { auction_id: auctionId, auction_version: auctionVersion } = bid
  const valuationMillis = bid.valuation_timestamp_ms
  if (portfolioHash(bid.positions) !== bid.portfolio_hash) return false
  const known = auctions.termsOf(auctionOfText(auctionId), auctionVersion)
  if (known !== undefined && known.valuationMillis !== valuationMillis) return false
  // A status shows the hash over its required bid. A higher bidder may sign that hash, or one over its own bid.
  const bids = known === undefined ? [bid.bid_usdc] : [bid.bid_usdc, known.requiredMicros]
  return bids.some((micros) => {
    const terms = {
      auctionId,
      liquidatedWallet: String(message['liquidatedWallet']).toLowerCase(),
      auctionVersion,
      portfolioHash: bid.portfolio_hash,
      bidUsdc: formatMicros(micros),
      valuationTimestampMillis: valuationMillis,
    }
    return auctionTermsHash(terms) === bid.auction_terms_hash
  })
}

/** Maps the result of a bid to an HTTP error, because a bid has no order status to be rejected with. */
function bidFault(result: Result, { nonce }: Pick<Bid, 'nonce'>): Fault {
  if (result === Result.InsufficientMargin) {
    return new Fault(Result.InsufficientBalance, {}, 'Insufficient margin')
  }
  if (result === Result.TierLongOnly) return conflict('Tier1 users cannot go short')
  if (result === Result.TradingHalted || result === Result.CancelOnly) {
    return conflict('Trading is halted for an underlying of the account')
  }
  return accountWriteFault(result, nonce)
}

function conflict(message: string): Fault {
  return new Fault(Result.Conflict, {}, message)
}
