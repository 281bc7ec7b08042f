import { isIP } from 'node:net'
import { mustBePushUrl, pushUrlOf } from './push-url.js'

/** Rules for the push services that may be called. */
export interface PushRules {
  /** Names, or `*.name` for all subdomains. */
  readonly allowedHosts: readonly string[]
  /** Allows addresses of private networks, and plain HTTP. */
  readonly allowPrivate: boolean
}

const hostPattern = /^(\*\.)?[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$|^localhost$/

/** Push services of common browsers. */
export const knownPushHosts = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'updates.push.services.mozilla.com',
  '*.push.services.mozilla.com',
  '*.notify.windows.com',
  '*.push.apple.com',
]

/** True for a valid entry of the push service list: a name, `*.name`, or an address. */
export function isPushHost(text: string): boolean {
  return hostPattern.test(text) || isIP(text) !== 0
}

/** Returns the host of a URL for lookup: an IPv6 address without brackets, a name without the final dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** Returns why an endpoint must not be called, or null. Its resolved address is checked when it is called. */
export function endpointFaultOf(endpoint: string, rules: PushRules): string | null {
  const url = pushUrlOf(endpoint)
  if (url === null) return mustBePushUrl
  const { allowedHosts, allowPrivate } = rules
  if (url.protocol !== 'https:' && !allowPrivate) return 'must begin with https'
  const host = hostOf(url)
  if (allowPrivate && (host === 'localhost' || isIP(host) !== 0)) return null
  // A different port is not a push service, and might never answer.
  if (url.port !== '' && !allowPrivate) return 'must be of the port of https'
  const isAllowed = allowedHosts.some((allowed) =>
    allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed,
  )
  return isAllowed ? null : 'is of no push service that is called from here'
}
