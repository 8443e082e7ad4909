// Serves function.mjs with Node on 127.0.0.1, behind a proxy that ends TLS. Environment variables: PORT, and those of function.mjs.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import backend from './function.mjs'

createServer(async (incoming, outgoing) => {
  let request
  try {
    const body = ['GET', 'HEAD'].includes(incoming.method) ? undefined : Readable.toWeb(incoming)
    request = new Request(new URL(incoming.url, 'http://127.0.0.1'), { method: incoming.method, headers: incoming.headers, body, duplex: 'half' })
  } catch {
    // The method or the path is one that a `Request` cannot have.
    outgoing.writeHead(400, { Connection: 'close' }).end()
    return
  }
  const response = await backend.fetch(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
}).listen(Number(process.env.PORT), '127.0.0.1')
