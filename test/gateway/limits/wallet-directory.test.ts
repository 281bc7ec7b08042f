import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../bench/event-script.js'
import { followEvents } from '../../../bench/follow-events.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import { logReaders } from '../../../engine/memory/exchange-memory.js'
import { WalletDirectory } from '../../../gateway/limits/wallet-directory.js'
import { Tier } from '../../../schemas/domain.js'
import { AccountChange, AgentChange } from '../../../schemas/record-values.js'

const { Approved, Revoked } = AgentChange

/** A directory that reads what the script writes. */
function rig() {
  const memory = smallMemory()
  const script = new EventScript(memory, 1)
  const log = new EventLogReader(memory.eventLog, logReaders.gateway(0))
  const directory = new WalletDirectory()
  const read = () => {
    script.commit()
    followEvents(log, (event) => directory.onEvent(event))
  }
  return { script, directory, read }
}

test('an unknown wallet has the default tier and no agents', () => {
  const { directory } = rig()
  assert.equal(directory.tierOf(walletOf(1)), Tier.Default)
  assert.equal(directory.agentsOf(walletOf(1)).size, 0)
})

test('tiers and agents of the bootstrap are known, and follow later changes', () => {
  const { script, directory, read } = rig()
  const account = { account: 0, wallet: walletOf(1), cashMicros: 1 }
  script.bootstrapBegin()
  script.account({ ...account, tier: Tier.Tier2 })
  script.agent(Approved, 0, walletOf(1), walletOf(7))
  script.bootstrapEnd()
  read()
  assert.equal(directory.tierOf(walletOf(1)), Tier.Tier2)
  assert.deepEqual([...directory.agentsOf(walletOf(1))], [walletOf(7)])
  script.account({ ...account, tier: Tier.MarketMaker, change: AccountChange.Tier })
  script.agent(Approved, 0, walletOf(1), walletOf(8))
  script.agent(Revoked, 0, walletOf(1), walletOf(7))
  read()
  assert.equal(directory.tierOf(walletOf(1)), Tier.MarketMaker)
  assert.deepEqual([...directory.agentsOf(walletOf(1))], [walletOf(8)])
  script.account({ ...account, tier: Tier.Default, change: AccountChange.Tier })
  script.agent(Revoked, 0, walletOf(1), walletOf(8))
  script.agent(Revoked, 0, walletOf(2), walletOf(8))
  read()
  assert.equal(directory.tierOf(walletOf(1)), Tier.Default)
  assert.equal(directory.agentsOf(walletOf(1)).size, 0)
})

test('API wallets are known by wallet and address while one name has them', () => {
  const { script, directory, read } = rig()
  const [wallet, key, other] = [walletOf(1), walletOf(7), walletOf(8)]
  script.apiWallet(Approved, wallet, key, 1)
  script.apiWallet(Approved, wallet, key, 2)
  read()
  assert.equal(directory.isApiWallet(wallet, key), true)
  assert.equal(directory.isApiWallet(wallet, other), false)
  assert.equal(directory.isApiWallet(walletOf(2), key), false)
  assert.equal(directory.agentsOf(wallet).size, 0, 'they are no agents')
  script.apiWallet(Revoked, wallet, key, 1)
  read()
  assert.equal(directory.isApiWallet(wallet, key), true)
  script.apiWallet(Revoked, wallet, key, 2)
  script.apiWallet(Revoked, wallet, key, 3)
  read()
  assert.equal(directory.isApiWallet(wallet, key), false)
  script.apiWallet(Approved, wallet, key, 1)
  read()
  directory.clear()
  assert.equal(directory.isApiWallet(wallet, key), false)
})
