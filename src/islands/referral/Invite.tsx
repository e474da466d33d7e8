import { ToastRegion } from '../platform/ToastRegion.tsx'
import { ShareCode } from './ShareCode.tsx'

/** The code and the link of the referral page. */
export function Invite(props: { code: string; link: string }) {
  return (
    <>
      <ShareCode {...props} />
      <ToastRegion />
    </>
  )
}
