/**
 * The signed body itself, its signature as text: at once, unless its signer takes its time, which makes the signature a
 * promise until then. Rejects as the signer does.
 */
export function settled<Body extends object>(body: Body): Body | Promise<Body> {
  const signature: unknown = Reflect.get(body, 'signature')
  if (!(signature instanceof Promise)) return body
  return signature.then((text: unknown) => Object.assign(body, { signature: text }))
}

/** The same of whatever is sent: a list has signed items. */
export function settledBody(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  if (!Array.isArray(body)) return settled(body)
  const items = body.map(settledBody)
  return items.some((item) => item instanceof Promise) ? Promise.all(items) : body
}
