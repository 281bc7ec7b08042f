import { Resolver } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Addresses of a name. @throws Error when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** An address that may be called. */
export interface VettedAddress {
  readonly address: string
  /** Whether it is of the open internet: one of our own network has no certificate that anybody could check. */
  readonly isPublic: boolean
}

/** The name stands for an address that is not called from here. */
export class AddressRefused extends Error {}

const resolveMillis = 3000

/** IPv4 that is nobody's on the open internet, or that a host takes for itself. */
const closed4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // What machines of a large cloud ask for their own secrets, though it is a public address.
  '168.63.129.16/32',
]
/** Of IPv6 only what is given out is open: not loopback, our own, links, groups, or IPv4 in another form. */
const open6 = ['2000::/3']
/** And of that not tunnels, which carry IPv4, nor what stands for nothing. */
const closed6 = [...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']]

const closedAddresses = listOf([...closed4, ...closed6])
const openAddresses = listOf(open6)

/** Whether an address is one of the open internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !closedAddresses.check(address, 'ipv4')
  return (
    version === 6 && openAddresses.check(address, 'ipv6') && !closedAddresses.check(address, 'ipv6')
  )
}

/**
 * The address by which a host is called, once it was looked at: whoever connects goes to this one, and asks nobody
 * again what the name stands for.
 * @throws AddressRefused when any of its addresses is not of the open internet, and that is not allowed.
 */
export async function vettedAddress(
  host: string,
  allowPrivate: boolean,
  resolve: Resolve,
): Promise<VettedAddress> {
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  const [address] = addresses
  if (address === undefined) throw new Error(`${host} has no address`)
  // One of several would do for who wants to be let in: a name with one such address is refused whole.
  const isPublic = addresses.every(isPublicAddress)
  if (!isPublic && !allowPrivate) throw new AddressRefused(`${host} is of a network of our own`)
  return { address, isPublic }
}

/** By DNS alone, on sockets of this thread: a name server that hangs keeps no thread of the process busy. */
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
