import { createHash } from 'node:crypto'
import type { HeaderList } from '../transport/transport.js'
import { choiceName } from '../wire/choice-name.js'
import { escaped } from '../wire/html-text.js'
import { themeStyle } from '../wire/page-theme.js'
import { exampleSymbol, exampleWallet } from './example-names.js'

/** Page or part of a page, as sent. */
export interface Page {
  readonly type: string
  readonly policy: string
  /** Same object for every request. */
  readonly body: Uint8Array
}

type Json = Readonly<Record<string, unknown>>

/** Parts of the AsyncAPI document that its page shows. */
export interface Streams {
  readonly info: { readonly title: string; readonly description: string }
  readonly channels: Readonly<Record<string, { readonly address: string; readonly messages: Json }>>
  readonly components: { readonly messages: Readonly<Record<string, Json>>; readonly schemas: Json }
  readonly 'x-channels': Json
  readonly 'x-limits': Json
  readonly 'x-close-codes': readonly Json[]
  readonly 'x-slow-consumer': Json
}

export const assetsPath = '/docs/'
/** Types of the assets of the library that shows the HTTP document, by name. */
export const assetTypes: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}
/** Parts below `/docs/` that do not come from the library. */
export const ownParts = { start: 'start.js', streams: 'streams', demo: 'demo-signing.js' } as const

export const html = 'text/html; charset=utf-8'
/** Style of pages without a script. */
export const pageStyle =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}' +
  'pre{font:12px/1.4 ui-monospace,monospace;overflow:auto;padding:.6rem}' +
  'summary{cursor:pointer}details{margin:.3rem 0}code{font:13px ui-monospace,monospace}' +
  'code{overflow-wrap:anywhere}ul{padding-left:1.2rem}li{margin:.3rem 0}' +
  themeStyle
const styleHash = createHash('sha256').update(pageStyle).digest('base64')
export const noFrames = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** Allows scripts, styles and requests of the venue only. Images are in the styles. */
const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  `connect-src 'self'; ${noFrames}`
const streamsPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; ${noFrames}`
/** Script that starts the reference in the theme of the pages at `/app`, or else of the system. */
const startScript = `const kept = () => {
  try {
    return JSON.parse(localStorage.getItem('${choiceName}'))?.theme
  } catch {}
}
const isDark = (kept() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')) === 'dark'
document.documentElement.classList.toggle('dark-mode', isDark)
const start = (more) =>
  SwaggerUIBundle({
    ...{ url: '/openapi.json', dom_id: '#reference', deepLinking: true, filter: true },
    ...{ docExpansion: 'none', defaultModelsExpandDepth: 0, validatorUrl: null, ...more },
  })
const example = { wallet: '${exampleWallet}', symbol: '${exampleSymbol}' }
if (document.getElementById('demo-key') === null) start({})
else
  import('${assetsPath}${ownParts.demo}')
    .then(({ demoOptions }) => demoOptions(example))
    .then(start, () => start({}))
`

/** Links next to the public HTTP document: paths by title. */
export const publicLinks: readonly (readonly [path: string, name: string])[] = [
  ['/asyncapi.json', 'asyncapi.json'],
  [`${assetsPath}${ownParts.streams}`, 'streams'],
  ['/docs/guides', 'guides'],
]

/**
 * Returns the page `/docs`, which shows an HTTP document and can send requests.
 * @param hasDemoKey true if requests are signed with the demo key of the browser.
 */
export function referencePage(title: string, links: typeof publicLinks, hasDemoKey = false): Page {
  const shown = [['/openapi.json', 'openapi.json'] as const, ...links].map(
    ([path, name]) => `<a href="${path}">${name}</a>`,
  )
  const body = [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<link rel="icon" href="data:,">`,
    `<link rel="stylesheet" href="${assetsPath}swagger-ui.css"></head><body>`,
    `<p class="swagger-ui">${shown.join(' · ')}</p>${hasDemoKey ? '<p id="demo-key" class="swagger-ui"></p>' : ''}<div id="reference"></div>`,
    `<script src="${assetsPath}swagger-ui-bundle.js"></script>`,
    `<script src="${assetsPath}${ownParts.start}"></script></body></html>\n`,
  ].join('\n')
  return { type: html, policy: referencePolicy, body: Buffer.from(body) }
}

/** Script that starts the library. */
export const startPart: Page = {
  type: assetTypes['swagger-ui-bundle.js']!,
  policy: noFrames,
  body: Buffer.from(startScript),
}

/** Returns the page `/docs/streams`, which shows the AsyncAPI document without a script. */
export function streamsPage(document: Streams): Page {
  const { info, channels, components } = document
  const body = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escaped(info.title)}</title>`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<link rel="icon" href="data:,"><style>${pageStyle}</style></head>`,
    `<body><h1>${escaped(info.title)}</h1>`,
    '<p><a href="/asyncapi.json">asyncapi.json</a> · <a href="/docs">docs</a> · <a href="/docs/guides">guides</a></p>',
    wordsOf(info.description),
    ...Object.values(channels).flatMap(({ address, messages }) => [
      `<h2><code>${escaped(address)}</code></h2>`,
      ...Object.keys(messages).map((name) => section(name, components.messages[name]!)),
    ]),
    '<h2>Channels</h2>',
    ...Object.entries(document['x-channels']).map(([name, row]) => section(name, row as Json)),
    '<h2>How connections end</h2>',
    section('Close codes', { rows: document['x-close-codes'] }),
    section('Slow consumers', document['x-slow-consumer']),
    '<h2>Limits</h2>',
    section('Limits', document['x-limits']),
    '<h2>Schemas</h2>',
    ...Object.entries(components.schemas).map(([name, schema]) => section(name, schema as Json)),
    '</body></html>\n',
  ].join('\n')
  return { type: html, policy: streamsPolicy, body: Buffer.from(body) }
}

export function pageHeaders({ type, policy }: Page): HeaderList {
  return [
    ['Content-Type', type],
    ['Content-Security-Policy', policy],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
  ]
}

function section(name: string, { summary = '', ...rest }: Json): string {
  const text = escaped(JSON.stringify(rest, null, 2))
  const head = `<code>${escaped(name)}</code> ${escaped(String(summary))}`
  return `<details id="${escaped(name)}"><summary>${head}</summary><pre>${text}</pre></details>`
}

/** Returns a description as HTML. It knows headings, lists, paragraphs and code. */
function wordsOf(description: string): string {
  const lines = description.split('\n').map(lineOf)
  return lines.join('\n').replaceAll(/(?:<li>.*<\/li>\n?)+/g, '<ul>$&</ul>')
}

/** Returns one line of a description as HTML: a heading, a list item or a paragraph. */
function lineOf(line: string): string {
  if (line.startsWith('## ')) {
    const title = line.slice(3)
    return `<h2 id="rules-${anchorOf(title)}">${marked(title)}</h2>`
  }
  if (line.startsWith('- ')) return `<li>${marked(line.slice(2))}</li>`
  return line === '' ? '' : `<p>${marked(line)}</p>`
}

/** Returns the anchor of a heading, such as `market-maker-protection`. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Returns a text as HTML, with code where the text has backquotes. */
function marked(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
