import { Router } from '../../gateway/http/router.js'
import { servedPaths } from '../../gateway/http/served-paths.js'
import { Compressor } from '../../gateway/transport/compressor.js'
import { type CallAnswer, httpCall } from '../support/http-call.js'
import { hubRig } from '../support/hub-rig.js'
import { quietStatus } from '../support/quiet-status.js'

/** Longer than any window of the limits. */
const betweenCallsMillis = 61_000

/** The routes of a gateway without sockets, before a core that acknowledges everything. */
export function callRig() {
  const rig = hubRig()
  const router = new Router(
    servedPaths({
      context: rig.context,
      reads: rig.reads,
      degraded: () => [],
      status: () => quietStatus,
      compressor: new Compressor(),
      components: () => [],
      documents: new Map(),
      refusesReads: () => null,
    }),
  )
  /** @returns every answer that the request got. */
  const send = (method: string, path: string, body: Buffer | null): CallAnswer[] => {
    const answers: CallAnswer[] = []
    const call = httpCall(method, path, body, (answer) => answers.push(answer))
    rig.state.millis += betweenCallsMillis
    router.route(call)
    if (answers.length === 0) {
      rig.core.work()
      rig.pump()
    }
    return answers
  }
  /** Time of the latest request. */
  const nowMillis = () => rig.state.millis
  return { core: rig.core, send, nowMillis }
}
