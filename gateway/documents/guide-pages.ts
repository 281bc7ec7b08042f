import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { rejectionsPerSecondMax } from '../../engine/memory/order-timestamps.js'
import { riskReducingOrdersMax } from '../../engine/risk/risk-reducing-table.js'
import { barredMillis } from '../../engine/state/rfq/auction-table.js'
import * as bounds from '../../schemas/bounds.js'
import { sessionMillisMax } from '../../schemas/read-session.js'
import type { Config } from '../config/config-schema.js'
import { grantUsd } from '../http/faucet.js'
import { arrivalLimits } from '../limits/arrivals.js'
import { unparsedFramesMax } from '../limits/flood-close.js'
import { addressReadsMax, waitingReadsMax } from '../limits/reads-under-way.js'
import { earlyBytesMax, earlyFramesMax, quoteFramesMax } from '../limits/waiting-limits.js'
import { refusedRowsMax } from '../providers/quote-frame.js'
import { responsesInFlightMax } from '../providers/rfq-service.js'
import { plainBytesMax } from '../transport/compressor.js'
import { escaped } from '../wire/html-text.js'
import { once } from './document-parts.js'
import { limitsOf } from './limits.js'
import { html, noFrames, type Page, pageStyle } from './reference-pages.js'

/** Guides in reading order. Each is a Markdown file in `guides`, which the build renders. */
export const guideNames = [
  'quick-start',
  'orders',
  'margin',
  'market-data',
  'quoting',
  'money-and-keys',
  'errors-and-limits',
] as const
export type GuideName = (typeof guideNames)[number]

/** Guide as rendered by the build. All fields are HTML, with placeholders for values of the venue. */
export interface RenderedGuide {
  readonly title: string
  readonly purpose: string
  readonly contents: string
  readonly body: string
}
export type RenderedGuides = Readonly<Record<GuideName, RenderedGuide>>

/** Figures that guides state and that have another home than `schemas/bounds.ts`. */
const others = {
  addressReadsMax,
  barredMillis,
  creditMillis: arrivalLimits.creditMillis,
  earlyBytesMax,
  earlyFramesMax,
  efficiencyMarginUsdMin: bounds.efficiencyMarginMicrosMin / bounds.microsPerUsd,
  riskReducingOrdersMax,
  grantUsd,
  plainBytesMax,
  quoteFramesMax,
  refusedRowsMax,
  rejectionsPerSecondMax,
  responsesInFlightMax,
  sessionMillisMax,
  unparsedFramesMax,
  waitingReadsMax,
}

export const guidesPath = '/docs/guides'
/** File of the rendered guides, in the built folder of this module. */
export const renderedFile = new URL('./guides.json', import.meta.url)
/** Matches a placeholder, such as `{{limits.bulk_items}}`. */
export const placeholderForm = /\{\{([\w.-]+)\}\}/g

const style = [
  pageStyle,
  'body{max-width:48rem}h2{margin-top:2.2rem}nav ul{margin:0}',
  '.scroll{overflow-x:auto}table{border-collapse:collapse;margin:.6rem 0}',
  'th,td{border:1px solid var(--line);padding:.3rem .6rem;text-align:left;vertical-align:top}',
  'th{background:var(--card)}td code{overflow-wrap:normal}.next{margin-top:3rem}',
].join('')
const styleHash = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; ${noFrames}`

/**
 * Returns the index of the guides as '' and each guide by its name. Each page is made at its first request.
 * @param read reads the rendered guides.
 */
export function guideParts(
  config: Config,
  read: () => Promise<RenderedGuides> = readRendered,
): ReadonlyMap<string, () => Promise<Page>> {
  const guides = once(read)
  return new Map<string, () => Promise<Page>>([
    ['', once(async () => indexPage(await guides(), config))],
    ...guideNames.map((name) => {
      return [name, once(async () => guidePage(name, await guides(), config))] as const
    }),
  ])
}

/** Reads the guides of this build. */
export async function readRendered(): Promise<RenderedGuides> {
  return JSON.parse(await readFile(renderedFile, 'utf8'))
}

function indexPage(guides: RenderedGuides, config: Config): Page {
  const rows = guideNames.map(
    (name) => `<dt>${linkTo(name, guides)}</dt><dd>${guides[name].purpose}</dd>`,
  )
  const body = `<h1>Guides</h1>\n<dl>${rows.join('\n')}</dl>`
  return pageOf('Guides', body, config)
}

function guidePage(name: GuideName, guides: RenderedGuides, config: Config): Page {
  const { title, purpose, contents, body } = guides[name]
  const next = guideNames[guideNames.indexOf(name) + 1]
  const end = next === undefined ? '' : `<p class="next">Next: ${linkTo(next, guides)}</p>`
  return pageOf(title, `<h1>${title}</h1>\n${purpose}\n${contents}\n${body}\n${end}`, config)
}

function linkTo(name: GuideName, guides: RenderedGuides): string {
  return `<a href="${guidesPath}/${name}">${guides[name].title}</a>`
}

function pageOf(title: string, body: string, config: Config): Page {
  const text = [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<link rel="icon" href="data:,"><style>${style}</style></head><body>`,
    `<p><a href="${guidesPath}">guides</a> · <a href="/docs">docs</a> · <a href="/docs/streams">streams</a></p>`,
    filled(body, config),
    '</body></html>\n',
  ].join('\n')
  return { type: html, policy, body: Buffer.from(text) }
}

/** Returns a text with the values of a venue. @throws Error if a placeholder names no value */
export function filled(text: string, config: Config): string {
  const values = { bounds, config, others, limits: limitsOf(config) }
  return text.replaceAll(placeholderForm, (_, path: string) => escaped(valueAt(values, path)))
}

function valueAt(values: object, path: string): string {
  let value: unknown = values
  for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key]
  if (typeof value !== 'number' && typeof value !== 'string') {
    throw new Error(
      `{{${path}}} in a guide names no value: name one of schemas/bounds.ts, the configuration or x-limits`,
    )
  }
  return String(value)
}
