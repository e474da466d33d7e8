import { useState } from 'react'

/** True from the first time that `value` is: a part that loads on a press stays, so that it can close with its animation. */
export function useEver(value: boolean): boolean {
  const [was, setWas] = useState(false)
  if (value && !was) setWas(true)
  return was || value
}
