import { useEffect } from 'react'
import { onReturn } from '#lib/client/platform/onReturn.ts'

/** Calls back when the customer returns to the page after a minute or more. */
export function useReturn(callBack: () => void): void {
  useEffect(() => onReturn(callBack), [callBack])
}
