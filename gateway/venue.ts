import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type AcceptedLoss, checkRecoverable } from '../engine/core/core-start.js'
import { engineVersions } from '../engine/core/engine-versions.js'
import { type Exchange, type ExchangePlan, startExchange } from '../engine/exchange.js'
import { type DataLock, lockDataDirectory } from '../engine/journal/data-lock.js'
import { historyEndAt, type LostNonce } from '../engine/journal/journal-loss.js'
import { NodeFiles } from '../engine/journal/node-files.js'
import { CounterName, Counters } from '../engine/memory/counters.js'
import { type ExchangeMemory, memoryMapOf, wakeupOf } from '../engine/memory/exchange-memory.js'
import type { EngineConfig } from '../engine/state/market/engine-config.js'
import { lotsPerContract } from '../schemas/bounds.js'
import { DropPushCommand } from '../schemas/generated/commands.js'
import { parseAddress } from '../schemas/wallet.js'
import { BegunParts } from './begun-parts.js'
import type { Config } from './config/config-schema.js'
import { engineConfigOf, identityOf } from './config/engine-config.js'
import { checkDescriptors, connectionsMaxOf, readDescriptors } from './descriptors.js'
import type { FeedDriver } from './feeds/feed-driver.js'
import type { GatewayReport, GatewayStop, GatewayThreadData } from './gateway-thread.js'
import { allocateLimitMemory, type LimitMemory } from './limits/limit-memory.js'
import { SocketCensus } from './limits/socket-census.js'
import { SocketCounts, socketLimitsOf } from './limits/socket-counts.js'
import type { BuildInfo } from './link/gateway-context.js'
import { MakerProcess } from './maker/maker-process.js'
import { acceptBinaries, loadedBinaries } from './native/load-pinned.js'
import { auditFile } from './operator/audit-files.js'
import { logClock } from './operator/clock-log.js'
import { FileWatch } from './operator/file-watch.js'
import { InvariantLog } from './operator/invariant-log.js'
import { LiquidationList } from './operator/liquidation-list.js'
import { commandOf } from './operator/operator-commands.js'
import { OperatorListener } from './operator/operator-listener.js'
import { OperatorPort } from './operator/operator-port.js'
import type { OperatorServer } from './operator/operator-server.js'
import type { OperatorTokens } from './operator/operator-tokens.js'
import { PendingNames } from './operator/pending-names.js'
import { ProviderList } from './operator/provider-list.js'
import { operatorToken } from './operator/token-file.js'
import { checkTls, rethrowTaken, urlOf } from './public-address.js'
import { PushService } from './push/push-service.js'
import { type VapidKeys, vapidKeys } from './push/vapid-keys.js'
import { recordFile } from './rail/rail-record.js'
import { type KnownWithdrawals, VenueRail } from './rail/venue-rail.js'
import { isAbsent, isRebuilding, markRebuilding } from './read-model/history/history-aside.js'
import { HistoryChecks } from './read-model/history/history-checks.js'
import {
  quarantineUnusable,
  readHistoryEnd,
  recoverHistory,
} from './read-model/history/history-end.js'
import type { HistoryThreadData } from './read-model/history/history-thread.js'
import { refuseOldRelease } from './read-model/history/old-release.js'
import { readTradeSeed } from './read-model/history/trade-seed.js'
import type { ReadModelMessage, ReadModelThreadData } from './read-model/read-model-thread.js'
import { tradeSeedNone } from './read-model/views/trade-statistics.js'
import { ClientAddresses } from './transport/client-address.js'
import type { HeldPort } from './transport/transport.js'
import { checkTransport, loadTransports, type Transports } from './transport/transports.js'
import { clockOf, type VenueClock, type VirtualStart, virtualMemoryOf } from './venue-clock.js'
import { venueFeed } from './venue-feed.js'
import {
  type OperatorIdentities,
  type OperatorLists,
  operatorAudit,
  operatorTokens,
  startOperator,
} from './venue-operator.js'

