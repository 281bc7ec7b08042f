import { Envelope } from '../../schemas/interface/answer.js'
import { Result } from '../../schemas/results.js'
import type { HttpCall } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import { unknownPathText } from '../wire/unknown-field.js'
import { answerFault, answerPreflight } from './http-answer.js'

export type Handler = (call: HttpCall) => void

/** Operations of one path, by method. GET includes HEAD. */
export type Operations = Readonly<Partial<Record<'GET' | 'POST' | 'PUT' | 'DELETE', Handler>>>

/** Paths removed from the interface: 404 for every method. */
export const removedPaths: ReadonlySet<string> = new Set([
  '/candles',
  '/profile/image',
  '/limit_iv',
  '/profile/username-request',
])

/** Dispatches a request to its operation, or answers why there is none. */
export class Router {
  readonly #paths: ReadonlyMap<string, Operations>

  constructor(paths: ReadonlyMap<string, Operations>) {
    this.#paths = paths
  }

  route(call: HttpCall): void {
    const operations = this.#paths.get(call.path) ?? this.#paths.get(parentOf(call.path))
    if (operations === undefined) {
      unknownPath(call, this.#paths.keys())
      return
    }
    const method = call.method === 'HEAD' ? 'GET' : call.method
    const isServed =
      method === 'GET' || method === 'POST' || method === 'PUT' || method === 'DELETE'
    const handler = isServed ? operations[method] : undefined
    if (handler !== undefined) handler(call)
    else if (method === 'OPTIONS') answerPreflight(call, methodsOf(operations))
    else {
      const allow = [['Allow', methodsOf(operations)]] as const
      answerFault(call, new Fault(Result.MethodNotAllowed), Envelope.Bare, allow)
    }
  }
}

/** Returns `/trades/` for `/trades/7`; '' for a path that is not exactly one level below another. */
function parentOf(path: string): string {
  const end = path.lastIndexOf('/') + 1
  return end > 1 && end < path.length ? path.slice(0, end) : ''
}

function unknownPath(call: HttpCall, known: Iterable<string>): void {
  const { method, path } = call
  const isRead = method === 'GET' || method === 'HEAD'
  if (method === 'OPTIONS') answerPreflight(call, 'GET, HEAD, POST, PUT, DELETE, OPTIONS')
  else if (removedPaths.has(path)) answerFault(call, new Fault(Result.NotFound))
  else {
    const result = isRead ? Result.NotFound : Result.UnsupportedEndpoint
    answerFault(call, new Fault(result, {}, unknownPathText(result, path, known)))
  }
}

function methodsOf(operations: Operations): string {
  const methods = Object.keys(operations).flatMap((method) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  )
  return [...methods, 'OPTIONS'].join(', ')
}
