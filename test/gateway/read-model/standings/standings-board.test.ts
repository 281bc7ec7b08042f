import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletOf } from '../../../../bench/event-script.js'
import type { Ledger } from '../../../../gateway/read-model/standings/ledger.js'
import {
  type KeptStandings,
  StandingsBoard,
} from '../../../../gateway/read-model/standings/standings-board.js'

const retryMillis = 200

/** A board where nothing runs, and a store that knows what one participant came to in each that has ended. */
function boardBeside(store: { seq: number; fails?: boolean }) {
  const board = new StandingsBoard({
    isReady: () => true,
    hasActive: () => false,
    isStoreDown: () => false,
  })
  let [opened, closed] = [0, 0]
  const open = (): KeptStandings => {
    opened++
    return {
      seq: store.seq,
      read: () => [].values(),
      *readEnded({ id, participants }: Ledger) {
        yield
        if (store.fails === true) throw new Error('disk I/O error')
        participants.trades[participants.rowFor(walletOf(id))] = 1
      },
      close: () => void closed++,
    }
  }
  const goOn = (nowMillis: number) => {
    while (board.goOn(nowMillis) > 0);
  }
  goOn(0)
  return { board, goOn, open, counts: () => [opened, closed] }
}

test('an ended competition is read on its first request, and stays', () => {
  const { board, counts, goOn, open } = boardBeside({ seq: 5 })
  assert.equal(board.lacksStore, false, 'nobody has asked')
  assert.equal(board.find(7, true), null)
  assert.equal(board.lacksStore, true)
  board.bringStore(open)
  goOn(retryMillis)
  const ledger = board.find(7, true)!
  assert.deepEqual(ledger.participants.wallets, [walletOf(7)])
  assert.equal(ledger.standings!.count, 1, 'and ranked')
  assert.deepEqual([board.find(8, true), board.find(9, true)], [null, null])
  goOn(2 * retryMillis)
  goOn(3 * retryMillis)
  assert.deepEqual([board.find(8, true)!.id, board.find(9, true)!.id], [8, 9])
  assert.deepEqual(counts(), [3, 3])
})

test('a store that fails or lags is read again a little later', () => {
  const store = { seq: -2, fails: true }
  const { board, counts, goOn, open } = boardBeside(store)
  board.bringStore(open)
  board.find(7, true)
  goOn(retryMillis)
  assert.deepEqual(counts(), [1, 1], 'it is behind')
  store.seq = 5
  goOn(retryMillis + 1)
  goOn(2 * retryMillis)
  assert.deepEqual([board.find(7, true), ...counts()], [null, 2, 2], 'it fails')
  store.fails = false
  goOn(3 * retryMillis)
  assert.equal(board.find(7, true)!.id, 7)
})
