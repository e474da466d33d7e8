import { NETWORK, TEST_NETWORK } from '@scure/btc-signer'

/** Regtest is the test network with another beginning of its addresses. */
export const BITCOIN_NETWORKS = { main: NETWORK, test: TEST_NETWORK, regtest: { ...TEST_NETWORK, bech32: 'bcrt' } }
