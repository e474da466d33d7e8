/** A full Bitcoin node in regtest, in memory: the process that `bitcoinNode.ts` starts. Its HTTP port is the first argument. */
const networks = require('bcoin/lib/protocol/networks')

// Bitcoin Core's prefixes of regtest addresses.
Object.assign(networks.regtest.addressPrefix, { pubkeyhash: 111, scripthash: 196, bech32: 'bcrt' })

// Activates SegWit after three periods of 12 blocks instead of 144.
Object.assign(networks.regtest, { minerWindow: 12, activationThreshold: 9 })

const FullNode = require('bcoin/lib/node/fullnode')
const node = new FullNode({
  network: 'regtest',
  memory: true,
  indexTx: true,
  listen: false,
  // Accepts transactions that signal replace-by-fee. bcoin cannot replace a transaction in its mempool.
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
