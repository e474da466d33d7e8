declare namespace Astro {
  interface ClientDirectives {
    /** See `clientPaint` in src/build/scripts.mjs. */
    'client:paint'?: boolean
  }
}

declare namespace App {
  interface Locals {
    app: import('./lib/server/app/compose.ts').Application
    requestId: string
    /** Why the page `/500` is shown, and where "try again" leads. */
    failed?: { isUnavailable: boolean; tryAgain: string }
    /** Adds to the line of this request; undefined while developing. */
    note?: (more: { who?: string; code?: string; route?: string }) => void
    /** The address that the browser, or the last proxy, connected from. */
    remoteAddress?: string | undefined
    /** The requested path that matched no route; set while the page `/404` answers. */
    askedPath?: string
    /** Undefined in development, where nothing is bundled. */
    scripts?: import('./lib/server/platform/web/createServer.ts').ScriptGraph
    /** How figures and dates are shown. */
    view: import('./lib/format/view.ts').View
    /** Settings of this browser: the theme, and whether amounts are hidden. */
    appearance: { theme: import('./lib/domain/access/settings.ts').Theme; isPrivate: boolean }
    /** Pages of the desk only: its application, and who is signed in there. */
    desk?: import('./lib/server/app/compose.ts').Desk
    staff?: import('./lib/server/staff/index.ts').Staff | undefined
    customer: import('./lib/server/platform/actor.ts').Customer | undefined
    /** See `frameOf` in layouts/platform/page.ts. */
    frame?: Promise<{ unseen: number; canTrade: boolean }>
  }
}
