/** The headers of a request, one after the other, their names in lower case. */
export interface HeaderSource {
  forEach(take: (name: string, value: string) => void): void
}

/**
 * What the headers of a request say about where its body ends, whom it asks, and who sent it. The library gives only
 * the first of several headers of a name, and takes any `Transfer-Encoding` for `chunked`: whoever stands before us
 * may read another end of the request than we do, and take what follows for a request of somebody else. So all of
 * them are looked at, and what can be read in two ways is refused.
 */
export class RequestHead {
  /** `X-Forwarded-For`, all of its headers in order, as one list; '' without any. */
  forwardedFor = ''
  /** `Host`, as it was sent. */
  host = ''
  /** `Accept`, all of its headers as one list; '' without any. */
  accept = ''
  /** `Accept-Encoding`, all of its headers as one list; '' without any. */
  acceptEncoding = ''
  #hosts = 0
  #lengths = 0
  #length = ''
  #encodings = 0
  #encoding = ''

  /** Reads the headers of a request; what was read of the one before is forgotten. */
  read(request: HeaderSource): void {
    this.forwardedFor = ''
    this.host = ''
    this.accept = ''
    this.acceptEncoding = ''
    this.#hosts = 0
    this.#lengths = 0
    this.#encodings = 0
    request.forEach(this.#take)
  }

  /** Why the request must not be served, or null. */
  fault(): string | null {
    if (this.#lengths > 1) return 'More than one Content-Length'
    if (this.#lengths === 1 && this.#length === '') return 'Empty Content-Length'
    if (this.#encodings > 0) {
      const isChunked = this.#encodings === 1 && this.#encoding.toLowerCase() === 'chunked'
      if (!isChunked) return 'Transfer-Encoding must be chunked'
      if (this.#lengths > 0) return 'Both Content-Length and Transfer-Encoding'
    }
    return this.#hosts > 1 ? 'More than one Host' : null
  }

  readonly #take = (name: string, value: string): void => {
    if (name === 'content-length') {
      this.#lengths++
      this.#length = value
    } else if (name === 'transfer-encoding') {
      this.#encodings++
      this.#encoding = value
    } else if (name === 'host') {
      this.#hosts++
      this.host = value
    } else if (name === 'x-forwarded-for') {
      this.forwardedFor = joined(this.forwardedFor, value)
    } else if (name === 'accept') this.accept = joined(this.accept, value)
    else if (name === 'accept-encoding') this.acceptEncoding = joined(this.acceptEncoding, value)
  }
}

/** Headers of one name, as the list that they stand for. */
function joined(list: string, value: string): string {
  return list === '' ? value : `${list},${value}`
}
