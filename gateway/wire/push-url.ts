import { pushEndpointBytesMax } from '../../schemas/bounds.js'

const printableText = /^[\x21-\x7e]+$/

/** @returns null: no endpoint of a push service, whichever may be called. */
export function pushUrlOf(endpoint: string): URL | null {
  if (endpoint.length > pushEndpointBytesMax || !printableText.test(endpoint)) return null
  if (!URL.canParse(endpoint)) return null
  const url = new URL(endpoint)
  const isPlain = url.username === '' && url.password === '' && url.hash === ''
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:'
  return isPlain && isHttp && url.hostname !== '' ? url : null
}
