import { pushEndpointBytesMax } from '../../schemas/bounds.js'

/** Written as every reader of URLs reads it: with both slashes, and without backslashes, which some take for them. */
const urlText = /^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i

/** What is said of an endpoint that `pushUrlOf` does not take. */
export const mustBePushUrl = `must be a URL of at most ${pushEndpointBytesMax} bytes, with a host, without user and fragment`

/** @returns null: no endpoint of a push service, whichever may be called. */
export function pushUrlOf(endpoint: string): URL | null {
  if (endpoint.length > pushEndpointBytesMax || !urlText.test(endpoint)) return null
  if (!URL.canParse(endpoint)) return null
  const url = new URL(endpoint)
  const isPlain = url.username === '' && url.password === '' && url.hash === ''
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:'
  return isPlain && isHttp && url.hostname !== '' ? url : null
}
