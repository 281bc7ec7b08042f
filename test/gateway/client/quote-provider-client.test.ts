import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type WebSocket, WebSocketServer } from 'ws'
import { ConnectionError } from '../../../gateway/client/client-error.js'
import { QuoteProviderClient } from '../../../gateway/client/quote-provider-client.js'
import type { RfqQuoteTerms, SigningContext } from '../../../gateway/client/signed-actions.js'
import { createSigner } from '../../../gateway/client/signer.js'

const signer = createSigner('11'.repeat(32))
const authenticated = { type: 'authenticated', capabilities: [] }
const domain = { name: 'Test', version: '1', chainId: 1, verifyingContract: null }
const context = { domain, signer, wallet: signer.address } as unknown as SigningContext
const terms: RfqQuoteTerms = {
  rfqId: '00000000-0000-4000-8000-000000000001',
  legs: [{ instrument: 'BTC-20991231-100000-C', side: 'buy', size: '1', price: '5' }],
  netPremium: '5',
  validForMillis: 5000,
}

/** Starts an exchange that stores frames, and answers the handshake unless it is mute. */
async function exchangeOf(test: TestContext, isMute = false) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const frames: Record<string, unknown>[] = []
  const sockets: WebSocket[] = []
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data))
      frames.push(frame)
      if (frame.type === 'connect_quote_provider' && !isMute)
        socket.send(JSON.stringify({ ...authenticated, wallet: frame.wallet }))
    })
  })
  test.after(() => {
    for (const socket of sockets) socket.terminate()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, frames, sockets }
}

test('the client gives up on an exchange that does not answer the handshake', async (test) => {
  const { url, sockets } = await exchangeOf(test, true)
  const opening = QuoteProviderClient.connect({ url, context, nonce: 1, timeoutMillis: 50 })
  await assert.rejects(opening, (error) => {
    assert.ok(error instanceof ConnectionError)
    assert.match(error.message, /no answer within 50 ms/)
    return true
  })
  // On a slow machine the client gives up before the venue sees a connection.
  const [socket] = sockets
  if (socket !== undefined && socket.readyState !== socket.CLOSED) await once(socket, 'close')
})

test('a quote signed by a key is sent at once, in order with later messages', async (test) => {
  const { url, frames } = await exchangeOf(test)
  const session = await QuoteProviderClient.connect({ url, context, nonce: 1, timeoutMillis: 1000 })
  const quoted = session.quote(terms, 2)
  session.decline(terms.rfqId)
  await quoted
  // The time for the handshake has passed; the session stays.
  await new Promise((resolve) => setTimeout(resolve, 1100))
  assert.deepEqual(
    frames.map(({ type, action }) => `${type} ${action}`),
    ['connect_quote_provider undefined', 'rfq_response quote', 'rfq_response decline'],
  )
  session.close()
})

test('a remote signer that fails makes its quote fail, and nothing is sent', async (test) => {
  const { url, frames } = await exchangeOf(test)
  let signatures = 0
  const signTyped = async () => {
    if (++signatures > 1) throw new Error('the device was unplugged')
    return `0x${'11'.repeat(65)}`
  }
  const remote = { ...context, signer: { ...signer, signTyped } }
  const session = await QuoteProviderClient.connect({ url, context: remote, nonce: 1 })
  await assert.rejects(session.quote(terms, 2), /the device was unplugged/)
  session.decline(terms.rfqId)
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(frames.length, 2)
  session.close()
})
