import { randomBytes } from 'node:crypto'
import { fastKeccak256 as keccak256 } from '../gateway/auth/fast-keccak.js'
import { nativeSecp256k1 } from '../gateway/auth/native-secp256k1.js'
import { assert } from '../schemas/assert.js'
import { BareServer } from './bare-server.js'

// Bare echo server in its own process. With `--recover` it recovers one signature per frame before the echo. It sends its
// URL to the parent process, and exits when the parent disconnects.

const publicKey = new Uint8Array(65)
const { signature, recid, digest } = signAnything()
const server = await BareServer.open(process.argv.includes('--recover') ? recover : undefined)
process.once('disconnect', () => process.exit())
process.send!(await server.listen())

function recover(): void {
  nativeSecp256k1!.ecdsaRecover(signature, recid, digest, false, publicKey)
}

function signAnything() {
  assert(nativeSecp256k1 !== null, 'echo: the native library did not load')
  const message = keccak256(randomBytes(32))
  return { ...nativeSecp256k1.ecdsaSign(message, randomBytes(32)), digest: message }
}
