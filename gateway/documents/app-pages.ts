import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { once } from './document-parts.js'
import { ownParts, type Page, startPart } from './reference-pages.js'

/** Where the pages for people are, which `gateway/web` is the source of. */
export const appPath = '/app'
export const appAssetsPath = `${appPath}/`

/** Built files: pages of the public port and of the operator's, each with a script and a style. */
export type PagesName = 'pages' | 'operator'
const assetTypes = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const
const html = 'text/html; charset=utf-8'
const noFrames = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** Scripts, styles and what they ask are the venue's alone; no text becomes markup or code. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  `require-trusted-types-for 'script'; trusted-types 'none'; ${noFrames}`
const missingPolicy = `default-src 'none'; img-src data:; ${noFrames}`

/** Begins the names of scripts that the page for everybody loads later, or with others of its own. */
export const pagePartPrefix = 'pages-part-'
/** A part that a script cannot run without, as the bundler writes that. */
const neededPart = new RegExp(`(?:from|import)"\\./(${pagePartPrefix}[\\w-]+\\.js)"`, 'g')

const head =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Strikebook</title>' +
  '<meta name="viewport" content="width=device-width,initial-scale=1">' +
  '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
/** @param script of the page; the page preloads its imports. */
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

/** A page, or what there is instead, with its status. */
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
    /** The page, where the build has made what it is of. */
    async frame(): Promise<AppAnswer> {
      try {
        return { status: 200, page: await whole() }
      } catch {
        return { status: 404, page: missingPage }
      }
    },
    /** Parts of the page; undefined: no such part. */
    part: (part: string) => parts.get(part),
    names: [...parts.keys()],
  }
}

/** Returns the script that signs requests of the reference; null: the build made none. */
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

/** None of the operator's page; without a build there is no folder either. */
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
