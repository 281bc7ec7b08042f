import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Result } from '../../schemas/results.js'
import { answerFault, answerJson, answerText } from '../http/http-answer.js'
import type { Handler } from '../http/router.js'
import type { GatewayContext } from '../link/gateway-context.js'
import type { HttpCall } from '../transport/transport.js'
import { Envelope } from '../wire/answers.js'
import { Fault } from '../wire/fault.js'
import {
  assetsPath,
  assetTypes,
  ownParts,
  type Page,
  pageHeaders,
  referencePage,
  type Streams,
  startPart,
  streamsPage,
} from './reference-pages.js'

/** What serves the documents, by path. Each is made when somebody asks for it first: threads need none of it before. */
export function documentHandlers({
  config,
  build,
}: Pick<GatewayContext, 'config' | 'build'>): ReadonlyMap<string, Handler> {
  const venue = { config, version: build.version }
  const openApiText = once(async () => {
    const { openApi } = await import('./openapi.js')
    return JSON.stringify(openApi(venue))
  })
  const streams = once(async () => {
    const { asyncApi } = await import('./asyncapi.js')
    return asyncApi(venue)
  })
  const asyncApiText = once(async () => JSON.stringify(await streams()))
  const parts = new Map<string, () => Promise<Page>>([
    [ownParts.start, async () => startPart],
    [ownParts.streams, once(async () => streamsPage((await streams()) as unknown as Streams))],
    ...Object.entries(assetTypes).map(([name, type]) => {
      const part = once(async () => ({ ...startPart, type, body: await readAsset(name) }))
      return [name, part] as const
    }),
  ])
  return new Map<string, Handler>([
    ['/openapi.json', (call) => later(call, openApiText(), (text) => answerJson(call, 200, text))],
    [
      '/asyncapi.json',
      (call) => later(call, asyncApiText(), (text) => answerJson(call, 200, text)),
    ],
    ['/docs', (call) => answerPage(call, referencePage)],
    [
      assetsPath,
      (call) => {
        const part = parts.get(call.path.slice(assetsPath.length))
        if (part === undefined) answerFault(call, new Fault(Result.NotFound))
        else later(call, part(), (page) => answerPage(call, page))
      },
    ],
  ])
}

/** An asset of the library as it was installed: nothing is fetched from anywhere else. */
function readAsset(name: string): Promise<Uint8Array> {
  return readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`))
}

function answerPage(call: HttpCall, page: Page): void {
  answerText(call, 200, page.body, pageHeaders(page))
}

function later<T>(call: HttpCall, made: Promise<T>, answer: (made: T) => void): void {
  made.then(answer, () => answerFault(call, new Fault(Result.InternalError), Envelope.Bare))
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => (made ??= make())
}
