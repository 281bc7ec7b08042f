import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Config } from './config/config-schema.js'

/** Base URL of the public address; an IPv6 address stands in brackets. */
export function urlOf({ host, tls }: Config, port: number): string {
  const scheme = tls.certFile === '' ? 'http' : 'https'
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** @throws Error that names the files, where a server would only say that it cannot be made. */
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
