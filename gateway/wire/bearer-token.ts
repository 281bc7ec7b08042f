/** Schemes of HTTP's authentication are the same in any case; spaces stand before the credentials. */
const bearer = /^bearer +(.*)$/is

/** What an `Authorization` header bears; null where it is of another scheme. */
export function bearerToken(authorization: string): string | null {
  return bearer.exec(authorization)?.[1] ?? null
}
