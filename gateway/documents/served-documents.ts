import { Envelope } from '../../schemas/interface/answer.js'
import { Result } from '../../schemas/results.js'
import { answerFault, answerJson, answerText } from '../http/http-answer.js'
import type { Handler } from '../http/router.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { Compressor } from '../transport/compressor.js'
import type { HttpCall } from '../transport/transport.js'
import { Fault } from '../wire/fault.js'
import { appAssetsPath, appPages, appPath, demoPart } from './app-pages.js'
import { once, pageParts } from './document-parts.js'
import { guideParts, guidesPath } from './guide-pages.js'
import {
  assetsPath,
  ownParts,
  type Page,
  pageHeaders,
  publicLinks,
  referencePage,
  type Streams,
  streamsPage,
} from './reference-pages.js'

/** Returns the handlers of the documents, by path. Each document is made at its first request. */
export function documentHandlers(
  { config, build }: Pick<GatewayContext, 'config' | 'build'>,
  compressor: Compressor,
): ReadonlyMap<string, Handler> {
  const venue = { config, version: build.version }
  const openApiText = once(async () => {
    const { openApi } = await import('./openapi.js')
    return Buffer.from(JSON.stringify(openApi(venue)))
  })
  const streams = once(async () => {
    const { asyncApi } = await import('./asyncapi.js')
    return asyncApi(venue)
  })
  const asyncApiText = once(async () => Buffer.from(JSON.stringify(await streams())))
  const demo = config.preset === 'development' ? demoPart() : null
  const page = referencePage('Strikebook reference', publicLinks, demo !== null)
  const app = appPages()
  const parts = pageParts().set(
    ownParts.streams,
    once(async () => streamsPage((await streams()) as unknown as Streams)),
  )
  const guides = guideParts(config)
  parts.set(guidesPath.slice(assetsPath.length), guides.get('')!)
  if (demo !== null) parts.set(ownParts.demo, demo)
  const handlers: readonly (readonly [string, Handler])[] = [
    ['/openapi.json', (call) => later(call, openApiText(), (text) => answerJson(call, 200, text))],
    [
      '/asyncapi.json',
      (call) => later(call, asyncApiText(), (text) => answerJson(call, 200, text)),
    ],
    ['/docs', (call) => answerPage(call, page)],
    [assetsPath, (call) => answerPart(call, parts.get(call.path.slice(assetsPath.length)))],
    [
      `${guidesPath}/`,
      (call) => answerPart(call, guides.get(call.path.slice(guidesPath.length + 1))),
    ],
    [
      appPath,
      (call) => later(call, app.frame(), ({ status, page }) => answerPage(call, page, status)),
    ],
    [appAssetsPath, (call) => answerPart(call, app.part(call.path.slice(appAssetsPath.length)))],
  ]
  return new Map(
    handlers.map(([path, handler]) => [path, (call) => handler(compressor.kept(call))]),
  )
}

/** Answers with a part of a page, which is made on request. */
function answerPart(call: HttpCall, part: (() => Promise<Page>) | undefined): void {
  if (part === undefined) answerFault(call, new Fault(Result.NotFound))
  else later(call, part(), (page) => answerPage(call, page))
}

function answerPage(call: HttpCall, page: Page, status = 200): void {
  answerText(call, status, page.body, pageHeaders(page))
}

function later<T>(call: HttpCall, made: Promise<T>, answer: (made: T) => void): void {
  made.then(answer, () => answerFault(call, new Fault(Result.InternalError), Envelope.Bare))
}
