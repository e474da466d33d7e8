/** Nicknames that reveal nothing about the seller, e.g. `Heron 27`. */

const WORDS = [
  'Alder',
  'Amber',
  'Aspen',
  'Badger',
  'Basalt',
  'Beech',
  'Birch',
  'Brook',
  'Cedar',
  'Clover',
  'Comet',
  'Coral',
  'Crane',
  'Dune',
  'Ember',
  'Falcon',
  'Fern',
  'Finch',
  'Fjord',
  'Flint',
  'Garnet',
  'Glacier',
  'Granite',
  'Harbor',
  'Hazel',
  'Heath',
  'Heron',
  'Ibis',
  'Iris',
  'Jasper',
  'Juniper',
  'Kestrel',
  'Lagoon',
  'Larch',
  'Lark',
  'Linden',
  'Lotus',
  'Lynx',
  'Maple',
  'Marlin',
  'Meadow',
  'Nectar',
  'Nova',
  'Oak',
  'Onyx',
  'Opal',
  'Orchid',
  'Otter',
  'Pebble',
  'Pine',
  'Quartz',
  'Raven',
  'Reef',
  'River',
  'Robin',
  'Rowan',
  'Sage',
  'Slate',
  'Sparrow',
  'Spruce',
  'Tern',
  'Thistle',
  'Topaz',
  'Willow'
]

/** Tries before a nickname gets another digit. */
const TRIES_A_LENGTH = 4
const FEWEST_DIGITS = 2

/** A nickname from 32 random bits. `tries`: how many tries were already taken; the number gets longer, so that a free name is found. */
export function nicknameFrom(random: number, tries: number): string {
  const digits = FEWEST_DIGITS + Math.floor(tries / TRIES_A_LENGTH)
  const word = WORDS[random % WORDS.length]
  const number = Math.floor(random / WORDS.length) % 10 ** digits
  return `${word} ${String(number).padStart(digits, '0')}`
}
