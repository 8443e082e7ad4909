'use strict'
// A bare promotional-offer signer on node:http and node:crypto, one process.
//
// usage: node server.js KEY_FILE KEY_ID BUNDLE_ID PORT

const http = require('node:http')
const crypto = require('node:crypto')
const fs = require('node:fs')

const SEPARATOR = '\u2063'
const MAX_BODY = 64 * 1024
const MAX_OFFERS = 20
const OFFER_MILLIS = 24 * 60 * 60 * 1000

if (process.argv.length !== 6) {
  console.error('usage: node server.js KEY_FILE KEY_ID BUNDLE_ID PORT')
  process.exit(64)
}
const [keyFile, keyIdentifier, bundleId, port] = process.argv.slice(2)
const key = crypto.createPrivateKey(fs.readFileSync(keyFile))

function sign({ productId, offerId }, applicationUsername) {
  const nonce = crypto.randomUUID()
  const timestamp = Date.now()
  const payload = [
    bundleId, keyIdentifier, productId, offerId, applicationUsername, nonce, timestamp,
  ].join(SEPARATOR)
  return {
    productId,
    offerId,
    status: 'signed',
    form: 'payload',
    keyIdentifier,
    nonce,
    timestamp,
    signature: crypto.sign('sha256', Buffer.from(payload), key).toString('base64'),
    applicationUsername,
    expiresAt: timestamp + OFFER_MILLIS,
  }
}

function answer(body) {
  const { bundleId: asked, applicationUsername = '', offers } = JSON.parse(body)
  if (asked !== bundleId || !Array.isArray(offers) || offers.length < 1 || offers.length > MAX_OFFERS) {
    throw new Error('unknown bundleId, or not 1 to 20 offers')
  }
  return JSON.stringify({ results: offers.map((offer) => sign(offer, applicationUsername)) })
}

function send(response, status, type, body) {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

function serveSignatures(request, response) {
  const chunks = []
  let size = 0
  request.on('data', (chunk) => {
    size += chunk.length
    if (size <= MAX_BODY) chunks.push(chunk)
  })
  request.on('end', () => {
    if (size > MAX_BODY) return send(response, 413, 'text/plain', 'too large')
    try {
      send(response, 200, 'application/json', answer(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    } catch (error) {
      send(response, 400, 'text/plain', error.message)
    }
  })
}

http
  .createServer((request, response) => {
    if (request.url === '/v1/signatures' && request.method === 'POST') return serveSignatures(request, response)
    if (request.url === '/livez') return send(response, 200, 'text/plain', '')
    send(response, 404, 'text/plain', 'not found')
  })
  .listen(Number(port), '127.0.0.1')
