import { walletOf } from '../../bench/event-script.js'
import { type EngineConfig, engineConfigDefault } from '../../engine/state/market/engine-config.js'
import { ReadModel } from '../../gateway/read-model/read-model.js'
import { Tier } from '../../schemas/domain.js'
import { InstrumentChange } from '../../schemas/record-values.js'
import { hubRig } from './hub-rig.js'

export const day = 86_400_000
export const usd = 1_000_000
export const contract = 100_000_000
export const alice = walletOf(1)
export const bob = walletOf(2)
export const call = 'BTC-20231214-110000-C'
export const put = 'BTC-20231214-110000-P'
export const otherCall = 'ETH-20231214-2000-C'

/** Stream hub and its read model in one thread, with the market of the worked examples. */
export function readModelRig(engine: EngineConfig = engineConfigDefault) {
  const rig = hubRig()
  const { script, state, memory, reads } = rig
  const start = script.timeMillis
  const expiry = start + 30 * day
  state.millis = start
  const config = { engine, testnet: true, minTradeLots: 1, chainMillis: 250, refusesUnknown: false }
  const model = new ReadModel(memory, config, () => state.millis)
  /** Lets both read the script's events, and passes the results on. */
  const step = () => {
    script.commit()
    for (let turn = 0; turn < 4; turn++) {
      model.doWork()
      reads.takeReplies()
    }
    rig.pump()
  }
  const wait = (millis: number) => {
    state.millis += millis
    script.timeMillis += millis
    step()
  }
  script.bootstrapBegin()
  script.indexPrice(0, 100_000 * usd)
  script.indexPrice(1, 2_000 * usd)
  script.instrument(0, call, 0, expiry, InstrumentChange.Bootstrap)
  script.instrument(1, put, 0, expiry, InstrumentChange.Bootstrap)
  script.instrument(2, otherCall, 1, expiry, InstrumentChange.Bootstrap)
  script.surface(0, expiry, [100_000, 0.6])
  script.surface(1, expiry, [2_000, 0.7])
  script.remarked(0)
  script.remarked(1)
  script.account({ account: 0, wallet: alice, cashMicros: 10_000 * usd })
  script.account({ account: 1, wallet: bob, cashMicros: 0, tier: Tier.MarketMaker })
  script.bootstrapEnd()
  step()
  return { ...rig, model, step, wait, expiry, start }
}
