import { answerJson } from '../http/http-answer.js'
import type { Handler } from '../http/router.js'
import type { GatewayContext } from '../link/gateway-context.js'

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
  const asyncApiText = once(async () => {
    const { asyncApi } = await import('./asyncapi.js')
    return JSON.stringify(asyncApi(venue))
  })
  return new Map<string, Handler>([
    ['/openapi.json', (call) => void openApiText().then((text) => answerJson(call, 200, text))],
    ['/asyncapi.json', (call) => void asyncApiText().then((text) => answerJson(call, 200, text))],
  ])
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => (made ??= make())
}
