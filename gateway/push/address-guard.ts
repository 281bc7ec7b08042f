import { Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Resolves the addresses of a name. @throws Error if it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** Address that may be called. */
export interface VettedAddress {
  readonly address: string
  /** True if it is on the public internet. A private address cannot have a verifiable certificate. */
  readonly isPublic: boolean
}

/** The name resolves to an address that must not be called. */
export class AddressRefused extends Error {}

const resolveMillis = 3000

/** IPv4 networks that are private, reserved or local. */
const closed4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Public address through which machines of a large cloud request their own secrets.
  '168.63.129.16/32',
]
/** The only open IPv6 range: excludes loopback, private and link-local addresses, multicast, and embedded IPv4. */
const open6 = ['2000::/3']
/** Exceptions within it: tunnels, which carry IPv4, and reserved networks. */
const closed6 = [...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']]

const closedAddresses = listOf([...closed4, ...closed6])
const openAddresses = listOf(open6)

/** True if an address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !closedAddresses.check(address, 'ipv4')
  return (
    version === 6 && openAddresses.check(address, 'ipv6') && !closedAddresses.check(address, 'ipv6')
  )
}

/**
 * Resolves and checks the address of a host. The caller connects to exactly this address, without another lookup.
 * @throws AddressRefused if any of its addresses is not public, and that is not allowed.
 */
export async function vettedAddress(
  host: string,
  allowPrivate: boolean,
  resolve: Resolve,
): Promise<VettedAddress> {
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  const [address] = addresses
  if (address === undefined) throw new Error(`${host} has no address`)
  // A single private address could be chosen at connection time, so it rejects the whole name.
  const isPublic = addresses.every(isPublicAddress)
  if (!isPublic && !allowPrivate)
    throw new AddressRefused(`${host} has a private or loopback address`)
  return { address, isPublic }
}

/** Uses DNS on this thread's own sockets, so that a hanging name server does not block a thread of the process. */
export function resolver(): Resolve {
  const dns = new Resolver({ timeout: resolveMillis, tries: 1 })
  return async (host) => {
    if (host === 'localhost') return ['127.0.0.1']
    const found = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)])
    return found.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
  }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string]
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}