/** A running venue: the exchange, its operator interface, feed and market maker. */
export interface Venue {
  readonly url: string
  readonly operatorUrl: string
  /** Clock of virtual time; null for the time of the machine. */
  readonly clock: VenueClock | null
  /** Stops gracefully: accepts nothing new, sends every answer, and flushes every byte. */
  stop(): Promise<void>
  /** Closes the sockets after a failure, so that the process can exit; at most a few seconds. */
  abandon(): Promise<void>
}

export interface VenueOptions {
  readonly config: Config
  readonly build: BuildInfo
  readonly log: Logger
  /** Start of virtual time, which passes only by `advance`; absent: the time of the machine. */
  readonly virtualTime?: VirtualStart
  /** Receives the memory that all threads share, before anything is served. */
  readonly onMemory?: (memory: ExchangeMemory) => void
  /** Aborted when the process must end. A start then waits only for what a stop needs. */
  readonly stopping: AbortSignal
  /** Called after a thread has failed and the exchange has stopped. */
  readonly onFailure: (role: string, error: Error) => void
}

const abandonMillisMax = 6000
const makerFile = './maker/market-maker.js'

/**
 * Starts the venue that a configuration describes.
 * @throws Error if the data directory is in use or of an old release, a port is taken, or the journal is damaged.
 */
export async function startVenue(options: VenueOptions): Promise<Venue> {
  const { config } = options
  checkDescriptors(readDescriptors())
  checkTls(config)
  acceptBinaries(config.native.accepted)
  const transports = await loadTransports(config.transport)
  checkTransport(transports, config.gateways)
  const { kind, why, limits } = transports
  options.log.info({ why, limits }, `transport: ${kind}`)
  logBinaries(options.log)
  refuseOldRelease(config.dataDir)
  const begun = new BegunParts(options.log)
  try {
    const { host, port, operator } = config
    const held = await transports // 1. ports first: a start that lacks one leaves the folder alone
      .holdPort(host, port)
      .catch(rethrowTaken({ host, port, setting: 'port' }))
    begun.add(() => held.release())
    const listener = await OperatorListener.open({ ...operator, transports }) // health before recovery
      .catch(rethrowTaken({ ...operator, setting: 'operator.port' }))
    begun.add(() => listener.close())
    const lock = await lockDataDirectory(config.dataDir) // 2. nobody else writes here
    begun.add(() => lock.release())
    checkJournal(config)
    const token = operatorToken(config)
    const tokens = operatorTokens(config, token, options.log)
    begun.add(() => tokens.close())
    const venue = await startBehind(
      options,
      { lock, held, transports, listener, token, tokens },
      begun,
    )
    lock.publish(venue.url)
    return venue
  } catch (error) {
    await begun.end()
    throw error
  }
}

/**
 * Checks the journal before the start opens any other file of the folder.
 * @throws JournalDamage, JournalRefusal if it is damaged, or of another preset, service, chain or engine version.
 */
function checkJournal(config: Config): void {
  const journal = join(config.dataDir, 'journal')
  if (!existsSync(journal)) return
  checkRecoverable({
    files: new NodeFiles(journal),
    versions: engineVersions,
    identity: identityOf(config),
    acceptsLoss: config.acceptLoss,
  })
}

/** Logs the native binaries. All of them are loaded by now, or the venue would not start. */
function logBinaries(log: Logger): void {
  const binaries = loadedBinaries()
  log.info({ binaries }, 'native binaries')
  for (const { name, file, sha256, standing } of binaries) {
    if (standing === 'pinned') continue
    const why = standing === 'accepted' ? 'accepted by native.accepted' : 'compiled on this machine'
    log.warn({ name, file, sha256 }, `native binary ${name} is not pinned: ${why}`)
  }
}

