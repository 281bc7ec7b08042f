/** Path of one trade, up to its id. */
export const tradePath = '/trades/'
/** Path of one request for quote, up to its id. */
export const rfqPath = '/rfq/'
/** Path of one referral code, up to its text. */
export const referralCodePath = '/referrals/code/'
/** Path of one directive, up to its id. */
export const directivePath = '/v1/directives/'

/** Returns method and path of a key. */
export function endpointOf(key: string): readonly [method: string, path: string] {
  const end = key.indexOf(' ')
  return [key.slice(0, end), key.slice(end + 1)]
}
