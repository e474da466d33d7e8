/** A full Bitcoin node in regtest, in memory: the process that `bitcoinNode.ts` starts. Its HTTP port is the first argument. */
const networks = require('bcoin/lib/protocol/networks')

// Bitcoin Core's beginnings of regtest addresses.
Object.assign(networks.regtest.addressPrefix, { pubkeyhash: 111, scripthash: 196, bech32: 'bcrt' })

const FullNode = require('bcoin/lib/node/fullnode')
const node = new FullNode({
  network: 'regtest',
  memory: true,
  indexTx: true,
  listen: false,
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
