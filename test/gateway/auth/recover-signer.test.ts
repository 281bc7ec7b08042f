import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { recoverSignerNoble } from '../../../bench/recover-signer-noble.js'
import { recoverSigner, recoveryPath } from '../../../gateway/auth/recover-signer.js'
import { recoverSignerWasm } from '../../../gateway/auth/recover-signer-wasm.js'
import { createSigner } from '../../../gateway/client/signer.js'
import { parseHex } from '../../../schemas/hex.js'
import { parseSignature } from '../../../schemas/signing/signature.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { projectRoot } from '../../support/project.js'
import { signingVectors } from '../../support/signing-vectors.js'

const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const paths = { native: recoverSigner, wasm: recoverSignerWasm, noble: recoverSignerNoble }
const vector = signingVectors.vectors[0]!
const digest = parseHex(vector.digest)!
const sound = parseHex(vector.signature)!

test('the native library is used here', () => {
  assert.equal(recoveryPath, 'native')
})

for (const [name, recover] of Object.entries(paths)) {
  test(`the signers of all 54 vectors, by ${name}`, () => {
    const out = new Uint8Array(20)
    const signature = new Uint8Array(65)
    for (const { name, digest, signature: text, privateKeyName } of signingVectors.vectors) {
      assert.ok(parseSignature(text, signature), name)
      assert.ok(recover(parseHex(digest)!, signature, out), name)
      assert.equal(formatAddress(out, 0), signingVectors.keys[privateKeyName]!.address, name)
    }
  })
}

test('v may be 0 or 1 instead of 27 or 28, and nothing else', () => {
  const owner = recoverByAll(digest, sound)
  for (let v = 0; v < 256; v++) {
    const signature = Uint8Array.from(sound)
    signature[64] = v
    const signer = recoverByAll(digest, signature)
    if (v === 27 || v === 28 || v <= 1) assert.equal(signer === owner, v % 27 === sound[64]! - 27)
    else assert.equal(signer, null, `v ${v}`)
  }
})

test('a wrong length fails', () => {
  for (const length of [0, 1, 64, 66, 130]) {
    const signature = new Uint8Array(length)
    signature.set(sound.subarray(0, length))
    assert.equal(recoverByAll(digest, signature), null, `${length} bytes`)
  }
})

test('r and s fail at zero, at the curve order and above', () => {
  for (const value of [0n, curveOrder, curveOrder + 1n, 2n ** 256n - 1n]) {
    assert.equal(recoverByAll(digest, withWord(sound, 0, value)), null, `r ${value}`)
    assert.equal(recoverByAll(digest, withWord(sound, 32, value)), null, `s ${value}`)
  }
  assert.equal(
    recoverByAll(digest, withWord(sound, 0, 5n)),
    null,
    'no point of the curve has x = 5',
  )
})

test('the maximum of s is half of the curve order', () => {
  const half = curveOrder / 2n
  assert.notEqual(recoverByAll(digest, withWord(sound, 32, 1n)), null)
  assert.notEqual(recoverByAll(digest, withWord(sound, 32, half)), null)
  assert.equal(recoverByAll(digest, withWord(sound, 32, half + 1n)), null)
  assert.equal(recoverByAll(digest, withWord(sound, 32, curveOrder - 1n)), null)
})

test('the mirrored signature, which recovers to the same key, fails', () => {
  const s = BigInt(`0x${Buffer.from(sound.subarray(32, 64)).toString('hex')}`)
  const mirrored = withWord(sound, 32, curveOrder - s)
  mirrored[64] = sound[64]! === 27 ? 28 : 27
  assert.equal(recoverByAll(digest, mirrored), null)
})

test('no flipped bit of a signature or digest recovers to the signer, with any library', () => {
  const owner = recoverByAll(digest, sound)
  for (let bit = 0; bit < 65 * 8; bit += 3) {
    assert.notEqual(recoverByAll(digest, flipped(sound, bit)), owner, `signature bit ${bit}`)
  }
  for (let bit = 0; bit < 32 * 8; bit += 5) {
    assert.notEqual(recoverByAll(flipped(digest, bit), sound), owner, `digest bit ${bit}`)
  }
})