/** Lock of the data folder, the ports of the venue, and the tokens of its operators. */
interface Doors {
  readonly lock: DataLock
  readonly held: HeldPort
  readonly transports: Transports
  readonly listener: OperatorListener
  /** Configured or kept token; '' if there is none. */
  readonly token: string
  readonly tokens: OperatorTokens
}

async function startBehind(
  options: VenueOptions,
  { lock, held, transports, listener, token, tokens }: Doors,
  begun: BegunParts,
): Promise<Venue> {
  const { config, log } = options
  const { port } = held
  const limits = allocateLimitMemory()
  const rail = new VenueRail(config, railAlarm(log))
  begun.add(() => rail.stop())
  rail.open()
  const keys = pushKeysOf(config, log)
  const lists = operatorLists()
  const invariants = new InvariantLog(log)
  const onMessage = listenerOf(lists, rail)
  const plan = planOf(withPublicKey(options, keys), port, limits, onMessage, { rail, invariants })
  const exchange = await startExchange(plan) // 3. recovered, not open yet
  begun.add(() => stopExchange(exchange))
  rail.serve(exchange.gateways)
  log.info({ bytes: memoryMapOf(exchange.memory), pinning: config.pinning }, 'shared memory')
  options.onMemory?.(exchange.memory)
  const operatorPort = new OperatorPort(exchange.memory)
  begun.add(() => operatorPort.close())
  const driver = venueFeed(config, exchange.memory, operatorPort, log)
  begun.add(() => driver?.stop())
  const sockets = socketsOf(config, limits)
  const identities = { tokens, audit: await operatorAudit(config, exchange.memory, log) }
  begun.add(() => closeIdentities(identities))
  await rail.prepare(knownWithdrawals(exchange.memory))
  const files = watchFiles(rail, identities, log)
  begun.add(() => files.stop())
  const withdrawals = () => rail.figures()
  const figures = { sockets, withdrawals, lostFiles: files.figures }
  const pages = { transports, listener, ...figures, ...lists, invariants, ...identities }
  const operator = await startOperator(options, exchange.memory, operatorPort, pages)
  begun.add(() => operator.close())
  await boundConnections(config, sockets, port, log)
  const listening = gatewaysListening(exchange, log)
  exchange.open() // 4. from here on orders are accepted
  rail.start(operatorPort)
  await listening
  held.release() // before the URL is published
  const clock = clockOf(options.virtualTime, exchange.memory, driver)
  await (clock === null ? driver?.start() : driver?.step()) // 5. no client sees an empty market
  const url = urlOf(config, port)
  const maker = config.maker === 'on' ? startMaker(url, operator.url, token, options) : null
  begun.add(() => maker?.stop())
  await maker?.settled // 6. the maker answers requests for quote
  const checks = startChecks(config, exchange, log)
  const push = startPush(config, exchange, keys, operatorPort, log)
  const services = { exchange, operator, operatorPort, driver, maker, checks, push, rail, files }
  const parts = { ...services, ...identities, lock, log }
  const [stop, abandon] = [() => stopVenue(parts), () => abandonVenue(parts)]
  return { url, operatorUrl: operator.url, clock, stop, abandon }
}

/** Returns the withdrawals that the engine has recovered. */
function knownWithdrawals({ counters }: ExchangeMemory): KnownWithdrawals {
  const core = new Counters(counters, wakeupOf.operator)
  const read = (name: CounterName) => core.read(wakeupOf.core, name)
  return {
    recordBytes: read(CounterName.RailBytesNoted),
    openCount: read(CounterName.WithdrawalsOpen),
    seq: read(CounterName.Sequence),
  }
}

function watchFiles(rail: VenueRail, { audit }: OperatorIdentities, log: Logger): FileWatch {
  const auditFault = () => {
    const fault = audit.fault()
    return fault === null ? null : `${fault}; audited requests fail`
  }
  const faults = new Map([
    [recordFile, () => rail.fault()],
    [auditFile, auditFault],
  ])
  return new FileWatch(faults, (text) => log.error(text))
}

