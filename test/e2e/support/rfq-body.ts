import { randomUUID } from 'node:crypto'
import { keccak256, parseUnits, stringToBytes } from 'viem'
import { type Body, developmentDomain, signed, type WalletKey } from './signed-body.js'

/** Leg of a request. */
export interface Leg {
  readonly instrument: string
  readonly side: string
  readonly size: string
}

/** Returns the body of POST /rfq/request; with a limit it auto-executes. */
export function rfqBody(
  by: WalletKey,
  legs: readonly Leg[],
  limit: string | null = null,
  patch: Body = {},
  signer = by,
): Promise<Body> {
  const body = {
    rfq_id: randomUUID(),
    legs,
    wallet_address: by.wallet,
    nonce: by.nextNonce(),
    ...(limit === null ? {} : { auto_accept_limit: limit }),
    ...patch,
  }
  const struct = limit === null ? 'SubmitRFQ' : 'SubmitAutoExecuteRfq'
  return signed(signer, struct, body, developmentDomain, {
    rfqId: bytes32Of(body.rfq_id),
    legsHash: legsHashOf(legs),
    limitPrice: parseUnits(limit ?? '0', 6),
    wallet: by.wallet,
  })
}

/** Returns the same request as a frame of the stream. */
export async function rfqFrame(
  by: WalletKey,
  legs: readonly Leg[],
  limit: string | null = null,
  patch: Body = {},
): Promise<Body> {
  const { auto_accept_limit, ...body } = await rfqBody(by, legs, limit, patch)
  if (limit === null) return { type: 'SubmitRfq', ...body }
  return { type: 'SubmitAutoExecuteRfq', ...body, limit_price: auto_accept_limit }
}

/** Returns the body of POST /rfq/accept, over the published premium of the quote. */
export function acceptBody(
  by: WalletKey,
  rfqId: string,
  quoteId: string,
  netPremium: string,
  patch: Body = {},
  signer = by,
): Promise<Body> {
  const body = {
    rfq_id: rfqId,
    quote_id: quoteId,
    wallet_address: by.wallet,
    nonce: by.nextNonce(),
    ...patch,
  }
  return signed(signer, 'AcceptRFQQuote', body, developmentDomain, {
    rfqId: bytes32Of(rfqId),
    quoteId: bytes32Of(quoteId),
    netPremium: parseUnits(netPremium, 6),
    wallet: by.wallet,
  })
}

/** Returns a provider's answer to an `rfq_request`: a price for each leg. */
export function quoteFrame(
  by: WalletKey,
  request: { readonly rfq_id: string; readonly legs: readonly Leg[] },
  prices: readonly string[],
  netPremium: string,
  patch: Body = {},
): Promise<Body> {
  const legs = request.legs.map((leg, index) => ({ ...leg, price: prices[index] }))
  const body: Body = {
    type: 'rfq_response',
    ...{ rfq_id: request.rfq_id, action: 'quote', legs, net_premium: netPremium },
    ...{ valid_for_ms: 20_000, nonce: by.nextNonce(), ...patch },
  }
  return signed(by, 'SubmitRFQResponse', body, developmentDomain, {
    rfqId: bytes32Of(request.rfq_id),
    legsHash: legsHashOf(request.legs),
    netPremium: parseUnits(netPremium, 6),
    validForMs: BigInt(String(body['valid_for_ms'])),
    qpWallet: by.wallet,
  })
}

function bytes32Of(uuid: string): string {
  return `0x${uuid.replaceAll('-', '').padStart(64, '0')}`
}

function legsHashOf(legs: readonly Leg[]): string {
  const texts = legs.map(
    ({ instrument, side, size }) => `${instrument}|${side.toLowerCase()}|${size}`,
  )
  return keccak256(stringToBytes(texts.join(';')))
}
