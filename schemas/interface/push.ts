import { pushEndpointBytesMax } from '../bounds.js'
import { data } from './answer.js'
import * as body from './body.js'
import { count, described, flag, object, text } from './shape.js'
import { wallet } from './terms.js'
import { accountWrite } from './write.js'

function pushAction<const Name extends string>(name: Name) {
  return body.constant(name, 'Action: the last part of the path; signed even if absent')
}

function topic(description: string) {
  return body.optional(body.unsigned(body.boolean(description)), null)
}

const preferences = object(
  {
    fills: flag('True if the venue sends notifications of fills'),
    liquidations: flag('True if the venue sends notifications of liquidation state changes'),
    settlements: flag('True if the venue sends notifications of settlements'),
  },
  'Notification preferences, which all subscriptions of the wallet share',
)

const pushSubscription = object({
  wallet,
  endpoint: text('URL of the push service, unique per wallet'),
  preferences,
})

const pushSettings = object({ wallet, preferences })

const pushRemoval = object({ wallet, removed: count('Number of removed subscriptions') })

export const pushWrites = {
  'POST /push/subscribe': accountWrite({
    group: 'Push',
    summary: 'Subscribes a browser to the notifications of the wallet',
    action: 'PushSubscribe',
    body: {
      wallet: body.wallet('Wallet to notify'),
      action: pushAction('subscribe'),
      subscription: body.subscription('Subscription as the browser returned it'),
    },
    primaryType: 'PushAction',
    // A subscription does not end with the agent that made it.
    outlivesAgents: true,
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
    answer: data(described(pushSubscription, 'The subscription')),
  }),
  'POST /push/unsubscribe': accountWrite({
    group: 'Push',
    summary: 'Unsubscribes a browser from the notifications of the wallet',
    action: 'PushUnsubscribe',
    body: {
      wallet: body.wallet('Wallet of the subscription'),
      action: pushAction('unsubscribe'),
      endpoint: body.unsigned(
        body.pushUrl(
          `URL of the push service: https, at most ${pushEndpointBytesMax} bytes, with a host from push.allowedHosts`,
        ),
      ),
    },
    primaryType: 'PushAction',
    example: { endpoint: 'https://fcm.googleapis.com/fcm/send/example' },
    answer: data(described(pushRemoval, 'Removed subscriptions')),
  }),
  'POST /push/preferences': accountWrite({
    group: 'Push',
    summary: 'Sets the notification preferences of the wallet',
    action: 'PushPreferences',
    body: {
      wallet: body.wallet('Wallet of the notifications'),
      action: pushAction('preferences'),
      fills: topic('True to send notifications of fills; absent: unchanged'),
      liquidations: topic('True to send notifications of liquidations; absent: unchanged'),
      settlements: topic('True to send notifications of settlements; absent: unchanged'),
    },
    primaryType: 'PushAction',
    example: { fills: true, liquidations: false },
    answer: data(described(pushSettings, 'Preferences of the wallet')),
  }),
}
