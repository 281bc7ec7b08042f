import { deadManMillisMin } from '../../schemas/bounds.js'
import { type MarginMode, type SelfTradeMode, tiersOfInputs } from '../../schemas/domain.js'
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
import { accountWrites } from '../../schemas/interface/account.js'
import { moneyWrites } from '../../schemas/interface/money.js'
import { ordersWrites } from '../../schemas/interface/orders.js'
import { referralsWrites } from '../../schemas/interface/referrals.js'
import { riskWrites } from '../../schemas/interface/risk.js'
import { sameAddress } from '../../schemas/wallet.js'
import { auctionOfText } from '../wire/auction-ids.js'
import { writeKey } from '../wire/instrument-key.js'
import { invalidField } from '../wire/request-fields.js'
import { action } from './action.js'
import type { Values } from './body-readers.js'
import { pushActions } from './push-actions.js'

/** Signed writes of an account, by action name. */
export const accountActions = {
  SetMarginMode: action(accountWrites['POST /margin-mode'], {
    command: CommandType.SetMarginMode,
    record: SetMarginModeCommand,
    content: ({ margin_mode }) => ({ mode: margin_mode as MarginMode }),
  }),
  SetSelfTradePrevention: action(accountWrites['POST /self-trade-prevention'], {
    command: CommandType.SetSelfTrade,
    record: SetSelfTradeCommand,
    content: ({ mode }) => ({ mode: mode as SelfTradeMode }),
  }),
  CancelAll: action(ordersWrites['POST /cancel-all'], {
    command: CommandType.CancelAll,
    record: CancelAllCommand,
    content:
      ({ scope: { scope, terms } }) =>
      (command) => {
        command.scope = scope
        if (terms !== null) writeKey(command.key, terms)
      },
  }),
  SetDeadMan: action(ordersWrites['POST /dead-man'], {
    command: CommandType.SetDeadMan,
    record: SetDeadManCommand,
    check: ({ timeout_ms }) =>
      timeout_ms === 0 || timeout_ms >= deadManMillisMin
        ? null
        : invalidField('timeout_ms', `must be 0 or at least ${deadManMillisMin}`),
    content: ({ timeout_ms }) => ({ timeoutMillis: timeout_ms }),
  }),
  SetUserTier: action(accountWrites['POST /user-tier'], {
    command: CommandType.SetUserTier,
    record: SetTierCommand,
    content: ({ tier }) => ({ tier: tiersOfInputs[tier]! }),
  }),
  SetMmpConfig: action(accountWrites['POST /mmp-config'], {
    command: CommandType.SetMmp,
    record: SetMmpCommand,
    check: (terms) =>
      limitsOf(terms).some((micros) => micros > 0)
        ? null
        : invalidField(
            'qty_limit',
            'at least one of qty_limit, delta_limit and vega_limit must be above 0',
          ),
    content: (terms) => (command) => {
      command.underlyingText = terms.currency
      command.intervalMillis = terms.interval_ms
      command.frozenMillis = terms.frozen_time_ms
      command.limitsView().set(limitsOf(terms))
    },
  }),
  DeleteMmpConfig: mmpEnd('DELETE /mmp-config', CommandType.DeleteMmp),
  ResetMmp: mmpEnd('POST /mmp-config/reset', CommandType.ResetMmp),
  ApproveAgent: agentAction('POST /approve-agent', CommandType.ApproveAgent),
  RevokeAgent: agentAction('DELETE /revoke-agent', CommandType.RevokeAgent),
  RevokeAllAgents: action(accountWrites['DELETE /revoke-all-agents'], {
    command: CommandType.RevokeAllAgents,
    record: RevokeAllAgentsCommand,
  }),
  SubmitUsernameRequest: action(accountWrites['POST /submitUsernameRequest'], {
    command: CommandType.RequestUsername,
    record: RequestUsernameCommand,
    content: ({ requested_username }) => ({ usernameText: requested_username }),
  }),
  SetSettlementPayoutSeen: action(accountWrites['POST /settlement-payouts/seen'], {
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
  }),
  ...pushActions,
  CreateReferralCode: action(referralsWrites['POST /referrals/code'], {
    command: CommandType.CreateReferralCode,
    record: CreateReferralCodeCommand,
    content: ({ code }) => ({ codeText: code }),
  }),
  SetReferrer: action(referralsWrites['POST /referrals/set-referrer'], {
    command: CommandType.SetReferrer,
    record: SetReferrerCommand,
    content:
      ({ code, referrer }) =>
      (command) => {
        command.codeText = code
        command.u8.set(referrer, command.referrerAt)
      },
  }),
  WithdrawUsdc: action(moneyWrites['POST /withdraw/usdc'], {
    command: CommandType.WithdrawUsdc,
    record: WithdrawUsdcCommand,
    check: ({ wallet: owner, account, amount }) => {
      if (!sameAddress(owner, 0, account, 0)) return invalidField('account', 'must equal wallet')
      return amount > 0 ? null : invalidField('amount', 'must be greater than 0')
    },
    content: ({ amount, destination }) => ({ amountMicros: amount, destination }),
  }),
  StandardMarginLiquidationOrder: action(riskWrites['POST /liquidation/standard-margin'], {
    command: CommandType.BidLiquidation,
    record: BidLiquidationCommand,
    rows: ({ positions }) => positions.length,
    content: (bid) => (command) => writeBid(command, bid),
  }),
}

export type AccountActions = typeof accountActions

/** Returns the limits of quantity, delta and vega, in micros; 0: none. */
export function limitsOf(terms: {
  readonly qty_limit: number
  readonly delta_limit: number
  readonly vega_limit: number
}): readonly [number, number, number] {
  return [terms.qty_limit, terms.delta_limit, terms.vega_limit]
}

// Function declarations, because the table above is built while this file loads.

function mmpEnd(key: 'DELETE /mmp-config' | 'POST /mmp-config/reset', command: CommandType) {
  return action(accountWrites[key], {
    command,
    record: EndMmpCommand,
    content: ({ currency }) => ({ underlyingText: currency }),
  })
}

function agentAction(key: 'POST /approve-agent' | 'DELETE /revoke-agent', command: CommandType) {
  return action(accountWrites[key], {
    command,
    record: AgentCommand,
    content: ({ agent }) => ({ agent }),
  })
}

type BidTerms = Values<(typeof riskWrites)['POST /liquidation/standard-margin']['body']>

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
