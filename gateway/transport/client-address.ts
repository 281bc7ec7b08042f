import { BlockList, isIP } from 'node:net'

const ipv4Bytes = 4
const ipv6Bytes = 16
const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
const networkPattern = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/
const portedIpv4Pattern = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/
const portedIpv6Pattern = /^\[([0-9A-Fa-f.:]+)\](?::\d{1,5})?$/
// The list is as long as the chain of proxies; longer ones are forged by a client.
const hopsMax = 32

/** True for an address or a network (`10.0.0.0/8`, `fd00::/8`), as in `http.trustedProxies`. */
export function isNetwork(text: string): boolean {
  const match = networkPattern.exec(text)
  if (match === null) return false
  const family = isIP(match[1]!)
  if (family === 0) return false
  return match[2] === undefined || Number(match[2]) <= (family === 4 ? 32 : 128)
}

/**
 * Client addresses of requests. A proxy in front of the venue appends the address that it sees to `X-Forwarded-For`;
 * the client may have written everything further left. So the header is read from the right, while the sender is a
 * trusted proxy.
 */
export class ClientAddresses {
  readonly #trusted = new BlockList()
  readonly #hasTrusted: boolean

  /**
   * @param networks Each is a valid `isNetwork`.
   */
  constructor(networks: readonly string[]) {
    this.#hasTrusted = networks.length > 0
    for (const network of networks) {
      const [address, bits] = network.split('/') as [string, string | undefined]
      const own = addressText(addressBytesOf(address)!)
      const isMapped = isIP(address) === 6 && isIP(own) === 4
      const family = isIP(own) === 4 ? 'ipv4' : 'ipv6'
      if (bits === undefined) this.#trusted.addAddress(own, family)
      else if (isMapped) this.#trusted.addSubnet(own, Math.max(0, Number(bits) - 96), 'ipv4')
      else this.#trusted.addSubnet(own, Number(bits), family)
    }
  }

  /** True if the peer of a connection is a trusted proxy. */
  isProxy(peer: Uint8Array): boolean {
    if (!this.#hasTrusted) return false
    const text = addressText(peer)
    return this.#trusted.check(text, isIP(text) === 4 ? 'ipv4' : 'ipv6')
  }

  /**
   * Returns the rightmost address that is not a trusted proxy, or the leftmost if all are. An invalid entry ends the
   * list: the address to its right, which passed it on, is the client.
   * @param peer 4 or 16 address bytes of the connection's peer.
   * @param forwardedFor All `X-Forwarded-For` headers as one list.
   * @returns 4 or 16 bytes.
   */
  clientOf(peer: Uint8Array, forwardedFor: string): Uint8Array {
    let client = peer
    if (forwardedFor === '' || !this.isProxy(peer)) return client
    const hops = forwardedFor.split(',', hopsMax + 1)
    const last = hops.length > hopsMax ? forwardedFor.split(',').slice(-hopsMax) : hops
    for (const hop of last.reverse()) {
      const address = addressBytesOf(hop.trim())
      if (address === null) return client
      client = address
      if (!this.isProxy(address)) return client
    }
    return client
  }
}

/** Parses an address, also with a port as some proxies write it. Unwraps an IPv4 address mapped into IPv6. */
export function addressBytesOf(text: string): Uint8Array | null {
  const bare = portedIpv4Pattern.exec(text)?.[1] ?? portedIpv6Pattern.exec(text)?.[1] ?? text
  const family = isIP(bare)
  if (family === 4) return Uint8Array.from(bare.split('.'), Number)
  if (family === 0 || bare.includes('%')) return null
  return withoutMapping(bytesOfIpv6(bare))
}

function bytesOfIpv6(text: string): Uint8Array {
  const bytes = new Uint8Array(ipv6Bytes)
  const [head, tail] = text.split('::') as [string, string | undefined]
  bytes.set(groupBytes(head))
  if (tail !== undefined) {
    const end = groupBytes(tail)
    bytes.set(end, bytes.length - end.length)
  }
  return bytes
}

function groupBytes(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number)
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

/** Unwraps an IPv4 address mapped into IPv6. Returns any other address as it is. */
export function withoutMapping(address: Uint8Array): Uint8Array {
  const isMapped =
    address.length === ipv6Bytes && mappedPrefix.every((byte, i) => address[i] === byte)
  return isMapped ? address.subarray(mappedPrefix.length) : address
}

/** Formats an address; IPv6 with every group. */
export function addressText(address: Uint8Array): string {
  const own = withoutMapping(address)
  if (own.length === ipv4Bytes) return own.join('.')
  const groups: string[] = []
  for (let i = 0; i < own.length; i += 2) {
    groups.push(((own[i]! << 8) | own[i + 1]!).toString(16))
  }
  return groups.join(':')
}
