import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentFault } from '../../../../gateway/web/model/agent-form.js'

const wallet = `0x${'ab'.repeat(20)}`
const agent = `0x${'1F'.repeat(20)}`

test('an agent is another address, and not approved yet', () => {
  assert.equal(agentFault(agent, wallet, []), null)
  for (const text of ['', '0x12', `0x${'00'.repeat(20)}`, '<b>', `${agent} `]) {
    assert.match(agentFault(text, wallet, [])!, /address/)
  }
  assert.match(agentFault(wallet.toUpperCase().replace('0X', '0x'), wallet, [])!, /wallet/)
  assert.match(agentFault(agent, wallet, [agent.toLowerCase()])!, /already/)
})
