import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addFailure,
  addParameter,
  chainIdOf,
  isDeclined,
  isOtherChain,
  isUnknownChain,
  signingChain,
  switchFailure,
  switchParameter,
} from '../../../../gateway/web/model/wallet-chain.js'

const chain = signingChain(31_337, 'Strikebook development', 'http://127.0.0.1:8080')

test('a wallet adds a chain that is not public with the venue as its node', () => {
  assert.deepEqual(switchParameter(chain), { chainId: '0x7a69' })
  assert.deepEqual(addParameter(chain), {
    chainId: '0x7a69',
    chainName: 'Strikebook development',
    nativeCurrency: { name: 'USD', symbol: 'USD', decimals: 18 },
    rpcUrls: ['http://127.0.0.1:8080/app/chain-rpc'],
  })
})

test('a wallet adds a public chain with its public node', () => {
  for (const [id, symbol] of [
    [998, 'HYPE'],
    [999, 'HYPE'],
  ] as const) {
    const known = signingChain(id, 'Strikebook testnet', 'http://127.0.0.1:8080')
    assert.equal(known.symbol, symbol)
    assert.match(known.rpcUrls.join(), /^https:\/\/rpc\.hyperliquid(-testnet)?\.xyz\/evm$/)
  }
})

test('a chain id is read in every form that wallets send', () => {
  assert.deepEqual(['0x7a69', '31337', 31_337, '0x1'].map(chainIdOf), [31_337, 31_337, 31_337, 1])
  assert.deepEqual(
    ['', '0x', 'x', 0, -1, 1.5, null, undefined, {}].map(chainIdOf),
    Array(9).fill(null),
  )
})

test('an unknown chain is recognized by code, by wrapped code and by text', () => {
  assert.ok(isUnknownChain({ code: 4902, message: 'Unrecognized chain ID "0x7a69".' }))
  assert.ok(isUnknownChain({ code: -32603, message: 'x', data: { originalError: { code: 4902 } } }))
  assert.ok(isUnknownChain({ code: -32603, message: 'Unrecognized chain ID "0x7a69". Try adding' }))
  for (const other of [{ code: 4001 }, new Error('no'), null, 'no', { data: null }]) {
    assert.equal(isUnknownChain(other), false)
  }
})

test('a wallet on another chain is recognized by the text of either code', () => {
  const message = 'Provided chainId "31337" must match the active chainId "1"'
  assert.ok(isOtherChain({ code: -32603, message }))
  assert.ok(isOtherChain({ code: -32602, message }))
  assert.ok(isOtherChain({ code: -32603, data: { originalError: { message } } }))
  assert.equal(isOtherChain({ code: -32603, message: 'Internal JSON-RPC error.' }), false)
})

test('each failure names the chain and the remedy', () => {
  const by = ' Select chain 31337 (Strikebook development) in the wallet, then try again.'
  const declined = { code: 4001, message: 'User rejected the request.' }
  assert.ok(isDeclined(declined))
  assert.equal(
    switchFailure(declined, 1, chain),
    `The wallet did not switch and stays on chain 1: declined.${by}`,
  )
  assert.equal(
    switchFailure({ code: 4200, message: 'Unsupported' }, 1, chain),
    `The wallet cannot switch chains for a page and stays on chain 1.${by}`,
  )
  assert.match(switchFailure({ code: -32002 }, 1, chain), /has an open request .*Answer it/)
  assert.equal(
    switchFailure({ code: -32603, message: 'boom.' }, null, chain),
    `The wallet did not switch: boom.${by}`,
  )
  assert.equal(
    addFailure(declined, chain),
    'The wallet did not add chain 31337 (Strikebook development): declined. ' +
      'Add it by hand with the RPC URL http://127.0.0.1:8080/app/chain-rpc, then try again.',
  )
})
