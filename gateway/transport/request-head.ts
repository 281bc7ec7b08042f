/** Headers of a request, in order, with lower-case names. */
export interface HeaderSource {
  forEach(take: (name: string, value: string) => void): void
}

/**
 * Framing and client headers of a request. The library returns only the first of several headers with one name, and
 * takes any `Transfer-Encoding` for `chunked`. A proxy in front may then see a different end of the request, and take
 * what follows for another client's request. So this class checks all of them, and rejects ambiguous ones.
 */
export class RequestHead {
  /** All `X-Forwarded-For` headers in order, as one list; '' without any. */
  forwardedFor = ''
  /** `Host` as received. */
  host = ''
  /** All `Accept` headers as one list; '' without any. */
  accept = ''
  /** All `Accept-Encoding` headers as one list; '' without any. */
  acceptEncoding = ''
  #hosts = 0
  #lengths = 0
  #length = ''
  #encodings = 0
  #encoding = ''

  /** Reads the headers of a request, and forgets those of the previous one. */
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

  /** Returns why the request must not be served, or null. */
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

/** Joins the headers of one name to a list. */
function joined(list: string, value: string): string {
  return list === '' ? value : `${list},${value}`
}
