import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OperatorGuard } from '../../../gateway/operator/operator-guard.js'

function refused(host: string, names: readonly string[], hosts: readonly string[] = []): string[] {
  const guard = new OperatorGuard({ host, hosts, log: () => {} })
  return names.filter((name) => guard.refusesHost(name) !== null)
}

test('its own address, loopback and configured names are answered, and others are not', () => {
  const own = ['127.0.0.1:8081', 'LOCALHOST.', '[::1]:8081', '10.0.0.7:8081', 'ops.example:1']
  assert.deepEqual(refused('10.0.0.7', own, ['ops.example']), [])
  const others = ['10.0.0.8', 'evil.example', '127.0.0.1.evil.example', '', '10.0.0.7.nip.io']
  assert.deepEqual(refused('10.0.0.7', others, ['ops.example']), others)
})

test('a listener on all addresses answers each of them, but no name that resolves to them', () => {
  for (const host of ['0.0.0.0', '::']) {
    assert.deepEqual(refused(host, ['10.1.2.3:8081', '[fd00::7]:8081']), [])
    assert.deepEqual(refused(host, ['pod.evil.example:8081']), ['pod.evil.example:8081'])
  }
})
