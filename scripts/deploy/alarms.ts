/** One alarm: a rule of Prometheus, and a row of the operating guide. */
export interface Alarm {
  readonly name: string
  readonly expression: string
  /** How long it has to be so. */
  readonly for: string
  readonly severity: 'page' | 'ticket'
  readonly means: string
  readonly action: string
}

const open = '`POST /operator/halts {"scope": "all", "mode": "open"}`'

export const alarms: readonly Alarm[] = [
  {
    name: 'VenueDown',
    expression: 'up{job="strikebook"} == 0',
    ...{ for: '1m', severity: 'page' },
    means: 'The operator port does not answer. It answers even while the venue recovers.',
    action: 'Read the last lines of the log. A failed start logs its reason and the remedy there.',
  },
  {
    name: 'VenueNotReady',
    expression: 'strikebook_ready == 0',
    ...{ for: '5m', severity: 'page' },
    means: 'The venue runs, but takes no orders: it is recovering or shutting down.',
    action:
      'Read the log. A replay of many batches may take minutes. More snapshots (`journal.snapshotSeconds`) shorten it.',
  },
  {
    name: 'IndexStale',
    expression: 'strikebook_degraded{part="index"} == 1',
    ...{ for: '15s', severity: 'page' },
    means:
      'An index price is older than `pricing.indexMaxAgeMillis`. Orders that need it are rejected; cancels work.',
    action: 'Find the underlying in /readyz, and restart its price feed.',
  },
  {
    name: 'SurfaceStale',
    expression: 'strikebook_degraded{part="surface"} == 1',
    ...{ for: '1m', severity: 'ticket' },
    means:
      'The latest volatility surface of an underlying is older than `pricing.surfaceMaxAgeMillis`.',
    action: 'Find the underlying in /readyz, and restart the feed of its surfaces.',
  },
  {
    name: 'AcknowledgementSlow',
    expression:
      'histogram_quantile(0.99, sum by (instance, le) (rate(strikebook_acknowledgement_seconds_bucket[5m]))) > 0.25',
    ...{ for: '5m', severity: 'ticket' },
    means: 'One acknowledgement in a hundred takes more than 250 ms.',
    action:
      'Check the flushes of the journal (`JournalSlow`), busy threads (`ThreadNearLimit`) and the load of the machine.',
  },
  {
    name: 'DiskNearlyFull',
    expression: 'strikebook_disk_free_bytes / strikebook_disk_size_bytes < 0.15',
    ...{ for: '10m', severity: 'ticket' },
    means: 'Less than 15 % of the file system of the data folder is free.',
    action: 'Free space, or move the oldest segments out of journal/archive.',
  },
  {
    name: 'DiskFull',
    expression:
      'strikebook_disk_free_bytes / strikebook_disk_size_bytes < 0.05 or predict_linear(strikebook_disk_free_bytes[1h], 14400) < 0',
    ...{ for: '5m', severity: 'page' },
    means:
      'Less than 5 % of the file system of the data folder is free, or the trend fills it within four hours. A venue on a full file system shuts down.',
    action: 'Free space now.',
  },
  {
    name: 'SnapshotOld',
    expression: 'strikebook_snapshot_age_seconds > 1800 and strikebook_snapshot_lag_batches > 0',
    ...{ for: '5m', severity: 'ticket' },
    means:
      'No snapshot was written for half an hour, although there are new batches: a restart takes long.',
    action:
      'Read the log of the thread `snapshot`, and check the settings `journal.snapshotSeconds` and `journal.snapshotBatches`.',
  },
  {
    name: 'BackupOld',
    expression: 'time() - strikebook_backup_timestamp_seconds > 93600',
    ...{ for: '10m', severity: 'ticket' },
    means: 'The latest backup is more than 26 hours old. The first backup arms this alarm.',
    action: 'Find out why `npx strikebook backup` did not run.',
  },
  {
    name: 'CertificateExpires',
    expression: 'strikebook_certificate_expiry_timestamp_seconds - time() < 1209600',
    ...{ for: '10m', severity: 'ticket' },
    means: 'The TLS certificate that the venue has loaded expires within 14 days.',
    action: 'Renew it, then restart the venue, which reads the file at startup.',
  },
  {
    name: 'InvariantBroken',
    expression: 'strikebook_invariant_alarm == 1',
    ...{ for: '0s', severity: 'page' },
    means: 'Something was found that must never be; new orders are halted, cancels go on.',
    action: `Read the amounts in /livez and the log, take a backup of the data folder, find out why; then ${open}.`,
  },
  {
    name: 'WalletStopped',
    expression: 'strikebook_stopped_wallets > 0',
    ...{ for: '0s', severity: 'page' },
    means:
      'The margin of a wallet is not what its positions and orders come to; it may only cancel.',
    action:
      'Read wallet and amounts in /livez, take a backup of the data folder, find the cause; then ' +
      '`POST /operator/wallet-halts {"wallet": "0x...", "mode": "open"}`.',
  },
  {
    name: 'BinaryNotPinned',
    expression: 'strikebook_native_binaries{kind!="pinned"} > 0',
    ...{ for: '0s', severity: 'ticket' },
    means:
      'Native code runs that the project has not pinned: accepted by name, or compiled on this machine.',
    action:
      'The log names file and hash at the start. If it is yours, name the hash in native.accepted; else `npm ci`.',
  },
  {
    name: 'InvariantsNotLookedAt',
    expression: 'increase(strikebook_invariant_looks_total[15m]) == 0',
    ...{ for: '0s', severity: 'ticket' },
    means:
      'Nobody looks at the invariants: switched off, or the thread of the snapshots stands still.',
    action: 'Look at invariants.checkMillis and at the heartbeat of the thread snapshot.',
  },
  {
    name: 'ClockStepped',
    expression: 'strikebook_clock_alarm == 1',
    ...{ for: '0s', severity: 'page' },
    means: 'The clock of the machine was stepped; trading is halted and nothing expires.',
    action:
      'Set the clock right, or say what holds: `POST /operator/clock {"accept": "engine"}` or `"wall"`.',
  },
  {
    name: 'ThreadSilent',
    expression: 'time() - strikebook_heartbeat_timestamp_seconds > 15',
    ...{ for: '30s', severity: 'page' },
    means: 'A thread has not beaten: it hangs, or gets no processor.',
    action:
      'Look at the load and the disk of the machine; if it stays, stop with SIGTERM and start again.',
  },
  {
    name: 'ThreadNearLimit',
    expression: 'rate(strikebook_thread_processor_seconds_total[5m]) > 0.85',
    ...{ for: '5m', severity: 'ticket' },
    means: 'A thread keeps its core busy: what comes faster than now waits for it.',
    action:
      'Of a gateway: add gateways. Of a matcher: add matchers. Core, journal, history and read model are one each: pin them ' +
      'to cores of their own. With `idle = "spin"` a thread is always busy: then look at the depth of its ring.',
  },
  {
    name: 'JournalSlow',
    expression:
      'rate(strikebook_journal_flush_seconds_total[5m]) / rate(strikebook_journal_flushes_total[5m]) > 0.05',
    ...{ for: '5m', severity: 'ticket' },
    means: 'A flush of the journal takes 50 ms in the mean: every answer waits for it.',
    action:
      'Run `npm run flush-probe` beside it: what is slow there too is the disk or the machine.',
  },
  {
    name: 'RingFull',
    expression: 'increase(strikebook_ring_full_total[5m]) > 0',
    ...{ for: '5m', severity: 'ticket' },
    means: 'Commands found their ring full and were refused as `engine_busy`.',
    action:
      'The core is the bottleneck: pin it, give it a core of its own, or take matchers off it.',
  },
  {
    name: 'OrdersRefusedBusy',
    expression: 'rate(strikebook_busy_refused_total[5m]) > 1',
    ...{ for: '5m', severity: 'ticket' },
    means: 'Gateways refuse new orders to keep their turns short.',
    action: 'Signatures are the bottleneck: add gateways as far as there are cores.',
  },
  {
    name: 'SlowConsumers',
    expression: 'increase(strikebook_slow_consumer_closes_total[10m]) > 20',
    ...{ for: '0s', severity: 'ticket' },
    means: 'Streams are closed because their readers do not keep up.',
    action: 'One client with many connections, or a narrow network: look at who reconnects.',
  },
  {
    name: 'ConnectionsNearLimit',
    expression: 'sum(strikebook_connections) > 0.9 * sum(strikebook_connections_max)',
    ...{ for: '5m', severity: 'ticket' },
    means: 'Nine tenths of the connections that are taken are open.',
    action: 'Raise the limit of open files and http.connectionsMax.',
  },
  {
    name: 'HistoryDown',
    expression: 'strikebook_history_down == 1',
    ...{ for: '10m', severity: 'ticket' },
    means: 'History is not to be read; trading goes on without it.',
    action: 'It is filled again by itself; the log says why it was set aside. Look at the disk.',
  },
  {
    name: 'ExpiryWaitsForPrice',
    expression: 'sum(strikebook_expiries_waiting) > 0',
    ...{ for: '10m', severity: 'page' },
    means: 'Too few observations of the index were sound: an expiry cannot be settled.',
    action: 'Name the price: `POST /operator/settlement-prices`.',
  },
  {
    name: 'LiquidationWaitsForMark',
    expression: 'sum(strikebook_liquidations_waiting) > 0',
    ...{ for: '2m', severity: 'page' },
    means: 'Wallets are below maintenance margin and something that they hold has no mark.',
    action: 'Feed index and surfaces of the underlying.',
  },
  {
    name: 'InsuranceFundEmpty',
    expression:
      'strikebook_fund_balance_usd{kind="insurance"} <= 0 and on (instance, job) strikebook_insurance_deposits_usd_total > 0',
    ...{ for: '5m', severity: 'ticket' },
    means:
      'The insurance fund had deposits and is used up. Other wallets bear the next loss that a wallet cannot pay.',
    action: 'Pay into it: `POST /operator/insurance-fund`.',
  },
  {
    name: 'IndexRefused',
    expression: 'increase(strikebook_index_refused_total[2m]) > 5',
    ...{ for: '1m', severity: 'page' },
    means:
      'Index prices keep failing, because they are above the highest allowed price. One bad price raises no alarm.',
    action: 'If the prices are right: `POST /operator/max-index`; otherwise check the feed.',
  },
  {
    name: 'FileLost',
    expression: 'max by (file) (strikebook_file_lost) == 1',
    ...{ for: '0s', severity: 'page' },
    means:
      'The record of the rail or the audit log is missing, shorter than the journal knows, or replaced: the rail is ' +
      'stopped, or audited requests fail.',
    action:
      'Put the file back and start again. If it is gone for good, start once with `--accept-lost-files` ' +
      '(scripts/deploy/recovery/README.md).',
  },
  {
    name: 'WithdrawalsMissing',
    expression: 'strikebook_withdrawals_missing > 0',
    ...{ for: '0s', severity: 'page' },
    means: 'Money was delivered whose debit an accepted loss of the journal took.',
    action: 'Its wallets withdraw nothing more; see gateway/rail/README.md.',
  },
  {
    name: 'RailFailing',
    expression: 'increase(strikebook_rail_errors_total[15m]) > 5',
    ...{ for: '0s', severity: 'ticket' },
    means: 'The settlement rail fails, or refuses what it is given.',
    action: 'Look at the lines of the role rail in the log.',
  },
]
