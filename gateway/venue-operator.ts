import { join } from 'node:path'
import type { Logger } from 'pino'
import { CounterName, Counters } from '../engine/memory/counters.js'
import { EngineTime } from '../engine/memory/engine-time.js'
import { type ExchangeMemory, wakeupOf } from '../engine/memory/exchange-memory.js'
import { steadyMillis } from '../engine/memory/steady-clock.js'
import { NotedFile } from '../schemas/record-values.js'
import { Result } from '../schemas/results.js'
import { recoveryPath } from './auth/recover-signer.js'
import type { Config } from './config/config-schema.js'
import { operatorDocuments } from './documents/operator-documents.js'
import { AuditLog } from './operator/audit-log.js'
import { clockStanding } from './operator/clock-log.js'
import { livezAnswer, readyzAnswer } from './operator/health.js'
import { instrumentMetrics } from './operator/instrument-metrics.js'
import type { InvariantLog } from './operator/invariant-log.js'
import { approvalsFile, KeptRequests } from './operator/kept-requests.js'
import type { LiquidationList } from './operator/liquidation-list.js'
import { type MetricsSource, metricsPage } from './operator/metrics.js'
import { notingSender } from './operator/noted-files.js'
import type { OperatorListener } from './operator/operator-listener.js'
import type { OperatorPort, OperatorSender } from './operator/operator-port.js'
import { type OperatorServer, startOperatorServer } from './operator/operator-server.js'
import { OperatorTokens } from './operator/operator-tokens.js'
import type { PendingNames } from './operator/pending-names.js'
import type { ProviderList } from './operator/provider-list.js'
import { stateAnswer } from './operator/state-page.js'
import { threadHealth, threadRoles } from './operator/thread-table.js'
import { certificateEnd } from './public-address.js'
import { InstrumentRows } from './read-model/views/instrument-rows.js'
import { VenueHealth } from './read-model/views/venue-health.js'
import type { Transports } from './transport/transports.js'
import type { VenueOptions } from './venue.js'

/** Identities of the operator interface, and the log of their actions. */
export interface OperatorIdentities {
  readonly tokens: OperatorTokens
  readonly audit: AuditLog
}

/**
 * Reads the tokens of the operator interface, and follows their file.
 * @param token Configured token; '' if there is none.
 * @throws Error with the fault of the file.
 */
export function operatorTokens({ operator }: Config, token: string, log: Logger): OperatorTokens {
  const operatorLog = log.child({ role: 'operator' })
  const { tokensFile, secondApproval } = operator
  const onChange = (fault: string | null, identities: number) => {
    if (fault === null) operatorLog.warn(`operator.tokensFile reloaded: ${identities} identities`)
    else
      operatorLog.error(
        `operator.tokensFile not reloaded: ${fault}; the previous tokens stay valid`,
      )
  }
  const tokens = new OperatorTokens(
    token,
    tokensFile === '' ? null : { path: tokensFile, onChange },
  )
  if (secondApproval && tokens.namesWith('money').length < 2) {
    operatorLog.warn(
      'operator.secondApproval needs two identities with the scope money; fewer have it',
    )
  }
  return tokens
}

/**
 * Opens the audit log.
 * @param memory of an exchange that is recovered.
 * @throws Error that says what is wrong with the log.
 */
export async function operatorAudit(
  { acceptLostFiles, dataDir, durability, operator }: Config,
  memory: ExchangeMemory,
  log: Logger,
): Promise<AuditLog> {
  const operatorLog = log.child({ role: 'operator' })
  const counters = new Counters(memory.counters, wakeupOf.operator)
  const audit = await AuditLog.open(dataDir, {
    notedBytes: counters.read(wakeupOf.core, CounterName.AuditBytesNoted),
    acceptsLoss: acceptLostFiles,
    isFlushed: durability === 'flush',
    fileBytesMax: operator.auditFileBytes,
    nowMillis: Date.now,
    onNote: (text) => operatorLog.warn(text),
  })
  const journalSeq = counters.total(CounterName.Sequence)
  if (audit.foundSeq > journalSeq) {
    const fault = `it has an action with sequence ${audit.foundSeq}, but the journal ends with ${journalSeq}`
    operatorLog.error(`alarm: audit log: ${fault}: the effects of later actions are lost`)
  }
  return audit
}

