import { createHash } from 'node:crypto'
import type { ShownHalt, VenueIndex } from '../../schemas/interface/venue.js'
import { qualitiesOf } from '../transport/accept-list.js'
import type { HeaderList, HttpCall } from '../transport/transport.js'
import { escaped } from '../wire/html-text.js'
import { themeStyle } from '../wire/page-theme.js'
import { answerJson, answerText } from './http-answer.js'

const style =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}' +
  'code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}h2{font-size:1.05rem;margin:1.4rem 0 .3rem}' +
  'ul{margin:0;padding-left:1.2rem}li{overflow-wrap:anywhere}' +
  themeStyle
const styleHash = createHash('sha256').update(style).digest('base64')
// Allows only this style: no script, no image except an empty icon, no frame, and no framing by others.
const policy =
  `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; ` +
  "frame-ancestors 'none'"
const variedHeaders: HeaderList = [
  ['Vary', 'Accept'],
  ['X-Content-Type-Options', 'nosniff'],
]
const pageHeaders: HeaderList = [
  ...variedHeaders,
  ['Content-Type', 'text/html; charset=utf-8'],
  ['Content-Security-Policy', policy],
  ['Referrer-Policy', 'no-referrer'],
]
/** Answers with the index: an HTML page if the client prefers text/html, as browsers do, otherwise JSON. */
export function answerIndex(call: HttpCall, index: VenueIndex): void {
  if (prefersHtml(call.accept)) answerText(call, 200, indexPage(index), pageHeaders)
  else answerJson(call, 200, `${JSON.stringify(index, null, 2)}\n`, variedHeaders)
}

/** True if an `Accept` header prefers HTML to JSON. Without a header, or with equal preference, it is JSON. */
export function prefersHtml(accept: string): boolean {
  return qualityOf(accept, 'text', 'html') > qualityOf(accept, 'application', 'json')
}

/** Returns the index as a self-contained page. */
export function indexPage(index: VenueIndex): string {
  const { name, about, preset, signing, funds, streams } = index
  const { domain } = signing
  const signed = signing.enabled ? 'Signed writes are taken.' : 'Signed writes are switched off.'
  const title = escaped(name)
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<link rel="icon" href="data:,"><style>${style}</style></head><body><h1>${title}</h1>`,
    `<p>${escaped(about)} <small>${escaped(preset)}, ${buildText(index)}</small></p>`,
    section('Status', statusLines(index)),
    index.documents.length === 0 ? '' : section('Documents', index.documents.map(linkTo)),
    section('Funds', [escaped(funds.how)]),
    section('Signing domain', [codeOf(JSON.stringify(domain)), signed]),
    section('Market', index.market.map(readLine)),
    section('Streams', [streams.clients, streams.quote_providers].map(codeOf)),
    section('Health', index.health.map(linkTo)),
    '</body></html>\n',
  ].join('\n')
}

const commitShown = 7

function buildText({ version, commit }: VenueIndex): string {
  return `version ${escaped(version)}, commit ${escaped(commit.slice(0, commitShown))}`
}

/** Returns the lines of the status as HTML. */
function statusLines(index: VenueIndex): readonly string[] {
  const { acknowledgements: acknowledged, degraded = [], halts, role, status } = index
  const { count, window_ms, p50_ms, p99_ms, p999_ms } = acknowledged
  const window = durationText(window_ms)
  const hidden = halts.count - halts.rows.length
  return [
    `${status}, up ${durationText(index.uptime_ms)}, role ${role}`,
    ...degraded.map(escaped),
    count === 0
      ? `No acknowledgements in the last ${window}`
      : `${count} acknowledgements in the last ${window}: 50 % within ${p50_ms} ms, ` +
        `99 % within ${p99_ms} ms, 99.9 % within ${p999_ms} ms`,
    ...(halts.count === 0 ? ['No halts'] : halts.rows.map(haltText)),
    ...(hidden === 0 ? [] : [`${hidden} more halts`]),
  ]
}

function haltText({ scope, underlying, wallets, mode, reason, since_ms }: ShownHalt): string {
  const subject = {
    market: 'The market',
    underlying: escaped(underlying ?? ''),
    wallets: `Stopped wallets (${wallets})`,
  }[scope]
  const state = mode === 'halted' ? 'halted' : 'cancel only'
  return `<strong>${subject}: ${state}</strong> since ${new Date(since_ms).toISOString()}, cause: ${reason}`
}

/** Formats a duration by its two largest units, such as `3 d 4 h`. */
function durationText(millis: number): string {
  const seconds = Math.floor(millis / 1000)
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = units.findIndex(([count]) => count > 0)
  const shown = first < 0 ? units.slice(-1) : units.slice(first, first + 2)
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ')
}

/** Returns the quality of a type, from the most specific range that covers it. */
function qualityOf(accept: string, type: string, subtype: string): number {
  const ranges = [`${type}/${subtype}`, `${type}/*`, '*/*']
  const qualities = qualitiesOf(accept)
  const named = accept.trim() === '' ? 1 : 0
  return ranges.map((range) => qualities.get(range)).find((found) => found !== undefined) ?? named
}

function section(title: string, lines: readonly string[]): string {
  const items = lines.map((line) => `<li>${line}</li>`).join('')
  return `<h2>${escaped(title)}</h2><ul>${items}</ul>`
}

/** Returns a link if the path alone can be requested, otherwise the text of the request. */
function readLine(request: string): string {
  return request.includes('{') ? codeOf(request) : linkTo(request)
}

function linkTo(path: string): string {
  return `<a href="${escaped(path)}">${codeOf(path)}</a>`
}

function codeOf(text: string): string {
  return `<code>${escaped(text)}</code>`
}
