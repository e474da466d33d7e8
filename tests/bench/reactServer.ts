/** The floor of a page with an island: node:http and React, rendering a form on every request. Prints its port. */
import { createServer } from 'node:http'
import { createElement, useId, useState } from 'react'
import { renderToString } from 'react-dom/server'

function Field({ label }: { label: string }) {
  const id = useId()
  const [value, setValue] = useState('')
  return createElement(
    'div',
    null,
    createElement('label', { htmlFor: id }, label),
    createElement('input', {
      id,
      value,
      onChange: (event: { target: { value: string } }) => setValue(event.target.value)
    })
  )
}

function Island() {
  const [busy] = useState(false)
  return createElement(
    'form',
    null,
    createElement('h2', null, 'Sign in with OTP'),
    createElement(Field, { label: 'Email' }),
    createElement('button', { type: 'submit', disabled: busy }, 'Next')
  )
}

const server = createServer((_req, res) => {
  const html = `<!doctype html><html lang="en"><title>Log in</title><body>${renderToString(createElement(Island))}</body></html>`
  res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(html) }).end(html)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' && address ? address.port : 0)
})
