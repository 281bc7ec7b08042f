/** Authentication schemes are case-insensitive, and separated from the credentials by spaces. */
const bearer = /^bearer +(.*)$/is

/** Returns the credentials of a bearer `Authorization` header; null for any other scheme. */
export function bearerToken(authorization: string): string | null {
  return bearer.exec(authorization)?.[1] ?? null
}
