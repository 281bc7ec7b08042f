import { anyAddress, list, nullable, object, oneOf, text } from './shape.js'

/** Most orders of one simulation. */
export const simulatedOrdersMax = 10

const order = {
  symbol: text('Symbol of the option'),
  side: text('Exactly `Buy` or `Sell`'),
  size: text('Size in contracts'),
  price: text('Limit price in USD per contract'),
}

/** Body of `POST /risk/simulate/orders`. Nobody signs it. */
export const simulatedOrders = object({
  wallet: anyAddress('Wallet that would place the orders'),
  orders: list(
    object(order),
    `1 to ${simulatedOrdersMax} orders; the check of each counts the earlier ones as working`,
    { minItems: 1, maxItems: simulatedOrdersMax },
  ),
  'execution_mode?': nullable(
    oneOf(['resting'], 'Only `resting`: the check assumes that each order rests on the book'),
  ),
})

/** Fields of the body, and of an order in it, with the JSON types that are checked first. */
export const simulatedBody = { wallet: 'text', orders: 'any', 'execution_mode?': 'text' } as const
export const simulatedOrder = { symbol: 'text', side: 'text', size: 'text', price: 'text' } as const
