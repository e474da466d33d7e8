/** Starts a real Ethereum node (anvil), with tokens of six decimals and a contract that forwards ether. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import {
  createTestClient,
  createWalletClient,
  encodeAbiParameters,
  type Hex,
  http,
  keccak256,
  publicActions,
  walletActions
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

const START_WITHIN_MS = 30_000
/** Anvil's default accounts, which have coins only on its own network. */
const MNEMONIC = 'test test test test test test test test test test test junk'

const SOURCE = `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Token {
  event Transfer(address indexed from, address indexed to, uint256 value);
  mapping(address => uint256) public balanceOf;
  uint8 public constant decimals = 6;
  function mint(address to, uint256 value) external { balanceOf[to] += value; emit Transfer(address(0), to, value); }
  bool public isDeaf;
  function setDeaf(bool value) external { isDeaf = value; }
  function transfer(address to, uint256 value) external returns (bool) {
    if (isDeaf) return false;
    balanceOf[msg.sender] -= value; balanceOf[to] += value; emit Transfer(msg.sender, to, value); return true;
  }
  function twice(address to, uint256 value) external { emit Transfer(msg.sender, to, value); emit Transfer(msg.sender, to, value); }
}
contract Burner {
  mapping(uint256 => uint256) public kept;
  receive() external payable { for (uint256 i = 0; i < 3; i++) { kept[block.number * 10 + i] = 1; } }
}
contract Boomerang {
  address payable to;
  constructor(address payable _to) { to = _to; }
  receive() external payable { (bool ok,) = to.call{value: msg.value}(""); require(ok); }
}
contract Forwarder {
  function forward(address payable to) external payable { (bool ok,) = to.call{value: msg.value}(""); require(ok); }
  function forwardAndFail(address payable to) external payable {
    try this.inner{value: msg.value}(to) {} catch {}
  }
  function inner(address payable to) external payable { (bool ok,) = to.call{value: msg.value}(""); require(ok); revert("undone"); }
}`

type Contract = { abi: never; bytecode: Hex }

function compile(): Record<'Token' | 'Forwarder' | 'Boomerang' | 'Burner', Contract> {
  const solc = createRequire(import.meta.url)('solc')
  const input = {
    language: 'Solidity',
    sources: { 'all.sol': { content: SOURCE } },
    settings: { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } }
  }
  const made = JSON.parse(solc.compile(JSON.stringify(input))).contracts['all.sol']
  const contract = (name: string) => ({ abi: made[name].abi as never, bytecode: `0x${made[name].evm.bytecode.object}` as Hex })
  return {
    Token: contract('Token'),
    Forwarder: contract('Forwarder'),
    Boomerang: contract('Boomerang'),
    Burner: contract('Burner')
  }
}

async function spawnAnvil(args: string[]): Promise<{ child: ChildProcess; url: string }> {
  const command = process.env.ANVIL_PATH ?? 'node_modules/.bin/anvil'
  const child = spawn(command, ['--port', '0', '--chain-id', '31337', '--no-mining', '--order', 'fifo', ...args], {
    env: { PATH: process.env.PATH ?? '' }
  })
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`anvil did not start:\n${said}`)), START_WITHIN_MS)
    const listen = (chunk: Buffer) => {
      said += chunk.toString()
      const found = /Listening on (127\.0\.0\.1:\d+)/.exec(said)?.[1]
      if (!found) return
      clearTimeout(timer)
      resolve(`http://${found}`)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('error', reject)
    child.once('exit', () =>
      reject(new Error(`anvil ended. Without a binary for this system, install Foundry and set ANVIL_PATH.\n${said}`))
    )
  })
  return { child, url }
}

export async function startEthereum() {
  const { child, url } = await spawnAnvil([])
  const account = mnemonicToAccount(MNEMONIC)
  const client = createTestClient({ mode: 'anvil', chain: foundry, transport: http(url) })
    .extend(publicActions)
    .extend(walletActions)
  const wallet = createWalletClient({ account, chain: foundry, transport: http(url) })
  const { Token, Forwarder, Boomerang, Burner } = compile()
  let nonce = 0
  const fees = { gas: 2_000_000n, maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }

  async function deploy({ abi, bytecode }: Contract, args: unknown[] = []): Promise<Hex> {
    const hash = await wallet.deployContract({ abi, bytecode, args, nonce: nonce++, ...fees } as never)
    await client.mine({ blocks: 1 })
    return (await client.getTransactionReceipt({ hash })).contractAddress ?? '0x'
  }
  const token = await deploy(Token)
  const otherToken = await deploy(Token)
  const forwarder = await deploy(Forwarder)
  const call = (contract: Hex, { abi }: Contract, functionName: string, args: unknown[], value = 0n) =>
    wallet.writeContract({ address: contract, abi, functionName, args, value, nonce: nonce++, ...fees } as never)

  return {
    url,
    token,
    otherToken,
    sender: account.address,
    client,
    mine: (blocks = 1) => client.mine({ blocks }),
    send: (to: string, value: bigint) => wallet.sendTransaction({ to: to as Hex, value, nonce: nonce++, ...fees } as never),
    mint: (contract: Hex, to: string, value: bigint) => call(contract, Token, 'mint', [to, value]),
    mintTwice: (contract: Hex, to: string, value: bigint) => call(contract, Token, 'twice', [to, value]),
    /** A contract that uses much gas for the ether that it receives. */
    burner: () => deploy(Burner),
    /** Lets a token's contract answer `false` to every transfer, without failing. */
    deaf: async (contract: Hex, isDeaf: boolean) => {
      await call(contract, Token, 'setDeaf', [isDeaf])
      await client.mine({ blocks: 1 })
    },
    /** A contract that sends what it receives to this address at once. */
    boomerang: (to: string) => deploy(Boomerang, [to]),
    forward: (to: string, value: bigint) => call(forwarder, Forwarder, 'forward', [to], value),
    forwardAndFail: (to: string, value: bigint) => call(forwarder, Forwarder, 'forwardAndFail', [to], value),
    /** A transfer of more than the balance: included in a block, but fails. */
    failing: (contract: Hex, to: string) => call(contract, Token, 'transfer', [to, 10n ** 30n]),
    /** Sets an account's token balance to zero in the contract's storage, without a transfer. */
    drain: (contract: Hex, from: string) =>
      client.setStorageAt({
        address: contract,
        index: keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [from as Hex, 0n])),
        value: `0x${'0'.repeat(64)}`
      }),
    /** Replaces the newest `depth` blocks by empty ones. */
    reorganise: async (depth: number) => {
      await client.request({ method: 'anvil_reorg' as never, params: [depth, []] as never })
      nonce = await client.getTransactionCount({ address: account.address })
    },
    stop: () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => resolve())
        child.kill()
      })
  }
}
