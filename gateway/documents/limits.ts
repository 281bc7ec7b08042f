import {
  agentsPerWalletMax,
  apiWalletsMax,
  auctionQuotesMax,
  bodyBytesMax,
  bulkItemsMax,
  clientIdBytesMax,
  crowdedFrameBytesMax,
  decimalCharsMax,
  lotsPerContract,
  microsPerUsd,
  payoutIdsMax,
  priceMicrosMax,
  pushPerWalletMax,
  quoteFrameBytesMax,
  quoteMillisMax,
  resumedMessagesMax,
  rfqLegsMax,
  rfqQuotesMax,
  significantFiguresMax,
  sizeLotsMax,
  streamFrameBytesMax,
  withdrawalsPendingMax,
} from '../../schemas/bounds.js'
import { tierNames } from '../../schemas/domain.js'
import type { Config } from '../config/config-schema.js'
import { arrivalLimits } from '../limits/arrivals.js'
import {
  providerWaitingBytesMax,
  waitingBytesMax,
  waitingFramesMax,
} from '../limits/waiting-limits.js'
import { windowLimits } from '../link/event-window.js'

/** Returns the bounds of the interface, fixed and configured. -1 is unlimited. */
export function limitsOf({ limits, stream, quotes, faucet }: Config) {
  return {
    price: {
      max: String(priceMicrosMax / microsPerUsd),
      decimals: Math.log10(microsPerUsd),
      significant_figures: significantFiguresMax,
    },
    size: { max: String(sizeLotsMax / lotsPerContract), decimals: Math.log10(lotsPerContract) },
    client_id_bytes: clientIdBytesMax,
    decimal_chars: decimalCharsMax,
    body_bytes: bodyBytesMax,
    frame_bytes: streamFrameBytesMax,
    crowded_frame_bytes: crowdedFrameBytesMax,
    quote_frame_bytes: quoteFrameBytesMax,
    bulk_items: bulkItemsMax,
    payout_ids: payoutIdsMax,
    rfq_legs: rfqLegsMax,
    quotes_per_rfq: rfqQuotesMax,
    quotes_per_auction: auctionQuotesMax,
    quote_millis: quoteMillisMax,
    nonces_kept: limits.noncesKept,
    agents_per_wallet: agentsPerWalletMax,
    api_wallets_per_account: apiWalletsMax,
    withdrawals_pending: withdrawalsPendingMax,
    push_subscriptions_per_wallet: pushPerWalletMax,
    connections_per_address: limits.connectionsPerAddressMax,
    failed_signatures_per_minute: limits.failedRecoveriesPerMinute,
    faucet_grants_per_minute: faucet.grantsPerMinute,
    faucet_grants_per_minute_on_loopback: faucet.grantsPerMinuteOnLoopback,
    tiers: Object.fromEntries(tierNames.map((name) => [name, limits[name]])),
    stream,
    resume: {
      messages: resumedMessagesMax,
      messages_per_minute: limits.resumedMessagesPerMinute,
      events: windowLimits.eventsMax,
      age_millis: windowLimits.ageMillisMax,
    },
    quotes,
    waiting: {
      frames: waitingFramesMax,
      bytes: waitingBytesMax,
      provider_bytes: providerWaitingBytesMax,
      frames_of_all: arrivalLimits.itemsMax,
      bytes_of_all: arrivalLimits.bytesMax,
      frames_min: arrivalLimits.sourceItemsMin,
      bytes_min: arrivalLimits.sourceBytesMin,
    },
  }
}
