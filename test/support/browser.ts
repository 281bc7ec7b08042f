import { createECDH, randomBytes } from 'node:crypto'

/** Creates the keys that a browser has for a push subscription, and their public part. */
export function newBrowser(endpoint = 'https://push.example/1') {
  const pair = createECDH('prime256v1')
  const point = pair.generateKeys()
  const secret = randomBytes(16)
  const keys = { p256dh: point.toString('base64url'), auth: secret.toString('base64url') }
  return { pair, point, secret, subscription: { endpoint, expirationTime: null, keys } }
}
