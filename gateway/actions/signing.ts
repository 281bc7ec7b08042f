import { Result } from '../../schemas/results.js'
import {
  parseSignature,
  signatureBytes,
  signatureFormFault,
} from '../../schemas/signing/signature.js'
import { digestBytes } from '../../schemas/signing/typed-data-digest.js'
import {
  type SigningDomain,
  type SigningDomains,
  signingDomains,
} from '../../schemas/typed-data.js'
import { addressBytes, formatAddress } from '../../schemas/wallet.js'
import { fastKeccak256 } from '../auth/fast-keccak.js'
import { recoverSigner } from '../auth/recover-signer.js'
import { Fault } from '../wire/fault.js'
import { OrderDigester } from './order-digest.js'

type KeptSigning = readonly [
  wallet: Uint8Array,
  nonce: Uint32Array,
  digest: Uint8Array,
  signer: Uint8Array,
]

/**
 * State of signed requests, shared within a thread: the digester, and one buffer for each part of the current request.
 * One set suffices, because a request is processed from JSON to the command ring without a pause.
 */
export class Signing {
  readonly digester: OrderDigester
  readonly domains: SigningDomains
  /** Domain of option, RFQ and account actions. */
  readonly domain: SigningDomain
  /** `compat.unknownFields`: true if a signed body may not have unknown fields. */
  readonly refusesUnknownFields: boolean
  /** Wallet of the request, 20 bytes. */
  readonly wallet = new Uint8Array(addressBytes)
  readonly builder = new Uint8Array(addressBytes)
  /** High and low half of the nonce. */
  readonly nonce = new Uint32Array(2)
  readonly digest = new Uint8Array(digestBytes)
  readonly signer = new Uint8Array(addressBytes)
  /** Signatures recovered so far, and those that were invalid. */
  checked = 0
  failed = 0
  readonly #signature = new Uint8Array(signatureBytes)
  readonly #otherSigner = new Uint8Array(addressBytes)

  constructor(domains: SigningDomains, refusesUnknownFields = false) {
    this.domains = domains
    this.domain = domains.options
    this.refusesUnknownFields = refusesUnknownFields
    this.digester = new OrderDigester(this.domain, fastKeccak256)
  }

  /** Recovers `signer` from `digest` and the signature's text. */
  recover(signature: string): Fault | null {
    const isSound = this.#recover(signature, this.digest, this.signer)
    this.checked++
    if (isSound) return null
    this.failed++
    const malformed = signatureFormFault(signature)
    if (malformed === null) return new Fault(Result.SignatureFailed)
    return new Fault(Result.SignatureFailed, {}, `Signature verification failed: ${malformed}`)
  }

  /**
   * Recovers the address of a signature over another digest, as text, or null. Leaves `digest` and `signer` unchanged.
   */
  signerOf(signature: string, digest: Uint8Array): string | null {
    const isSound = this.#recover(signature, digest, this.#otherSigner)
    return isSound ? formatAddress(this.#otherSigner, 0) : null
  }

  /** Copies the state of a request that has to wait while others are processed. */
  keep(): KeptSigning {
    const { wallet, nonce, digest, signer } = this
    return [wallet.slice(), nonce.slice(), digest.slice(), signer.slice()]
  }

  /** Restores the state of a request that continues. */
  restore([wallet, nonce, digest, signer]: KeptSigning): void {
    this.wallet.set(wallet)
    this.nonce.set(nonce)
    this.digest.set(digest)
    this.signer.set(signer)
  }

  signerText(): string {
    return formatAddress(this.signer, 0)
  }

  #recover(signature: string, digest: Uint8Array, signer: Uint8Array): boolean {
    return (
      parseSignature(signature, this.#signature) && recoverSigner(digest, this.#signature, signer)
    )
  }
}

/** Creates the signing state of a service and chain. */
export function createSigning(
  serviceName: string,
  chainId: number,
  refusesUnknownFields = false,
): Signing {
  return new Signing(signingDomains(serviceName, chainId), refusesUnknownFields)
}