function operatorLists(): OperatorLists {
  const [names, providers] = [new PendingNames(), new ProviderList()]
  return { names, providers, liquidations: new LiquidationList() }
}

function listenerOf({ names, providers, liquidations }: OperatorLists, rail: VenueRail) {
  return ({ name, provider, liquidation, withdrawal }: ReadModelMessage) => {
    if (liquidation !== undefined) liquidations.take(liquidation)
    if (name !== undefined) names.take(name)
    if (provider !== undefined) providers.take(provider)
    if (withdrawal !== undefined) rail.onEntry(withdrawal)
  }
}

function journalOf(config: Config) {
  return {
    journalDirectory: join(config.dataDir, 'journal'),
    identity: identityOf(config),
    acceptsLoss: config.acceptLoss,
    durability: config.durability,
    segmentBytes: config.journal.segmentBytes,
    snapshots: {
      batches: config.journal.snapshotBatches,
      millis: config.journal.snapshotSeconds * 1000,
      archivedMax: config.journal.archivedSnapshots,
    },
  }
}

function planOf(
  options: VenueOptions,
  port: number,
  limits: LimitMemory,
  onMessage: (message: ReadModelMessage) => void,
  { rail, invariants }: { readonly rail: VenueRail; readonly invariants: InvariantLog },
): ExchangePlan {
  const { config, log, onFailure, virtualTime } = options
  const { historyEnd, tradeSeed } = historyOf(config, log)
  const engine = engineConfigOf(config)
  return {
    gateways: config.gateways,
    matchers: config.matchers,
    virtualTime: virtualMemoryOf(virtualTime),
    historyEnd: { ...historyEnd, others: rail.journalEvidence },
    options: {
      engine,
      clock: {
        stepMillisMax: config.clock.stepMillisMax,
        downtimeMillisMax: config.clock.downtimeHoursMax * 3_600_000,
      },
      ...journalOf(config),
      idle: config.idle,
      slowFlushMillis: config.journal.slowFlushMillis,
      takesMemory: config.takeMemory,
      invariantMillis: config.invariants.checkMillis,
      pinning: config.pinning,
    },
    ...threadsOf(options, { engine, limits, port, tradeSeed, onMessage }),
    onRecovered: (facts) => log.info(facts, 'recovered'),
    onNote: (text) => log.warn(text),
    onLoss: (loss) => {
      rail.onLoss(loss.seq)
      return giveUpHistory(config.dataDir, loss, log)
    },
    onClock: (message) => logClock(log, message),
    onBreach: (message) => invariants.onBreach(message),
    onStopped: (message) => invariants.onStopped(message),
    onSlowFlush: (slow) => log.warn(slow, 'slow flush of the journal'),
    onFailure,
  }
}

/** Inputs of the venue's threads, in addition to its options. */
interface ThreadInputs {
  readonly engine: EngineConfig
  readonly limits: LimitMemory
  readonly port: number
  readonly tradeSeed: ReadModelThreadData['tradeSeed']
  readonly onMessage: (message: ReadModelMessage) => void
}

function threadsOf(
  { config, build }: VenueOptions,
  { engine, limits, port, tradeSeed, onMessage }: ThreadInputs,
): Pick<ExchangePlan, 'readModel' | 'history' | 'gateway'> {
  const entry = (file: string) => new URL(file, import.meta.url)
  return {
    readModel: {
      url: entry('./read-model/read-model-thread.js'),
      data: (memory): ReadModelThreadData => ({
        memory,
        config: {
          engine,
          testnet: config.preset !== 'mainnet-alpha',
          minTradeLots: Math.round(config.instruments.minTradeAmount * lotsPerContract),
          refusesUnknown: config.compat.unknownFields === 'refuse',
          chainMillis: config.stream.chainIntervalMillis,
        },
        tradeSeed,
        dataDir: config.dataDir,
        idle: config.idle,
        pinnedCore: config.pinning['read-model'],
      }),
      onMessage: (message) => onMessage(message as ReadModelMessage),
    },
    history: {
      url: entry('./read-model/history/history-thread.js'),
      data: (memory): HistoryThreadData => ({
        memory,
        dataDir: config.dataDir,
        journalDirectory: join(config.dataDir, 'journal'),
        identity: identityOf(config),
        engine,
        keepDays: config.history.keepDays,
        pinnedCore: config.pinning['history'],
      }),
    },
    gateway: {
      url: entry('./gateway-thread.js'),
      data: (memory, gatewayIndex): GatewayThreadData => ({
        memory,
        gatewayIndex,
        config,
        limits,
        build,
        port,
      }),
    },
  }
}

