/**
 * The layout of every mail, as text and as HTML. Mail programs support little: tables and old attributes carry the layout; one
 * style sheet, the same in every mail, refines it if it is supported.
 */
import { html, raw } from 'hono/html'
import { BRAND } from '#lib/domain/brand.ts'
import { textsOf } from '#lib/messages/index.ts'
import type { Locale } from '#lib/messages/locale.ts'
import type { MailBlock, MailContent } from '#lib/messages/mail.ts'
import type { Company } from '../config.ts'
import { LOGO_ID } from './logo.ts'

export type MailText = { subject: string; text: string; html: string; replyTo?: string | undefined }

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

function paragraph(text: string) {
  return html`<p><font class="ink" color="${INK}">${text}</font></p>`
}

function codeBox(code: string) {
  return html`<table width="100%" cellpadding="20" cellspacing="0" role="presentation"><tr><td class="tint" bgcolor="#e4efe8" align="center"><b><font class="code" color="#0a5c43" size="6">${code}</font></b></td></tr></table>`
}

function button(link: string, label: string) {
  return html`<table cellpadding="14" cellspacing="0" role="presentation"><tr><td class="tint" bgcolor="#0c3b2c"><b><a class="press" href="${link}"><font color="#f6f5ef">${label}</font></a></b></td></tr></table>`
}

function factRow([label, value]: [string, string]) {
  return html`<tr><th scope="row" align="left"><font class="muted" color="${MUTED}">${label}</font></th><td align="right"><b><font class="fact" color="${INK}">${value}</font></b></td></tr>`
}

function htmlOf(block: MailBlock) {
  if (typeof block === 'string') return paragraph(block)
  if ('code' in block) return codeBox(block.code)
  if ('link' in block) return button(block.link, block.label)
  return html`<table width="100%" cellpadding="6" cellspacing="0">${block.facts.map(factRow)}</table>`
}

function textOf(block: MailBlock): string {
  if (typeof block === 'string') return block
  if ('code' in block) return block.code
  if ('link' in block) return `${block.label}: ${block.link}`
  return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
}

function header() {
  return html`<table cellpadding="8" cellspacing="0" role="presentation"><tr><td width="32"><img class="mark" src="cid:${LOGO_ID}" width="32" height="32" alt=""></td><td><b><font class="ink" color="${INK}">${BRAND.name}</font></b></td></tr></table><br>`
}

function sheet({ title, blocks }: MailContent) {
  return html`<table class="sheet" bgcolor="#fffefb" width="100%" cellpadding="28" cellspacing="0" role="presentation"><tr><td><h1><font class="title" color="${INK}" size="5">${title}</font></h1>${blocks.map(htmlOf)}</td></tr></table>`
}

function footer(text: string, { name, address }: Company) {
  return html`<br><p class="small"><font class="muted" color="${MUTED}">${text}<br>${name}, ${address}</font></p>`
}

/** The mail as text and as HTML. Everything that is put into the HTML is escaped by `html`. */
export function layOutMail(content: MailContent, locale: Locale, imprint: Company): MailText {
  const rows = [header(), sheet(content), footer(textsOf(locale).mailFooter(BRAND.name), imprint)]
  const page = html`<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${content.title}</title><style>${raw(MAIL_STYLE)}</style></head><body bgcolor="#f4f3ee"><table class="page" bgcolor="#f4f3ee" width="100%" cellpadding="16" cellspacing="0" role="presentation"><tr><td align="center"><table class="wrap" width="100%" cellpadding="0" cellspacing="0" role="presentation">${rows.map((row) => html`<tr><td>${row}</td></tr>`)}</table></td></tr></table></body></html>`
  return {
    subject: `${content.title} · ${BRAND.name}`,
    text: `${content.blocks.map(textOf).join('\n\n')}\n\n${BRAND.name}\n${imprint.name}, ${imprint.address}\n`,
    html: page.toString(),
    replyTo: content.replyTo
  }
}
