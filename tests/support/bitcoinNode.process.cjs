/** A full Bitcoin node in regtest, in memory: the process that `bitcoinNode.ts` starts. Its HTTP port is the first argument. */
const networks = require('bcoin/lib/protocol/networks')

// Bitcoin Core's beginnings of regtest addresses.
Object.assign(networks.regtest.addressPrefix, { pubkeyhash: 111, scripthash: 196, bech32: 'bcrt' })

// Witnesses are in force after three short periods instead of three of 144 blocks.
Object.assign(networks.regtest, { minerWindow: 12, activationThreshold: 9 })

const FullNode = require('bcoin/lib/node/fullnode')
const node = new FullNode({
  network: 'regtest',
  memory: true,
  indexTx: true,
  listen: false,
  // Takes transactions that say that they may be replaced; replacing one in its pool it does not know.
  replaceByFee: true,
  workers: false,
  apiKey: 'secret',
  httpHost: '127.0.0.1',
  httpPort: Number(process.argv[2]),
  logLevel: 'error'
})

node.open().then(async () => {
  await node.connect()
  console.log('listening')
})
