import type { PageAnswer } from '../operator/operator-server.js'
import { appAssetsPath, appPages, appPath } from './app-pages.js'
import { once, pageParts } from './document-parts.js'
import type { DocumentedVenue } from './openapi.js'
import { assetsPath, type Page, pageHeaders, referencePage } from './reference-pages.js'

/**
 * Returns the documentation pages of the operator port, by path. They need no token, because they contain only public
 * tables and no secret setting.
 */
export function operatorDocuments(
  venue: DocumentedVenue,
): Readonly<Record<string, () => Promise<PageAnswer>>> {
  const text = once(async () => {
    const { operatorOpenApi } = await import('./operator-openapi.js')
    return Buffer.from(JSON.stringify(operatorOpenApi(venue)))
  })
  const reference = referencePage('Strikebook operator reference', [])
  const parts = [...pageParts()].map(
    ([name, part]) => [`${assetsPath}${name}`, async () => answerOf(await part())] as const,
  )
  return {
    '/openapi.json': async () => ({
      status: 200,
      contentType: 'application/json',
      body: await text(),
    }),
    '/docs': async () => answerOf(reference),
    ...Object.fromEntries(parts),
    ...operatorPages(),
  }
}

/** Returns the operator page. It contains no secret, and asks for the token. */
function operatorPages(): Readonly<Record<string, () => Promise<PageAnswer>>> {
  const { frame, part, names } = appPages('operator')
  const assets = names.map((name) => {
    const ask = async () => {
      try {
        return answerOf(await part(name)!())
      } catch {
        return { status: 404, contentType: 'text/plain', body: '' } // the page explains how to build it
      }
    }
    return [`${appAssetsPath}${name}`, ask] as const
  })
  return {
    [appPath]: async () => {
      const { status, page } = await frame()
      return { ...answerOf(page), status }
    },
    ...Object.fromEntries(assets),
  }
}

function answerOf(page: Page): PageAnswer {
  const headers = pageHeaders(page).filter(([name]) => name !== 'Content-Type')
  return { status: 200, contentType: page.type, body: page.body, headers }
}
