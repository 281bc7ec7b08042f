import { Result } from '../../schemas/results.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { HttpCall } from '../transport/transport.js'
import { BodyFields } from '../wire/body-fields.js'
import { Fault } from '../wire/fault.js'
import { answerFault, answerJson } from './http-answer.js'
import { readJsonBody } from './json-body.js'

const fields = new BodyFields({ jsonrpc: 'text', id: 'any', method: 'text', 'params?': 'any' })
const methodNotFoundCode = -32601
const idLengthMax = 64
const methods = ['eth_chainId', 'net_version'] as const

/**
 * Handles POST /app/chain-rpc: returns the id of the signing chain. A wallet adds a chain only if its RPC URL answers
 * `eth_chainId` with that id, and a private chain has no other node. The venue has no blocks, balances or gas, so it
 * answers nothing else.
 */
export function answerChainRpc({ config }: GatewayContext, call: HttpCall): void {
  const body = readJsonBody(call.body)
  const fault = body instanceof Fault ? body : fields.fault(body, false)
  if (body instanceof Fault || fault !== null) {
    answerFault(call, fault ?? new Fault(Result.InvalidRequest))
    return
  }
  const { id, method } = body
  const answer = { jsonrpc: '2.0', id: idOf(id), ...resultOf(method, config.chainId) }
  answerJson(call, 200, JSON.stringify(answer))
}

/** JSON-RPC allows a number or a text. */
function idOf(id: unknown): number | string | null {
  if (typeof id === 'number') return id
  return typeof id === 'string' && id.length <= idLengthMax ? id : null
}

function resultOf(method: unknown, chainId: number): object {
  if (method === 'eth_chainId') return { result: `0x${chainId.toString(16)}` }
  if (method === 'net_version') return { result: String(chainId) }
  const message = `\`method\` must be ${methods.join(' or ')}: the venue has no blocks`
  return { error: { code: methodNotFoundCode, message } }
}
