import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Config } from './config/config-schema.js'

/** Returns the base URL of the public address. An IPv6 address is in brackets. */
export function urlOf({ host, tls }: Config, port: number): string {
  const scheme = tls.certFile === '' ? 'http' : 'https'
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Checks certificate and key. @throws Error that names the files; a server's own error would not. */
export function checkTls({ tls: { certFile, keyFile } }: Config): void {
  if (certFile === '') return
  try {
    createSecureContext({ cert: readFileSync(certFile), key: readFileSync(keyFile) })
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    throw new Error(`tls.certFile ${certFile} and tls.keyFile ${keyFile}: ${detail}`)
  }
}

/** Returns when the certificate of the public port expires, milliseconds since 1970; null without TLS. */
export function certificateEnd({ tls: { certFile } }: Config): number | null {
  return certFile === '' ? null : Date.parse(new X509Certificate(readFileSync(certFile)).validTo)
}

/** Address that a venue wants to listen on, and the key of the configuration that chooses the port. */
export interface WantedAddress {
  readonly host: string
  readonly port: number
  readonly setting: 'port' | 'operator.port'
}

/**
 * Returns an error handler for listening on an address. It throws the error again. If another process has the port, the
 * message says how to find that process or choose another port, and the code stays `EADDRINUSE`.
 */
export function rethrowTaken({ host, port, setting }: WantedAddress): (error: unknown) => never {
  return (cause) => {
    const { code } = cause as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE') throw cause
    const flag = `--${setting.replace('.', '-')}`
    const message =
      `another process listens on ${host}:${port} (${code}), perhaps a venue that is still running. ` +
      `Find it with \`ss -ltnp sport = :${port}\` or \`lsof -iTCP:${port} -sTCP:LISTEN\` and stop it, ` +
      `or choose another port with ${flag} or \`${setting}\` in the configuration file; 0 takes a free one`
    throw Object.assign(new Error(message, { cause }), { code })
  }
}
