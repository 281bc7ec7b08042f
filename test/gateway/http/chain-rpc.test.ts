import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerChainRpc } from '../../../gateway/http/chain-rpc.js'
import { httpCall } from '../../support/http-call.js'
import { hubRig } from '../../support/hub-rig.js'

const { context } = hubRig()

function ask(body: unknown) {
  let answer = { status: 0, body: {} as Record<string, unknown> }
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const call = httpCall('POST', '/app/chain-rpc', bytes, ({ status, text }) => {
    answer = { status, body: JSON.parse(text) }
  })
  answerChainRpc(context, call)
  return answer
}

test('a wallet reads the id of the signing chain', () => {
  const { chainId } = context.config
  assert.deepEqual(ask({ jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] }), {
    status: 200,
    body: { jsonrpc: '2.0', id: 7, result: `0x${chainId.toString(16)}` },
  })
  assert.deepEqual(ask({ jsonrpc: '2.0', id: 'a', method: 'net_version' }).body, {
    ...{ jsonrpc: '2.0', id: 'a', result: String(chainId) },
  })
})

test('any other method is not found, and a long id is not repeated', () => {
  const { status, body } = ask({ jsonrpc: '2.0', id: 'a'.repeat(65), method: 'eth_getBalance' })
  assert.equal(status, 200)
  assert.equal(body['id'], null)
  assert.deepEqual(body['error'], {
    code: -32601,
    message: '`method` must be eth_chainId or net_version: the venue has no blocks',
  })
})

test('a body that is not a JSON-RPC request is an error', () => {
  assert.equal(ask('{').status, 400)
  assert.equal(ask('[]').status, 400)
  assert.deepEqual([ask({ id: 1 }).status, ask({ id: 1 }).body['code']], [400, 'missing_field'])
})