/** Lists that the read model maintains for the operator. */
export interface OperatorLists {
  readonly names: PendingNames
  readonly providers: ProviderList
  readonly liquidations: LiquidationList
}

/** Sources of the operator's pages, in addition to the venue's memory. */
interface OperatorPages
  extends OperatorIdentities,
    OperatorLists,
    Pick<MetricsSource, 'sockets' | 'withdrawals' | 'lostFiles'> {
  readonly transports: Transports
  readonly listener: OperatorListener
  readonly invariants: InvariantLog
}

/** Starts the operator interface, with its pages of health and metrics. */
export function startOperator(
  { config, build, log }: Pick<VenueOptions, 'config' | 'build' | 'log'>,
  memory: ExchangeMemory,
  sender: OperatorPort,
  pages: OperatorPages,
): Promise<OperatorServer> {
  const { transports, listener, invariants, tokens, audit } = pages
  const counters = new Counters(memory.counters, wakeupOf.operator)
  const nowMillis = new EngineTime(memory).millis
  return startOperatorServer({
    host: config.operator.host,
    port: config.operator.port,
    transports,
    listener,
    tokens,
    audit,
    approvalMillis: config.operator.secondApproval ? config.operator.approvalSeconds * 1000 : 0,
    keptRequests: new KeptRequests(join(config.dataDir, approvalsFile)),
    sender: auditedSender(sender, memory, audit),
    onRefused: ({ result, message }) => {
      if (result === Result.IndexLimit) log.warn({ role: 'operator' }, `alarm: ${message}`)
    },
    context: {
      underlyings: config.underlyings,
      isProduction: config.preset === 'mainnet-alpha',
      nowMillis,
      wallMillis: Date.now,
    },
    openPages: {
      ...healthPages(config, build, memory, pages),
      ...(tokens.isOpen ? operatorDocuments({ config, version: build.version }) : {}),
    },
    hosts: config.operator.hosts,
    log: (line) => log.warn({ role: 'operator' }, line),
    reads: {
      '/operator/state': () => stateAnswer(memory, counters, invariants.standing(memory)),
      '/operator/usernames': pages.names.answer,
      '/operator/quote-providers': pages.providers.answer,
      '/operator/liquidations': pages.liquidations.answer,
    },
  })
}

/** Pages that anybody may read. */
function healthPages(
  config: Config,
  { version }: VenueOptions['build'],
  memory: ExchangeMemory,
  { sockets, withdrawals, lostFiles, invariants }: OperatorPages,
) {
  const counters = new Counters(memory.counters, wakeupOf.operator)
  const health = new VenueHealth(memory, config.pricing, new EngineTime(memory).millis)
  const rows = new InstrumentRows(memory.instrumentRows)
  const roles = threadRoles(memory)
  return {
    '/livez': () =>
      livezAnswer(
        threadHealth(roles, counters, steadyMillis()),
        clockStanding(counters),
        invariants.standing(memory),
      ),
    '/readyz': () => readyzAnswer(memory, health),
    '/metrics': metricsPage({
      ...{ memory, counters, version, recovery: recoveryPath, sockets, withdrawals, lostFiles },
      upkeep: { dataDir: config.dataDir, certificateEndMillis: certificateEnd(config), health },
    }),
    '/metrics/detail': () => instrumentMetrics(rows),
  }
}

/**
 * Returns a sender whose commands have the journal note the length of the audit log. With virtual time it notes none: two
 * runs must have the same batches, and the log is written in real time.
 */
function auditedSender(
  sender: OperatorSender,
  { virtualTime }: ExchangeMemory,
  audit: AuditLog,
): OperatorSender {
  if (virtualTime !== null) return sender
  return notingSender(sender, NotedFile.Audit, () => audit.bytes)
}
