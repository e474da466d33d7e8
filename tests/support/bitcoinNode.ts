/** Starts a real Bitcoin node in regtest (bcoin), with a wallet that owns the rewards of its blocks. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { hexToBytes } from '@noble/hashes/utils.js'
import { Address, CompactSize, OutScript, p2pkh, RawTx, Transaction } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'
import { array, bytes, struct } from 'micro-packed'
import { BITCOIN_NETWORKS } from '#lib/server/chains/adapters/bitcoin/networks.ts'
import { freePort } from './embeddedPostgres.ts'

const START_WITHIN_MS = 30_000
const script = fileURLToPath(new URL('./bitcoinNode.process.cjs', import.meta.url))
const KEY = new Uint8Array(32).fill(7)
const MATURITY = 100
const FEE = 10_000n
const RawBlock = struct({ header: bytes(80), transactions: array(CompactSize, RawTx) })

export async function startBitcoin() {
  const port = await freePort()
  const child = spawn(process.execPath, [script, String(port)], { env: { PATH: process.env.PATH ?? '', NODE_BACKEND: 'js' } })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`bcoin did not start:\n${said}`)), START_WITHIN_MS)
    const listen = (chunk: Buffer) => {
      said += chunk.toString()
      if (!said.includes('listening')) return
      clearTimeout(timer)
      resolve()
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', () => reject(new Error(`bcoin ended:\n${said}`)))
  })
  const url = `http://x:secret@127.0.0.1:${port}/`

  async function rpc<T>(method: string, ...params: unknown[]): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('x:secret')}` },
      body: JSON.stringify({ method, params })
    })
    const { result, error } = (await response.json()) as { result: T; error: { message: string } | null }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  const network = BITCOIN_NETWORKS.regtest
  // P2PKH, because SegWit is not active on a young chain.
  const own = p2pkh(pubECDSA(KEY), network)
  const mine = (blocks = 1, to = own.address) => rpc<string[]>('generatetoaddress', blocks, to)
  // A block's reward can be spent after a hundred more blocks.
  const spendable = await mine(MATURITY + 20)

  /** The first transaction of a block, out of its bytes: the node's index of transactions may be behind. */
  async function firstOf(hash: string): Promise<Uint8Array> {
    const [first] = RawBlock.decode(hexToBytes(await rpc<string>('getblock', hash, false))).transactions
    if (!first) throw new Error(`Block ${hash} is empty`)
    return RawTx.encode(first)
  }

  /** Pays to addresses from the reward of one block; returns the transaction's id. */
  async function pay(...outputs: { address: string; amount: bigint }[]): Promise<string> {
    const hash = spendable.shift() ?? ''
    const block = await rpc<{ tx: { txid: string; vout: { value: number }[] }[] }>('getblock', hash, true, true)
    const coin = block.tx[0]
    const amount = BigInt(Math.round((coin?.vout[0]?.value ?? 0) * 1e8))
    const transaction = new Transaction()
    transaction.addInput({ txid: coin?.txid ?? '', index: 0, nonWitnessUtxo: await firstOf(hash) })
    let left = amount - FEE
    for (const output of outputs) {
      transaction.addOutput({ script: OutScript.encode(Address(network).decode(output.address)), amount: output.amount })
      left -= output.amount
    }
    transaction.addOutput({ script: own.script, amount: left })
    transaction.sign(KEY)
    transaction.finalize()
    await rpc('sendrawtransaction', transaction.hex)
    return transaction.id
  }

  return {
    url,
    mine,
    pay,
    rpc,
    /** Replaces the newest `depth` blocks by `depth + 1` new ones; the removed transactions are in the first of these. */
    reorganise: async (depth: number) => {
      const height = await rpc<number>('getblockcount')
      const removed: string[] = []
      for (let at = height - depth + 1; at <= height; at += 1) {
        const { tx } = await rpc<{ tx: string[] }>('getblock', await rpc('getblockhash', at))
        for (const id of tx.slice(1)) removed.push(await rpc<string>('getrawtransaction', id))
      }
      await rpc('invalidateblock', await rpc('getblockhash', height - depth + 1))
      for (const raw of removed) await rpc('sendrawtransaction', raw)
      return mine(depth + 1)
    },
    stop: () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      })
  }
}
