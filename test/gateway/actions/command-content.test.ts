import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeContent } from '../../../gateway/actions/command-content.js'
import { Tier } from '../../../schemas/domain.js'
import { CommandType, SetHaltCommand, SetTierCommand } from '../../../schemas/generated/commands.js'
import { OneRecord } from '../../support/one-record.js'

test('a command has the values of its fields by name, and the bytes of addresses', () => {
  const command = new SetTierCommand()
  assert.ok(command.claim(new OneRecord(), CommandType.SetTier))
  const wallet = Uint8Array.from({ length: 20 }, (_, index) => index + 1)
  writeContent(command, { wallet, tier: Tier.MarketMaker })
  assert.equal(command.tier, Tier.MarketMaker)
  assert.deepEqual(command.u8.slice(command.walletAt, command.walletAt + 20), wallet)
})

test('a field without a name of its own is written by a function', () => {
  const command = new SetHaltCommand()
  assert.ok(command.claim(new OneRecord()))
  writeContent(command, (record) => {
    record.underlyingText = 'BTC'
  })
  assert.equal(command.underlyingText, 'BTC')
})
