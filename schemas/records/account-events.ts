import { usernameBytesMax } from '../bounds.js'
import { event } from './event.js'
import { address, f64, i32, one, part, rows, text, unused } from './layout.js'
import { competitionTerms } from './parts.js'

// Events of what accounts do beside trading.

export const openMark = part('OpenMark', 'The mark in force of an instrument that is open.', [
  f64('markMicros'),
  i32('instrument'),
  i32('zero'),
])

export const accountEvents = [
  event({ Username: 29 }, "A wallet's names after the change.", [
    i32('account'),
    one('change', 'UsernameChange'),
    address('wallet'),
    text('username', usernameBytesMax, 'that it goes by; empty: none'),
    text('pending', usernameBytesMax, 'that it has asked for; empty: none'),
    unused(4),
  ]),
  event({ Competition: 30 }, 'A competition as it is after the change.', [
    f64('competitionId'),
    one('change', 'CompetitionChange'),
    one('state', 'CompetitionState'),
    ...competitionTerms,
    f64('createdMillis'),
    f64('updatedMillis'),
    rows('texts', 'bytes', 'UTF-8'),
  ]),
  event(
    { Competition: 30 },
    'With the change `Marks`: what positions are worth as the span is over. Marks that are missing are left out.',
    [
      f64('competitionId'),
      one('change', 'CompetitionChange'),
      i32('count'),
      rows('marks', openMark),
    ],
    { name: 'CompetitionMarks' },
  ),
]
