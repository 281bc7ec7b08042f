import { isIP } from 'node:net'
import { mustBePushUrl, pushUrlOf } from './push-url.js'

/** Which push services may be called. */
export interface PushRules {
  /** Names, or `*.name` for all below one. */
  readonly allowedHosts: readonly string[]
  /** Whether addresses of one's own network may be called, over plain HTTP too. */
  readonly allowPrivate: boolean
}

const hostPattern = /^(\*\.)?[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$|^localhost$/

/** Push services of the browsers that people use. */
export const knownPushHosts = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'updates.push.services.mozilla.com',
  '*.push.services.mozilla.com',
  '*.notify.windows.com',
  '*.push.apple.com',
]

/** Whether a text of the configuration names push services: a name, `*.name`, or an address. */
export function isPushHost(text: string): boolean {
  return hostPattern.test(text) || isIP(text) !== 0
}

/** Host of a URL as it is looked up: an IPv6 address without its brackets, a name without a dot at its end. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** Why an endpoint is not called; null: it may be. What its name stands for is looked at when it is. */
export function endpointFaultOf(endpoint: string, rules: PushRules): string | null {
  const url = pushUrlOf(endpoint)
  if (url === null) return mustBePushUrl
  const { allowedHosts, allowPrivate } = rules
  if (url.protocol !== 'https:' && !allowPrivate) return 'must begin with https'
  const host = hostOf(url)
  if (allowPrivate && (host === 'localhost' || isIP(host) !== 0)) return null
  // Behind another port of theirs is no push service, but what may leave us hanging.
  if (url.port !== '' && !allowPrivate) return 'must be of the port of https'
  const isAllowed = allowedHosts.some((allowed) =>
    allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed,
  )
  return isAllowed ? null : 'is of no push service that is called from here'
}
