// Body of POST /risk/simulate/orders, which nobody signs.

export const simulatedOrdersMax = 10
export const simulatedBody = { wallet: 'text', orders: 'any', 'execution_mode?': 'text' } as const
export const simulatedOrder = { symbol: 'text', side: 'text', size: 'text', price: 'text' } as const
