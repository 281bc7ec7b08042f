/**
 * Returns the name of the struct that an order signs. @param order `orderId`: the order to replace; '' for a new one.
 */
export function orderStructName(order: {
  readonly orderId: string
  readonly route: string | null
  readonly reduceOnly: boolean
}) {
  if (order.orderId !== '') return order.reduceOnly ? 'ReplaceOrderReduceOnly' : 'ReplaceOrder'
  if (order.reduceOnly) return 'PlaceOrderReduceOnly'
  return order.route === null ? 'PlaceOrderWithoutRoute' : 'PlaceOrder'
}

/** Returns the name of the struct that a cancel signs. A cancel by client id has no order id. */
export function cancelStructName({ orderId }: { readonly orderId: string }) {
  return orderId === '' ? 'CancelOrderByClientId' : 'CancelOrder'
}
