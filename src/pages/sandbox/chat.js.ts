/** The script of the sandbox's chat, at the place of a chat provider's. */
import type { APIRoute } from 'astro'
import script from '../../dev/sandboxChat.js?raw'

export const GET: APIRoute = ({ rewrite, locals: { app } }) =>
  app.sandbox ? new Response(script, { headers: { 'Content-Type': 'text/javascript; charset=utf-8' } }) : rewrite('/404')