/**
 * Reads the end of the history store. No fault of the store prevents a start: a missing or unusable store is rebuilt while
 * the venue runs.
 */
function historyOf({ dataDir }: Config, log: Logger) {
  const unusable = isRebuilding(dataDir) ? null : quarantineUnusable(dataDir)
  if (unusable !== null) log.warn(`history store quarantined: ${unusable}`)
  if (isAbsent(dataDir, join(dataDir, 'journal'))) {
    markRebuilding(dataDir)
    return { historyEnd: { ...historyEndAt(0), isAbsent: true }, tradeSeed: tradeSeedNone }
  }
  return { historyEnd: readHistoryEnd(dataDir), tradeSeed: readTradeSeed(dataDir, Date.now()) }
}

function giveUpHistory(dataDir: string, loss: AcceptedLoss, log: Logger): readonly LostNonce[] {
  const back = recoverHistory(dataDir, loss)
  const lostNonces = back?.lostNonces ?? []
  const wallets = new Set(lostNonces.map(({ wallet }) => wallet)).size
  const copy = back?.copy ?? null
  const text = 'the history store was cut back to the end of the journal; trading is halted'
  log.warn({ loss, copy, walletsWithLostNonces: wallets }, text)
  return lostNonces
}

/** Returns the connections of the public port, as the gateways count them. */
function socketsOf(config: Config, { sockets }: LimitMemory): SocketCounts {
  const clients = new ClientAddresses(config.http.trustedProxies)
  return new SocketCounts(sockets, socketLimitsOf(config, clients))
}

/** Limits the client connections to the descriptors that are left when all threads of the venue run. */
async function boundConnections(
  config: Config,
  counts: SocketCounts,
  port: number,
  log: Logger,
): Promise<void> {
  const descriptors = readDescriptors()
  const connectionsMax = connectionsMaxOf(config.http.connectionsMax, descriptors)
  counts.setMax(connectionsMax)
  log.info({ ...descriptors, connectionsMax }, 'descriptors')
  await new SocketCensus({ counts, port }).start()
}

function gatewaysListening({ gateways }: Exchange, log: Logger): Promise<unknown> {
  return Promise.all(
    gateways.map(
      (worker, index) =>
        new Promise<void>((resolve, reject) => {
          const gatewayLog = log.child({ role: `gateway-${index}` })
          worker.on('message', (report: GatewayReport) => {
            if (report.type === 'log') gatewayLog.info(report.line)
            if (report.type === 'listening') resolve()
            if (report.type === 'failed') reject(new Error(report.reason))
          })
        }),
    ),
  )
}

function startMaker(
  url: string,
  operatorUrl: string,
  token: string,
  { log, stopping }: VenueOptions,
): MakerProcess {
  const makerLog = log.child({ role: 'maker' })
  return new MakerProcess({
    file: fileURLToPath(new URL(makerFile, import.meta.url)),
    url,
    operatorUrl: token === '' ? '' : operatorUrl,
    operatorToken: token,
    stopping,
    onLine: (line) => makerLog.info(line),
  })
}

