import {
  type SignedBody,
  signAcceptRfqQuote,
  signRfq,
  signRfqFrame,
} from '../../gateway/client/signed-actions.js'
import { createSigner, type Signer } from '../../gateway/client/signer.js'
import { signingDomains } from '../../schemas/typed-data.js'
import type { RfqTerms } from '../../schemas/wire-types.js'
import { nextNonce, owner, testSymbol } from './gateway-rig.js'
import { otherSymbol } from './hub-rig.js'
import { rfqUuid } from './rfq-script.js'

const domain = signingDomains('Strikebook', 31_337).options
let idCount = 0x1000

export const stranger = createSigner('33'.repeat(32))

/** Returns terms that buy one call and sell two and a half puts, unless the test changes them. */
export function rfqTerms(changes: Partial<RfqTerms> = {}): RfqTerms {
  const legs = [
    { instrument: testSymbol, side: 'Buy', size: '1' },
    { instrument: otherSymbol, side: 'Sell', size: '02.50' },
  ] as const
  return { rfqId: rfqUuid(idCount++), legs, ...changes }
}

/** Returns the body of the owner's request, with `changes` made after its signature. */
export function rfqBody(
  terms: RfqTerms,
  signer: Signer = owner,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const body = signRfq({ domain, signer, wallet: owner.address }, terms, nextNonce())
  return { ...body, ...changes }
}

export function rfqFrame(terms: RfqTerms, signer: Signer = owner): SignedBody {
  return signRfqFrame({ domain, signer, wallet: owner.address }, terms, nextNonce())
}

export function acceptBody(
  rfqId: string,
  quoteId: string,
  netPremium: string,
  signer: Signer = owner,
): SignedBody {
  const context = { domain, signer, wallet: owner.address }
  return signAcceptRfqQuote(context, { rfqId, quoteId, netPremium }, nextNonce())
}
