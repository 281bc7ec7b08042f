import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSigning } from '../../../gateway/actions/signing.js'
import { createSigner } from '../../../gateway/client/signer.js'

test('checking another digest leaves the pending request and the counts unchanged', () => {
  const signing = createSigning('Strikebook', 31_337)
  const [one, other] = [createSigner('11'.repeat(32)), createSigner('22'.repeat(32))]
  const elsewhere = new Uint8Array(32).fill(9)
  signing.digest.fill(1)
  assert.equal(signing.recover(one.sign(signing.digest)), null)
  assert.equal(signing.signerOf(other.sign(elsewhere), elsewhere), other.address)
  assert.equal(signing.signerOf('0x12', elsewhere), null)
  assert.equal(signing.signerText(), one.address)
  assert.deepEqual(signing.digest, new Uint8Array(32).fill(1))
  assert.deepEqual([signing.checked, signing.failed], [1, 0])
})
