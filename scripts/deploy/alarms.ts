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
    means: 'An invariant is broken. New orders are halted; cancels work.',
    action: `Read the amounts in /livez and the log, back up the data folder, and find the cause. Then ${open}.`,
  },
  {
    name: 'WalletStopped',
    expression: 'strikebook_stopped_wallets > 0',
    ...{ for: '0s', severity: 'page' },
    means:
      'The margin of a wallet differs from the margin of its positions and orders. The wallet can only cancel.',
    action:
      'Read wallet and amounts in /livez, back up the data folder, and find the cause. Then ' +
      '`POST /operator/wallet-halts {"wallet": "0x...", "mode": "open"}`.',
  },
  {
    name: 'BinaryNotPinned',
    expression: 'strikebook_native_binaries{kind!="pinned"} > 0',
    ...{ for: '0s', severity: 'ticket' },
    means:
      'Native code runs that the project has not pinned: its hash is in `native.accepted`, or it was compiled on this machine.',
    action:
      'The log has its file and hash at the start. If you built it, add the hash to `native.accepted`; otherwise run `npm ci`.',
  },
  {
    name: 'InvariantsUnchecked',
    expression: 'increase(strikebook_invariant_looks_total[15m]) == 0',
    ...{ for: '0s', severity: 'ticket' },
    means:
      'The invariants were not checked for 15 minutes: checks are off, or the thread `snapshot` has stopped.',
    action: 'Check `invariants.checkMillis` and the heartbeat of the thread `snapshot`.',
  },
  {
    name: 'ClockStepped',
    expression: 'strikebook_clock_alarm == 1',
    ...{ for: '0s', severity: 'page' },
    means: 'The clock of the machine jumped. Trading is halted, and nothing expires.',
    action:
      'Correct the clock, or choose one: `POST /operator/clock {"accept": "engine"}` or `"wall"`.',
  },
  {
    name: 'ThreadSilent',
    expression: 'time() - strikebook_heartbeat_timestamp_seconds > 15',
    ...{ for: '30s', severity: 'page' },
    means: 'A thread has sent no heartbeat: it hangs, or gets no CPU time.',
    action:
      'Check the load and the disk of the machine. If the alarm stays, stop with SIGTERM and start again.',
  },
  {
    name: 'ThreadNearLimit',
    expression: 'rate(strikebook_thread_processor_seconds_total[5m]) > 0.85',
    ...{ for: '5m', severity: 'ticket' },
    means: 'A thread uses more than 85 % of its CPU. Any further load queues.',
    action:
      'Gateway: add gateways. Matcher: add matchers. Core, journal, history and read model exist once: pin each to a CPU ' +
      'of its own. With `idle = "spin"` a thread is always busy: check the depth of its ring instead.',
  },
  {
    name: 'JournalSlow',
    expression:
      'rate(strikebook_journal_flush_seconds_total[5m]) / rate(strikebook_journal_flushes_total[5m]) > 0.05',
    ...{ for: '5m', severity: 'ticket' },
    means: 'A flush of the journal takes more than 50 ms on average. Every answer waits for it.',
    action:
      'Run `npm run flush-probe` on the same machine. If it is slow too, the disk or the machine is the cause.',
  },
  {
    name: 'RingFull',
    expression: 'increase(strikebook_ring_full_total[5m]) > 0',
    ...{ for: '5m', severity: 'ticket' },
    means: 'A ring was full, and commands failed with `engine_busy`.',
    action:
      'The core is the bottleneck: give it a CPU of its own, or move matchers to threads of their own.',
  },
  {
    name: 'OrdersRefusedBusy',
    expression: 'rate(strikebook_busy_refused_total[5m]) > 1',
    ...{ for: '5m', severity: 'ticket' },
    means: 'Gateways fail new orders with `engine_busy` to keep their turns short.',
    action: 'Signature checks are the bottleneck: add gateways while there are free CPUs.',
  },
  {
    name: 'SlowConsumers',
    expression: 'increase(strikebook_slow_consumer_closes_total[10m]) > 20',
    ...{ for: '0s', severity: 'ticket' },
    means: 'The venue closes streams because their clients read too slowly.',
    action:
      'The cause is one client with many connections, or a slow network: check which addresses reconnect.',
  },
  {
    name: 'ConnectionsNearLimit',
    expression: 'sum(strikebook_connections) > 0.9 * sum(strikebook_connections_max)',
    ...{ for: '5m', severity: 'ticket' },
    means: 'More than 90 % of the allowed connections are open.',
    action: 'Raise the limit of open files and `http.connectionsMax`.',
  },
  {
    name: 'HistoryDown',
    expression: 'strikebook_history_down == 1',
    ...{ for: '10m', severity: 'ticket' },
    means: 'The history cannot be read. Trading continues.',
    action: 'The venue fills it again by itself. The log has the reason. Check the disk.',
  },
  {
    name: 'ExpiryWaitsForPrice',
    expression: 'sum(strikebook_expiries_waiting) > 0',
    ...{ for: '10m', severity: 'page' },
    means: 'The index has too few valid observations: an expiry cannot settle.',
    action: 'Set the price: `POST /operator/settlement-prices`.',
  },
  {
    name: 'LiquidationWaitsForMark',
    expression: 'sum(strikebook_liquidations_waiting) > 0',
    ...{ for: '2m', severity: 'page' },
    means: 'A wallet is below maintenance margin, and one of its positions has no mark.',
    action: 'Send index and surfaces of the underlying.',
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
    means: 'The rail delivered money whose debit was in a lost part of the journal.',
    action: 'Withdrawals of these wallets fail. Follow gateway/rail/README.md.',
  },
  {
    name: 'RailFailing',
    expression: 'increase(strikebook_rail_errors_total[15m]) > 5',
    ...{ for: '0s', severity: 'ticket' },
    means: 'The settlement rail fails, or rejects deliveries.',
    action: 'Read the log lines with the role `rail`.',
  },
]
