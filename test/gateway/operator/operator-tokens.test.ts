import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { hasScope } from '../../../gateway/operator/operator-scopes.js'
import {
  newToken,
  OperatorTokens,
  parseScopes,
  withoutTokens,
} from '../../../gateway/operator/operator-tokens.js'
import { operatorScopes } from '../../../schemas/interface/operator.js'

const folder = mkdtempSync(join(tmpdir(), 'strikebook-tokens-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0
const alice = newToken('alice', ['read', 'halts'])
const bob = newToken('bob', ['money'])

function fileOf(...lines: readonly string[]): string {
  const path = join(folder, `tokens-${++files}`)
  writeFileSync(path, lines.join('\n'), { mode: 0o600 })
  return path
}

function tokensOf(path: string, own = 'own'): OperatorTokens {
  const tokens = new OperatorTokens(own, { path, onChange: () => {} })
  after(() => tokens.close())
  return tokens
}

const nameOf = (tokens: OperatorTokens, token: string) =>
  tokens.identityOf(`Bearer ${token}`)?.name ?? null

test('each token has an identity and its scopes; the configured token has every scope', () => {
  const tokens = tokensOf(fileOf('# who', alice.line, '', `${bob.line} # since May`))
  assert.deepEqual(tokens.identityOf(`Bearer ${alice.token}`), {
    name: 'alice',
    scopes: ['read', 'halts'],
  })
  assert.equal(nameOf(tokens, bob.token), 'bob')
  assert.equal(tokens.identityOf(`bearer ${bob.token}`)?.name, 'bob')
  const own = tokens.identityOf('Bearer own')!
  assert.equal(own.name, 'operator')
  for (const scope of operatorScopes) assert.ok(hasScope(own, scope))
  const narrow = tokens.identityOf(`Bearer ${alice.token}`)!
  assert.deepEqual(
    operatorScopes.filter((scope) => hasScope(narrow, scope)),
    ['read', 'halts'],
  )
  assert.deepEqual(tokens.namesWith('money'), ['operator', 'bob'])
})

test('a similar token is invalid, and so are its hash and a token in another scheme', () => {
  const tokens = tokensOf(fileOf(alice.line))
  const hash = alice.line.split(':')[1]!
  const near = [`${alice.token}x`, alice.token.slice(0, -1), alice.token.toUpperCase(), hash, '']
  for (const token of near) assert.equal(nameOf(tokens, token), null)
  for (const header of [alice.token, `Basic ${alice.token}`]) {
    assert.equal(tokens.identityOf(header), null)
  }
})

test('the hash of a guessable word is not accepted as a token', () => {
  // SHA-256 of `password`.
  const hash = '5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8'
  assert.equal(nameOf(tokensOf(fileOf(`eve all sha256:${hash}`)), 'password'), null)
})

test('a file with a mistake fails as a whole, with its line and without its words', () => {
  const cases: readonly (readonly [lines: readonly string[], fault: RegExp])[] = [
    [['alice read'], /line 1: write <identity> <scopes> sha256/],
    [[alice.line, `bob ${'read,cash'} sha256:${'0'.repeat(64)}`], /line 2: scope cash: read, /],
    [[`operator read sha256:${'0'.repeat(64)}`], /line 1: identity operator: that is who/],
    [[`Alice read sha256:${'0'.repeat(64)}`], /line 1: identity Alice: a small letter/],
    [['alice read sha256:12'], /line 1: the hash is/],
    [[alice.line, alice.line.replace('alice', 'bob')], /line 2: the hash of line 1 again/],
    [[`alice read ${alice.token}`], /line 1: the line has a token instead of its hash/],
  ]
  for (const [lines, fault] of cases) {
    assert.throws(
      () => tokensOf(fileOf(...lines)),
      (error: Error) => {
        assert.match(error.message, fault)
        assert.ok(!error.message.includes(alice.token))
        return true
      },
    )
  }
})

test('one token cannot belong to two identities, also if one of them is configured', () => {
  const path = fileOf(alice.line)
  assert.throws(() => tokensOf(path, alice.token), /the token of alice is also operator\.token/)
})

test('a file that others may write to fails', () => {
  const path = fileOf(alice.line)
  chmodSync(path, 0o620)
  assert.throws(() => tokensOf(path), /only its owner may have write permission/)
})

test('a changed file applies without a restart; one with a mistake is reported, and changes nothing', async () => {
  const path = fileOf(alice.line)
  const heard: (string | null)[] = []
  let onReceived = () => {}
  const tokens = new OperatorTokens('', {
    ...{ path, pollMillis: 5 },
    onChange: (fault) => {
      heard.push(fault)
      onReceived()
    },
  })
  // Polling the file keeps no process alive.
  const alive = setInterval(() => {}, 1000)
  after(() => {
    clearInterval(alive)
    tokens.close()
  })
  const replace = async (...lines: readonly string[]) => {
    const reported = new Promise<void>((resolve) => {
      onReceived = resolve
    })
    renameSync(fileOf(...lines), path)
    await reported
  }
  const next = newToken('alice', ['read'])
  await replace(alice.line, next.line)
  assert.deepEqual([nameOf(tokens, alice.token), nameOf(tokens, next.token)], ['alice', 'alice'])
  await replace(next.line)
  assert.deepEqual([nameOf(tokens, alice.token), nameOf(tokens, next.token)], [null, 'alice'])
  await replace(next.line, 'bob')
  assert.match(heard.at(-1)!, /line 2/)
  assert.equal(nameOf(tokens, next.token), 'alice')
  await replace('')
  assert.equal(nameOf(tokens, next.token), null)
  assert.ok(tokens.isOpen)
})

test('a token removed from the file stops working with the next request, before the file is polled', () => {
  const path = fileOf(alice.line)
  const tokens = new OperatorTokens('', { path, pollMillis: 3_600_000, onChange: () => {} })
  assert.deepEqual([nameOf(tokens, alice.token), tokens.namesWith('read')], ['alice', ['alice']])
  renameSync(fileOf(''), path)
  assert.deepEqual(tokens.namesWith('read'), [])
  renameSync(fileOf(alice.line), path)
  assert.equal(nameOf(tokens, alice.token), 'alice')
  renameSync(fileOf(''), path)
  assert.equal(nameOf(tokens, alice.token), null)
  tokens.close()
})

test('scopes are named once each, and a token is masked wherever it appears', () => {
  assert.deepEqual(parseScopes('read,read,money'), ['read', 'money'])
  assert.match(String(parseScopes('')), /^scope : read/)
  assert.equal(withoutTokens(`/operator/${alice.token}?x`), '/operator/***?x')
})