/** Logs an alarm of the rail, about one withdrawal or about its record. */
function railAlarm(log: Logger): (text: string, directiveId: string | null) => void {
  return (text, directiveId) => {
    if (directiveId === null) log.warn({ role: 'rail' }, `alarm: ${text}`)
    else log.warn({ role: 'rail', directiveId }, `alarm: withdrawal: ${text}`)
  }
}

/** Returns the keys that identify the venue to push services; empty if push is disabled. */
function pushKeysOf(config: Config, log: Logger): VapidKeys {
  if (!config.push.enabled) return { publicKey: '', privateKey: '' }
  return vapidKeys(config, (text) => log.warn(text))
}

/** Returns the options for other threads: with the public key, without the private one. */
function withPublicKey(options: VenueOptions, { publicKey }: VapidKeys): VenueOptions {
  const push = { ...options.config.push, vapid: { publicKey, privateKey: '' } }
  return { ...options, config: { ...options.config, push } }
}

function startPush(
  { push, pinning }: Config,
  { memory }: Exchange,
  keys: VapidKeys,
  sender: OperatorPort,
  log: Logger,
): PushService {
  const service = new PushService({
    ...{ memory, push, keys, pinnedCore: pinning['push'] },
    drop: (wallet, subscriptionId) => {
      const content = { wallet: parseAddress(wallet)!, subscriptionId }
      // If it fails, the next undeliverable notification causes it again.
      sender.send(commandOf(DropPushCommand, content)).catch(() => {})
    },
    onNote: (text) => log.warn({ role: 'push' }, text),
  })
  service.start()
  return service
}

function startChecks({ dataDir, history }: Config, { memory }: Exchange, log: Logger) {
  const onNote = (text: string) => log.warn(text)
  const checks = new HistoryChecks({ memory, dataDir, hours: history.checkHours, onNote })
  checks.start()
  return checks
}

interface VenueParts extends OperatorIdentities {
  readonly exchange: Exchange
  readonly operator: OperatorServer
  readonly operatorPort: OperatorPort
  readonly driver: FeedDriver | null
  readonly maker: MakerProcess | null
  readonly checks: HistoryChecks
  readonly rail: VenueRail
  readonly files: FileWatch
  readonly push: PushService
  readonly lock: DataLock
  readonly log: Logger
}

async function stopVenue(parts: VenueParts): Promise<void> {
  const { exchange, operator, operatorPort, driver, maker, checks, push, rail, lock } = parts
  exchange.drain()
  parts.files.stop()
  checks.stop()
  await rail.stop()
  maker?.stop()
  driver?.stop()
  await push.stop()
  await stopGateways(exchange)
  operatorPort.close()
  await exchange.stop()
  operator.close()
  await closeIdentities(parts)
  await lock.release()
}

async function abandonVenue(parts: VenueParts): Promise<void> {
  const { exchange, operator, driver, maker, checks, push, rail, tokens } = parts
  checks.stop()
  maker?.stop()
  driver?.stop()
  await push.stop()
  const stopped = Promise.all([rail.stop(), stopGateways(exchange), exchange.abandon()])
  await Promise.race([stopped, sleep(abandonMillisMax)])
  operator.close()
  tokens.close()
}

async function stopExchange(exchange: Exchange): Promise<void> {
  exchange.drain()
  await stopGateways(exchange)
  await exchange.stop()
}

function closeIdentities({ tokens, audit }: OperatorIdentities): Promise<void> {
  tokens.close()
  return audit.close()
}

/** Lets each gateway send its last answers and close its sockets (1012). */
function stopGateways({ gateways }: Exchange): Promise<unknown> {
  const stop: GatewayStop = { type: 'stop' }
  return Promise.all(
    gateways.map((worker) => {
      const ended = new Promise<void>((resolve) => {
        worker.once('exit', () => resolve())
        worker.on('message', (report: GatewayReport) => {
          if (report.type === 'stopped' || report.type === 'failed') resolve()
        })
      })
      worker.postMessage(stop)
      return ended
    }),
  )
}
