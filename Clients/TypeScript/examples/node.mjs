// Serves the function with Node on 127.0.0.1, behind the proxy that ends TLS. Environment: PORT, and what the function needs.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import backend from './function.mjs'

createServer(async (incoming, outgoing) => {
  const body = ['GET', 'HEAD'].includes(incoming.method) ? undefined : Readable.toWeb(incoming)
  const request = new Request(`http://127.0.0.1${incoming.url}`, { method: incoming.method, headers: incoming.headers, body, duplex: 'half' })
  const response = await backend.fetch(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
}).listen(Number(process.env.PORT), '127.0.0.1')
