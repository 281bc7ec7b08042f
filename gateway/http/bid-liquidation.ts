import { writeText } from '../../engine/memory/bytes.js'
import type { Ring } from '../../engine/memory/ring.js'
import { formatMicros } from '../../schemas/decimal.js'
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
import { Result } from '../../schemas/results.js'
import { typedStructs } from '../../schemas/typed-data.js'
import { auctionTermsHash, portfolioHash } from '../auth/auction-terms-hash.js'
import { typedDataDigest } from '../auth/typed-data-digest.js'
import { writeKey } from '../commands/write-order.js'
import { Fault } from '../fault.js'
import type { GatewayContext } from '../gateway-context.js'
import { admit } from '../limits/admission.js'
import { RateCategory } from '../limits/rate-windows.js'
import { Envelope } from '../read-model/answers.js'
import { auctionOfText } from '../read-model/liquidation-text.js'
import type { HttpCall } from '../transport.js'
import { AccountWriteAnswer, accountWriteFault, sendAccountWrite } from './account-write.js'
import { type BidRequest, readBidRequest } from './bid-request.js'
import { answerFault } from './http-answer.js'
import { dataBody } from './signed-write.js'

/**
 * POST /liquidation/standard-margin: a signed bid for a share of a wallet in auction. Here the three hashes are
 * compared with the terms that they are made of; the engine then compares those terms with the account itself, number
 * by number, so a bid that was signed over anything else never wins.
 */
export function bidLiquidation(context: GatewayContext, call: HttpCall): void {
  const request = readBidRequest(call.body, context.signing)
  const fault = request instanceof Fault ? request : send(context, call, request)
  if (fault !== null) answerFault(call, fault, Envelope.Data)
}

function send(context: GatewayContext, call: HttpCall, request: BidRequest): Fault | null {
  const { signing } = context
  const struct = typedStructs.StandardMarginLiquidationOrder
  const message = {
    wallet: request.wallet,
    liquidatedWallet: request.liquidatedWallet,
    requestId: request.requestId,
    auctionId: request.auctionId,
    bidUsdc: request.bidUsdc,
    portfolioHash: request.portfolioHash,
    auctionTermsHash: request.auctionTermsHash,
    bidIntentHash: request.bidIntentHash,
    auctionVersion: request.auctionVersion,
    nonce: request.nonce,
  }
  signing.digest.set(typedDataDigest(signing.domain, struct, message))
  const { wallet, signature } = request
  const category = RateCategory.ApiRequest
  const subject = { struct, message }
  const admission = admit(context, { address: call.address, wallet, signature, subject, category })
  if (admission instanceof Fault) return admission
  if (!areTermsSound(context, request)) {
    const stranger = admission.refuseUnknown()
    if (stranger !== null) return stranger
    answerFault(call, conflict('auction terms are not current'), Envelope.Data, admission.headers)
    return null
  }
  const { nonce } = request
  const answer = new AccountWriteAnswer(context, call, {
    admission,
    nonce,
    envelope: Envelope.Data,
    bodyOf: (seq) => dataBody(wonBy(request), seq),
    faultOf: (result) => bidFault(result, nonce),
  })
  const bytes = bidPositionsAt + request.positions.length * bidPositionBytes
  const record = { bytes, type: CommandType.BidLiquidation }
  sendAccountWrite(context, record, answer, signing.wallet, (ring, at) => {
    writeBid(ring, at, request)
  })
  return null
}

function wonBy({ requestId, auctionId, liquidatedText, wallet }: BidRequest) {
  return {
    request_id: requestId,
    auction_id: auctionId,
    liquidated_wallet: liquidatedText,
    liquidator_wallet: wallet,
  }
}

/** Whether the signed hashes are those of the terms that came with them. */
function areTermsSound({ auctions }: GatewayContext, request: BidRequest): boolean {
  const { auctionId, auctionVersion, valuationMillis, bidMicros } = request
  if (portfolioHash(request.positions) !== request.portfolioHash) return false
  const known = auctions.termsOf(auctionOfText(auctionId), auctionVersion)
  if (known !== undefined && known.valuationMillis !== valuationMillis) return false
  // A status shows the hash over its required bid; who bids more may sign that one, or one over the own bid.
  const bids = known === undefined ? [bidMicros] : [bidMicros, known.requiredMicros]
  return bids.some((micros) => {
    const terms = {
      auctionId,
      liquidatedWallet: request.liquidatedText,
      auctionVersion,
      portfolioHash: request.portfolioHash,
      bidUsdc: formatMicros(micros),
      valuationTimestampMillis: valuationMillis,
    }
    return auctionTermsHash(terms) === request.auctionTermsHash
  })
}

function writeBid(ring: Ring, at: number, request: BidRequest): void {
  const { f64, i32, u8 } = ring
  u8.set(request.liquidatedBytes, at + bidLiquidatedAt)
  i32[(at + bidIntentBytesAt) >> 2] = request.bidIntentHash.length
  f64[(at + bidAuctionAt) >> 3] = auctionOfText(request.auctionId)
  f64[(at + bidVersionAt) >> 3] = request.auctionVersion
  f64[(at + bidMicrosAt) >> 3] = request.bidMicros
  f64[(at + bidValuationMillisAt) >> 3] = request.valuationMillis
  i32[(at + bidCountAt) >> 2] = request.positions.length
  i32[(at + bidCountAt + 4) >> 2] = 0
  writeText(request.bidIntentHash, u8, at + bidIntentAt, bidIntentBytesMax)
  for (const [index, { terms, lots, entryMicros }] of request.positions.entries()) {
    const position = at + bidPositionsAt + index * bidPositionBytes
    u8.fill(0, position, position + bidPositionBytes)
    writeKey(ring, position, terms)
    f64[(position + bidPositionLotsAt) >> 3] = lots
    f64[(position + bidPositionEntryMicrosAt) >> 3] = entryMicros
  }
}

/** A bid has no order status to be rejected with: who may not have the account is told so by an HTTP error. */
function bidFault(result: Result, nonce: string): Fault {
  if (result === Result.InsufficientMargin) {
    return new Fault(Result.InsufficientBalance, {}, 'Insufficient margin')
  }
  if (result === Result.TierLongOnly) return conflict('Tier1 users cannot go short')
  return accountWriteFault(result, nonce)
}

function conflict(message: string): Fault {
  return new Fault(Result.Conflict, {}, message)
}
