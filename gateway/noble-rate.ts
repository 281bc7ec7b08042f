import { recoverSignerNoble } from './auth/recover-signer-noble.js'
import { parseSignature, signatureBytes } from './auth/signature.js'
import { digestBytes } from './auth/typed-data-digest.js'
import { createSigner } from './client/signer.js'

const roundsMin = 10
const millisMin = 150

/** Signatures that this thread recovers in a second without the native library, measured for a moment. */
export function nobleRatePerSecond(): number {
  const digest = new Uint8Array(digestBytes).fill(1)
  const signature = new Uint8Array(signatureBytes)
  parseSignature(createSigner('11'.repeat(32)).sign(digest), signature)
  const signer = new Uint8Array(20)
  const recover = () => recoverSignerNoble(digest, signature, signer)
  ratePerSecond(recover) // compiles it, and fills its tables
  return ratePerSecond(recover)
}

function ratePerSecond(run: () => unknown): number {
  const begin = performance.now()
  let rounds = 0
  while (rounds < roundsMin || performance.now() - begin < millisMin) {
    run()
    rounds++
  }
  return Math.round((rounds * 1000) / (performance.now() - begin))
}