test('both libraries agree on any bytes and any digest', () => {
  const digests = fc.oneof(
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
    fc.constantFrom(new Uint8Array(32), new Uint8Array(32).fill(0xff)),
  )
  const signatures = fc
    .tuple(fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.constantFrom(0, 1, 27, 28, 29, 2))
    .map(([words, v]) => {
      const signature = Uint8Array.of(...words, v)
      signature[32]! &= 0x7f // most of them get past the check of a high s
      return signature
    })
  fc.assert(
    fc.property(digests, signatures, (anyDigest, signature) => {
      recoverByAll(anyDigest, signature)
    }),
    { numRuns: 150 },
  )
})

test('signatures of random keys recover to their address', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: curveOrder - 1n }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      (key, anyDigest) => {
        const signer = createSigner(key.toString(16).padStart(64, '0'))
        assert.equal(recoverByAll(anyDigest, parseHex(signer.sign(anyDigest))!), signer.address)
      },
    ),
    { numRuns: 60 },
  )
})

test('a digest of another length is a bug of the caller, with every library', () => {
  for (const recover of Object.values(paths)) {
    assert.throws(() => recover(new Uint8Array(31), sound, new Uint8Array(20)), /32 bytes/)
  }
})

test('the module recovers in WebAssembly if the native library is missing', () => {
  const built = (file: string) => JSON.stringify(join(import.meta.dirname, '../../..', file))
  const script = `
    const { createRequire, default: Module } = await import('node:module')
    const load = Module._load
    Module._load = (request, ...rest) => {
      if (request === 'secp256k1/bindings.js') throw new Error('no addon')
      return load(request, ...rest)
    }
    const { recoverSigner, recoveryPath } =
      await import(${built('gateway/auth/recover-signer.js')})
    const { createNativeSigner } = await import(${built('gateway/maker/native-signer.js')})
    const bytes = (text) => Uint8Array.from(Buffer.from(text.slice(2), 'hex'))
    const signer = createNativeSigner('${signingVectors.keys[vector.privateKeyName]!.privateKey}')
    const signature = signer.sign(bytes('${vector.digest}'))
    const out = new Uint8Array(20)
    const ok = recoverSigner(bytes('${vector.digest}'), bytes(signature), out)
    const address = '0x' + Buffer.from(out).toString('hex')
    console.log(JSON.stringify({ recoveryPath, ok, address, signature }))`
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  assert.equal(child.status, 0, child.stderr)
  assert.deepEqual(JSON.parse(child.stdout), {
    recoveryPath: 'wasm',
    ok: true,
    address: signingVectors.keys[vector.privateKeyName]!.address,
    signature: vector.signature,
  })
})

/** Recovers on all paths, which must agree, also in leaving `out` alone when they refuse. */
function recoverByAll(anyDigest: Uint8Array, signature: Uint8Array): string | null {
  const results = Object.values(paths).map((recover) => {
    const out = new Uint8Array(20).fill(0xee)
    const isRecovered = recover(anyDigest, signature, out)
    assert.ok(isRecovered || out.every((byte) => byte === 0xee), 'out was written')
    return isRecovered ? formatAddress(out, 0) : null
  })
  const detail = [anyDigest, signature].map((bytes) => Buffer.from(bytes).toString('hex')).join(' ')
  for (const result of results) assert.equal(result, results[0], detail)
  return results[0]!
}

function withWord(signature: Uint8Array, at: number, value: bigint): Uint8Array {
  const changed = Uint8Array.from(signature)
  changed.set(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'), at)
  return changed
}

function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const changed = Uint8Array.from(bytes)
  changed[bit >> 3]! ^= 1 << (bit & 7)
  return changed
}
