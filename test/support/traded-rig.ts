import { CoreRig } from './core-rig.js'

/** Returns a market of one option in which wallet 1 has bought 2 from wallet 2, with quotes on both sides. */
export function tradedRig(): CoreRig {
  const rig = new CoreRig().openMarket()
  rig.place({ wallet: 2, side: 'Sell', price: '5000', size: '2' })
  rig.place({ wallet: 1, side: 'Buy', price: '5000', size: '2' })
  rig.place({ wallet: 3, side: 'Buy', price: '4000', size: '1' })
  rig.place({ wallet: 4, side: 'Sell', price: '6000', size: '1.5' })
  rig.run().events()
  return rig
}
