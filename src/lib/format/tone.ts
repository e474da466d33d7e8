/** The colour of a state (spec section 4). */
export type Tone = 'gold' | 'blue' | 'green' | 'grey'
