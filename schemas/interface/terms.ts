import { instrumentTypeNames, marginModeNames, sideNames, tierNames } from '../domain.js'
import { address, decimal, oneOf, seq, text } from './shape.js'

// Fields that answers and messages of several capabilities share.

export const wallet = address('Wallet of the account')
export const symbol = text('Canonical symbol of the instrument')
export const underlying = text('Name of the underlying')
export const instrumentType = oneOf(instrumentTypeNames, 'Type of the instrument')
export const side = oneOf(sideNames, 'Side of the order')
/** Signed size of a position. */
export const positionSize = decimal('Size of the position in contracts; negative: short')
export const entryPrice = decimal('Average entry price in USD per contract')
export const equity = decimal('Equity in USD: cash plus the value of all positions at the mark')
export const marginMode = oneOf(marginModeNames, 'Margin model of the wallet')
export const tier = oneOf(tierNames, 'Tier of the wallet')
/** Sequence of the event that an answer or a message reports. */
export const eventSeq = seq('Sequence of the event')
