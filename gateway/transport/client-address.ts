import { BlockList, isIP } from 'node:net'

const ipv4Bytes = 4
const ipv6Bytes = 16
const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
const networkPattern = /^([0-9A-Fa-f.:]+)(?:\/(\d{1,3}))?$/
const portedIpv4Pattern = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/
const portedIpv6Pattern = /^\[([0-9A-Fa-f.:]+)\](?::\d{1,5})?$/
// A list of addresses is as long as the way through proxies; longer ones are a client's own.
const hopsMax = 32

/** Whether text is an address or a network (`10.0.0.0/8`, `fd00::/8`), as `http.trustedProxies` lists them. */
export function isNetwork(text: string): boolean {
  const match = networkPattern.exec(text)
  if (match === null) return false
  const family = isIP(match[1]!)
  if (family === 0) return false
  return match[2] === undefined || Number(match[2]) <= (family === 4 ? 32 : 128)
}

/**
 * Who a request comes from. A proxy that stands before the venue appends the address that it sees to
 * `X-Forwarded-For`; what stands further left, the client may have written. So the header is believed from the right,
 * as long as it is a trusted proxy that says so.
 */
export class ClientAddresses {
  readonly #trusted = new BlockList()
  readonly #hasTrusted: boolean

  /** @param networks each of which `isNetwork`. */
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

  /** Whether the one at the other end of a connection is a trusted proxy. */
  isProxy(peer: Uint8Array): boolean {
    if (!this.#hasTrusted) return false
    const text = addressText(peer)
    return this.#trusted.check(text, isIP(text) === 4 ? 'ipv4' : 'ipv6')
  }

  /**
   * The rightmost address that is no trusted proxy's, or where all are, the leftmost. What is no address ends the
   * list: then the one to the right of it counts, who passed it on.
   * @param peer 4 or 16 bytes of the other end of the connection.
   * @param forwardedFor all `X-Forwarded-For` headers as one list.
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

/** Bytes of an address, also of one with a port as some proxies write it; an IPv4 address within IPv6 is itself. */
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

/** An address of 4 or 16 bytes; an IPv4 address within IPv6 as itself. */
export function withoutMapping(address: Uint8Array): Uint8Array {
  const isMapped =
    address.length === ipv6Bytes && mappedPrefix.every((byte, i) => address[i] === byte)
  return isMapped ? address.subarray(mappedPrefix.length) : address
}

/** An address as it is written: of IPv6 each group. */
export function addressText(address: Uint8Array): string {
  const own = withoutMapping(address)
  if (own.length === ipv4Bytes) return own.join('.')
  const groups: string[] = []
  for (let i = 0; i < own.length; i += 2) {
    groups.push(((own[i]! << 8) | own[i + 1]!).toString(16))
  }
  return groups.join(':')
}
