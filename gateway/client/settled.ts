/**
 * Returns the signed body with its signature as text. Returns a promise if the signer is asynchronous; it rejects with
 * the signer's error.
 */
export function settled<Body extends object>(body: Body): Body | Promise<Body> {
  const signature: unknown = Reflect.get(body, 'signature')
  if (!(signature instanceof Promise)) return body
  return signature.then((text: unknown) => Object.assign(body, { signature: text }))
}

/** Settles the signature of a body, or those of the items in a list. */
export function settledBody(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  if (!Array.isArray(body)) return settled(body)
  const items = body.map(settledBody)
  return items.some((item) => item instanceof Promise) ? Promise.all(items) : body
}
