import { pushEndpointBytesMax } from '../../schemas/bounds.js'

/** URL form that all parsers read alike: two slashes, and no backslashes, which some parsers convert to slashes. */
const urlText = /^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i

/** Error for an endpoint that `pushUrlOf` rejects. */
export const mustBePushUrl =
  `must be an http or https URL of at most ${pushEndpointBytesMax} bytes, without user name, password and ` +
  `fragment`

/** Parses an endpoint. @returns Null if it cannot be a push service's URL, whatever the rules allow. */
export function pushUrlOf(endpoint: string): URL | null {
  if (endpoint.length > pushEndpointBytesMax || !urlText.test(endpoint)) return null
  if (!URL.canParse(endpoint)) return null
  const url = new URL(endpoint)
  const isPlain = url.username === '' && url.password === '' && url.hash === ''
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:'
  return isPlain && isHttp && url.hostname !== '' ? url : null
}
