/** The editors' system, from which we copy the news. */

/** An entry as the editor published it; fields that the editor left empty are undefined. */
export type SourceEntry = {
  id: string
  title: string | undefined
  shortDescription: string | undefined
  thumbnailId: string | undefined
  mainContent: unknown
  /** The editor's date, otherwise when the entry was made. */
  date: Date
}
/** A picture: `url` is absolute and leads to the configured host. */
export type SourceAsset = { id: string; url: string; title: string; description: string }

export type SourceChange =
  | { kind: 'entry'; entry: SourceEntry }
  | { kind: 'asset'; asset: SourceAsset }
  | { kind: 'entryRemoved'; id: string }
  | { kind: 'assetRemoved'; id: string }
  /** Something that is not shown, e.g. a file that is no picture; logged. */
  | { kind: 'ignored'; id: string; why: string }

export type SourcePage = {
  changes: SourceChange[]
  /** Where the next page begins. */
  token: string
  /** More pages follow now. */
  hasMore: boolean
}
/** A delivery of the webhook; `path` with its query. */
type NewsDelivery = { method: string; path: string; body: string; headers: Record<string, string> }

/** A delivery that is not signed, or whose signature is wrong or too old. */
export class NewsSignatureError extends Error {
  override name = 'NewsSignatureError'
}
/** The token of a sync is no longer accepted: start from the beginning. */
export class TokenRefusedError extends Error {
  override name = 'TokenRefusedError'
}
/** A picture that we do not accept; it is not fetched again. */
export class ImageRefusedError extends Error {
  override name = 'ImageRefusedError'
}

export type NewsSource = {
  /** Identifies the space; with another name the copy starts from the beginning. */
  name: string
  /** The changes since `token`; all entries and assets if it is undefined. Throws TokenRefusedError, UnavailableError. */
  readChanges: (token: string | undefined) => Promise<SourcePage>
  /** The bytes of a picture; throws ImageRefusedError for another host or one that is too large, UnavailableError. */
  readImage: (url: string) => Promise<Uint8Array>
  /** A draft with the pictures that it shows; undefined for an unknown id. Throws UnavailableError. */
  readDraft: (id: string) => Promise<{ entry: SourceEntry; assets: SourceAsset[] } | undefined>
  /** The key with which an editor opens a preview; undefined if there are no previews. */
  previewKey: string | undefined
  /** Verifies a delivery and reads it; throws NewsSignatureError. */
  readEvent: (delivery: NewsDelivery) => { signature: string; topic: string }
}
