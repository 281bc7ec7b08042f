import { StreamSocket } from './stream-socket.js'

// Subscribers in their own process. The first argument is their number, the others are server URLs. The process notifies
// its parent when all are connected, and each time all have received one more message.

const [countText, ...urls] = process.argv.slice(2)
const count = Number(countText)
process.once('disconnect', () => process.exit())
for (const url of urls) await connectAll(url)
process.send!('connected')

async function connectAll(url: string): Promise<void> {
  let received = 0
  for (let i = 0; i < count; i++) {
    const stream = await StreamSocket.open(url)
    stream.onText = () => {
      if (++received % count === 0) process.send!('received')
    }
    stream.onFailure = (failure) => {
      throw failure
    }
  }
}
