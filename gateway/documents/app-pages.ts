import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { once } from './document-parts.js'
import { ownParts, type Page, startPart } from './reference-pages.js'

/** Path of the pages for people, whose source is `gateway/web`. */
export const appPath = '/app'
export const appAssetsPath = `${appPath}/`

/** Names of the built pages, of the public port and the operator port. Each has a script and a style. */
export type PagesName = 'pages' | 'operator'
const assetTypes = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const
const html = 'text/html; charset=utf-8'
const noFrames = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** Allows scripts, styles and requests of the venue only. No text becomes markup or code. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  `require-trusted-types-for 'script'; trusted-types 'none'; ${noFrames}`
const missingPolicy = `default-src 'none'; img-src data:; ${noFrames}`

/** Prefix of further scripts of the public page, loaded on demand or with the main script. */
export const pagePartPrefix = 'pages-part-'
/** Matches a static import in the output of the bundler. */
const neededPart = new RegExp(`(?:from|import)"\\./(${pagePartPrefix}[\\w-]+\\.js)"`, 'g')

const head =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Strikebook</title>' +
  '<meta name="viewport" content="width=device-width,initial-scale=1">' +
  '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
/** Returns a page. @param script text of its script, whose imports the page preloads. */
const pageOf = (name: PagesName, script: string): Page => ({
  type: html,
  policy,
  body: Buffer.from(
    `${head}<link rel="stylesheet" href="${appAssetsPath}${name}.css">` +
      [...script.matchAll(neededPart)]
        .map(([, part]) => `<link rel="modulepreload" href="${appAssetsPath}${part}">`)
        .join('') +
      `<script type="module" src="${appAssetsPath}${name}.js"></script></head>` +
      '<body><div id="pages"></div><noscript>These pages need scripts.</noscript></body></html>\n',
  ),
})
const missingPage: Page = {
  type: html,
  policy: missingPolicy,
  body: Buffer.from(
    `${head}</head><body><h1>No pages</h1><p>This venue was built without its pages: the packages that they are made ` +
      'with are optional, and were not installed. <code>npm ci --include=optional &amp;&amp; npm run build</code> ' +
      'makes them; everything else is served without. <a href="/docs">Reference</a></p></body></html>\n',
  ),
}

const builtFolder = new URL('../web/', import.meta.url)

/** Page with its status. A placeholder with 404 if the pages were not built. */
export interface AppAnswer {
  readonly status: number
  readonly page: Page
}

type Parts = ReadonlyMap<string, () => Promise<Page>>

/** Serves `/app` and its parts; reads each built file at its first request. */
export function appPages(name: PagesName = 'pages', parts: Parts = builtParts(name)) {
  const whole = once(async () => {
    const { body } = await parts.get(`${name}.js`)!()
    return pageOf(name, Buffer.from(body).toString())
  })
  return {
    /** Returns the page, or a placeholder if it was not built. */
    async frame(): Promise<AppAnswer> {
      try {
        return { status: 200, page: await whole() }
      } catch {
        return { status: 404, page: missingPage }
      }
    },
    /** Returns a part of the page; undefined: no such part. */
    part: (part: string) => parts.get(part),
    names: [...parts.keys()],
  }
}

/** Returns the script that signs requests of the reference; null: it was not built. */
export function demoPart(): (() => Promise<Page>) | null {
  if (!existsSync(new URL(ownParts.demo, builtFolder))) return null
  const type = assetTypes.js
  return once(async () => ({ ...startPart, type, body: await readBuilt(ownParts.demo) }))
}

function builtParts(pages: PagesName): Parts {
  const scripts = [`${pages}.js`, ...partNames(pages)].map((name) => [name, assetTypes.js] as const)
  return new Map(
    [...scripts, [`${pages}.css`, assetTypes.css] as const].map(([name, type]) => [
      name,
      once(async () => ({ ...startPart, type, body: await readBuilt(name) })),
    ]),
  )
}

/** Lists the further scripts. The operator page has none, and without a build there is no folder. */
function partNames(pages: PagesName): readonly string[] {
  if (pages !== 'pages') return []
  try {
    return readdirSync(builtFolder).filter((name) => name.startsWith(pagePartPrefix))
  } catch {
    return []
  }
}

function readBuilt(name: string): Promise<Uint8Array> {
  return readFile(new URL(name, builtFolder))
}
