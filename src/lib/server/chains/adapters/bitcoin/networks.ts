import { NETWORK, TEST_NETWORK } from '@scure/btc-signer'

/** Regtest has the parameters of the test network, but its own address prefix. */
export const BITCOIN_NETWORKS = { main: NETWORK, test: TEST_NETWORK, regtest: { ...TEST_NETWORK, bech32: 'bcrt' } }
