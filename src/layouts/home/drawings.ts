/** The line drawings of the projects, as paths in a box of 120 by 120. */
export const drawings: Record<string, string> = {
  coin: 'M60 18a42 42 0 1 0 0 84 42 42 0 0 0 0-84zM74 45a21 21 0 1 0 0 30',
  cube: 'M60 16l40 22v44l-40 22-40-22V38zM60 60l40-22M60 60v44M60 60L20 38',
  layers: 'M60 18l44 22-44 22-44-22zM16 60l44 22 44-22M16 80l44 22 44-22',
  exchange: 'M20 44h72M74 26l18 18-18 18M100 76H28M46 58L28 76l18 18',
  bank: 'M16 46l44-26 44 26zM26 46v40M49 46v40M71 46v40M94 46v40M14 98h92',
  vault: 'M20 22h80v76H20zM60 42a18 18 0 1 0 0 36 18 18 0 0 0 0-36zM60 42V30M60 90V78M42 60H30M90 60H78M30 98v8M90 98v8'
}
