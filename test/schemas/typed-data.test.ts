import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signingDomains } from '../../schemas/typed-data.js'

test('an environment has four domains, three of them its own', () => {
  const domains = signingDomains('Strikebook', 31337)
  const names = Object.values(domains).map((domain) => `${domain.name}/${domain.chainId}`)
  assert.deepEqual(names, [
    'Strikebook/31337',
    'StrikebookApiSign/31337',
    'StrikebookManagerSign/31337',
    'Exchange/1337',
  ])
})
