import { useEffect } from 'react'
import { onReturn } from '#lib/client/platform/onReturn.ts'

/** Calls back when the page is looked at again after a minute or more. */
export function useReturn(callBack: () => void): void {
  useEffect(() => onReturn(callBack), [callBack])
}
