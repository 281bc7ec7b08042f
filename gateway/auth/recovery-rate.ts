import { parseSignature, signatureBytes } from '../../schemas/signing/signature.js'
import { digestBytes } from '../../schemas/signing/typed-data-digest.js'
import { recoverSigner, recoveryPath } from './recover-signer.js'

const roundsMin = 10
/** Native code reaches its full speed sooner. */
const millisMin = recoveryPath === 'native' ? 50 : 150
/** Signed with the private key of 32 bytes 0x11 over a digest of 32 bytes 1; any valid one takes as long. */
const validSignature =
  '0x3e8c363aa97671cdba9205746916df555a955ebba74f4cae54f89cb9e654dc08' +
  '5c79f2f1f5b27ea08462ecb76733535b18e34cdeeb9c704c96eb5b8b3ed17f891c'

/** Measures briefly how many signatures this thread recovers per second. */
export function recoveryRatePerSecond(): number {
  const digest = new Uint8Array(digestBytes).fill(1)
  const signature = new Uint8Array(signatureBytes)
  parseSignature(validSignature, signature)
  const signer = new Uint8Array(20)
  const recover = () => recoverSigner(digest, signature, signer)
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
