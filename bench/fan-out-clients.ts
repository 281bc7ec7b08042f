import { StreamSocket } from './stream-socket.js'

// Subscribers in a process of their own: argument 0 is how many, the others are the servers' URLs.
// It tells the process that forked it when all are connected, and each time when all have got one
// message more.

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
