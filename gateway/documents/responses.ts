// Building blocks of the responses of both HTTP documents.

type Json = Readonly<Record<string, unknown>>

export const jsonType = 'application/json'
export const htmlType = 'text/html'
export const headers = {
  requestId: header('string', 'As it was sent'),
  limit: header('integer', 'Requests in a minute; -1: unlimited'),
  remaining: header('integer', 'Remaining requests in this minute; -1: unlimited'),
  reset: header('integer', 'Unix seconds at which the window ends'),
  retryAfter: header('integer', 'Seconds until the window ends'),
}

/** Responses that many operations share; the document has each once. */
export class SharedResponses {
  readonly texts: Record<string, Json> = {}
  readonly #names = new Map<string, string>()

  /** Adds a response. @returns a reference to it. */
  share(status: number, response: Json): Json {
    const key = JSON.stringify(response)
    const known = this.#names.get(key)
    const name = known ?? `Error${status}_${this.#names.size + 1}`
    if (known === undefined) {
      this.#names.set(key, name)
      this.texts[name] = response
    }
    return { $ref: `#/components/responses/${name}` }
  }
}

export function response(description: string, content: Json, ownHeaders: Json): Json {
  return {
    description,
    ...(Object.keys(ownHeaders).length === 0 ? {} : { headers: ownHeaders }),
    content,
  }
}

export function header(type: string, description: string): Json {
  return { description, schema: { type } }
}
