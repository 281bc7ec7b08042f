import { data } from './answer.js'
import { address, count, flag, object, text } from './shape.js'
import { write } from './write.js'

export const pushWrites = {
  'POST /push/subscribe': write({
    group: 'Push',
    summary: 'Subscribes a browser to notifications',
    example: {
      subscription: {
        endpoint: 'https://fcm.googleapis.com/fcm/send/example',
        keys: {
          p256dh:
            'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
          auth: 'AAECAwQFBgcICQoLDA0ODw',
        },
      },
    },
    answer: data(
      object({
        wallet: address('Wallet concerned'),
        endpoint: text('Address of the push service; a duplicate adds none'),
        preferences: object(
          {
            fills: flag('True if fills are sent'),
            liquidations: flag('True if liquidations are sent'),
            settlements: flag('True if settlements are sent'),
          },
          'Enabled notifications',
        ),
      }),
    ),
  }),
  'POST /push/unsubscribe': write({
    group: 'Push',
    summary: 'Unsubscribes a browser',
    example: { endpoint: 'https://fcm.googleapis.com/fcm/send/example' },
    answer: data(
      object({
        wallet: address('Wallet concerned'),
        removed: count('Number of removed subscriptions'),
      }),
    ),
  }),
  'POST /push/preferences': write({
    group: 'Push',
    summary: 'Sets the notifications of a wallet',
    example: { fills: true, liquidations: false },
    answer: data(
      object({
        wallet: address('Wallet concerned'),
        preferences: object(
          {
            fills: flag('True if fills are sent'),
            liquidations: flag('True if liquidations are sent'),
            settlements: flag('True if settlements are sent'),
          },
          'Enabled notifications',
        ),
      }),
    ),
  }),
}
