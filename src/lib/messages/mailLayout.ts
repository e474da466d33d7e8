/**
 * How every mail looks, as text and as HTML. Mail programs know little: tables and the old attributes carry the layout,
 * one style sheet, the same in every mail, refines it where it is understood.
 */
import { BRAND } from '../domain/brand.ts'

export type MailText = { subject: string; text: string; html: string }
/** A paragraph, a code to enter, something to press, or names with their values. */
export type MailBlock = string | { code: string } | { link: string; label: string } | { facts: [label: string, value: string][] }

export const MAIL_STYLE = `
body,td,th{font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-size:16px;line-height:24px}
th{font-weight:400}
.wrap{max-width:520px}
.sheet{border-radius:20px}
.mark{border-radius:9px}
.title{font-size:24px;line-height:30px;letter-spacing:-0.02em}
.code{font-size:36px;line-height:44px;letter-spacing:0.2em;font-variant-numeric:tabular-nums}
.tint{border-radius:12px}
.fact{font-variant-numeric:tabular-nums}
.press{text-decoration:none}
.small{font-size:13px;line-height:19px}
@media (prefers-color-scheme:dark){
body,.page{background:#0b100e!important}
.sheet{background:#131a17!important}
.ink,.title,.fact{color:#eaf1ec!important}
.muted{color:#abb9b1!important}
.tint{background:#162b22!important}
.code{color:#62d2a6!important}
}`

const INK = '#101b16'
const MUTED = '#45524c'

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function htmlOf(block: MailBlock): string {
  if (typeof block === 'string') return `<p><font class="ink" color="${INK}">${escapeHtml(block)}</font></p>`
  if ('code' in block) {
    return `<table width="100%" cellpadding="20" cellspacing="0" role="presentation"><tr><td class="tint" bgcolor="#e4efe8" align="center"><b><font class="code" color="#0a5c43" size="6">${escapeHtml(block.code)}</font></b></td></tr></table>`
  }
  if ('link' in block) {
    return `<table cellpadding="14" cellspacing="0" role="presentation"><tr><td class="tint" bgcolor="#0c3b2c"><b><a class="press" href="${escapeHtml(block.link)}"><font color="#f6f5ef">${escapeHtml(block.label)}</font></a></b></td></tr></table>`
  }
  const rows = block.facts.map(
    ([label, value]) =>
      `<tr><th scope="row" align="left"><font class="muted" color="${MUTED}">${escapeHtml(label)}</font></th><td align="right"><b><font class="fact" color="${INK}">${escapeHtml(value)}</font></b></td></tr>`
  )
  return `<table width="100%" cellpadding="6" cellspacing="0">${rows.join('')}</table>`
}

function textOf(block: MailBlock): string {
  if (typeof block === 'string') return block
  if ('code' in block) return block.code
  if ('link' in block) return `${block.label}: ${block.link}`
  return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
}

/** `title` is the subject and the heading. */
export function layOutMail(title: string, blocks: MailBlock[]): MailText {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style>${MAIL_STYLE}</style></head><body bgcolor="#f4f3ee"><table class="page" bgcolor="#f4f3ee" width="100%" cellpadding="16" cellspacing="0" role="presentation"><tr><td align="center"><table class="wrap" width="100%" cellpadding="0" cellspacing="0" role="presentation"><tr><td><table cellpadding="8" cellspacing="0" role="presentation"><tr><td class="mark" bgcolor="#0c3b2c" width="32" align="center"><b><font color="#e0b95a">${escapeHtml(BRAND.initials)}</font></b></td><td><b><font class="ink" color="${INK}">${escapeHtml(BRAND.name)}</font></b></td></tr></table><br></td></tr><tr><td><table class="sheet" bgcolor="#fffefb" width="100%" cellpadding="28" cellspacing="0" role="presentation"><tr><td><h1><font class="title" color="${INK}" size="5">${escapeHtml(title)}</font></h1>${blocks.map(htmlOf).join('')}</td></tr></table></td></tr><tr><td><br><p class="small"><font class="muted" color="${MUTED}">You get this mail because it concerns your account at ${escapeHtml(BRAND.name)}.</font></p></td></tr></table></td></tr></table></body></html>`
  return {
    subject: `${title} · ${BRAND.name}`,
    text: `${blocks.map(textOf).join('\n\n')}\n\n${BRAND.name}\n`,
    html
  }
}
