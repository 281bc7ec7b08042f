import { createSigner } from '../client/signer.js'
import { recoverSignerNoble } from './recover-signer-noble.js'
import { parseSignature, signatureBytes } from './signature.js'
import { digestBytes } from './typed-data-digest.js'

const warmUps = 5
const roundsMin = 10
const millisMin = 50

/** Signatures that this thread recovers in a second without the native library, measured for a moment. */
export function nobleRatePerSecond(): number {
  const digest = new Uint8Array(digestBytes).fill(1)
  const signature = new Uint8Array(signatureBytes)
  parseSignature(createSigner('11'.repeat(32)).sign(digest), signature)
  const signer = new Uint8Array(20)
  for (let round = 0; round < warmUps; round++) recoverSignerNoble(digest, signature, signer)
  const begin = performance.now()
  let rounds = 0
  while (rounds < roundsMin || performance.now() - begin < millisMin) {
    recoverSignerNoble(digest, signature, signer)
    rounds++
  }
  return Math.round((rounds * 1000) / (performance.now() - begin))
}
