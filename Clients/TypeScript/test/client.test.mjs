// Tests of the client. Those that need a running service are skipped unless SERVICE has the address of one. They then also need these
// environment variables: ACCESS_KEY (role `client`), BACKEND_KEY (role `backend`), CUSTOMER (the id of a former subscriber), STRANGER (the
// id of a customer who never subscribed), and of CUSTOMER a TRANSACTION (its id), a SIGNED_TRANSACTION and a RECEIPT. One test prints the
// signature that it got.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OfferSigner, OfferSignerError, isSigned } from '../dist/index.js'

const { SERVICE, ACCESS_KEY, BACKEND_KEY, CUSTOMER, STRANGER, TRANSACTION, SIGNED_TRANSACTION, RECEIPT } = process.env
const needsService = { skip: SERVICE ? false : 'SERVICE names no service' }
const bundleId = 'com.example.app'
const productId = 'com.example.pro.monthly'
const offers = [{ productId, offerId: 'winback50' }]
const client = (options = {}) => new OfferSigner({ baseURL: SERVICE ?? 'http://127.0.0.1:9', credential: ACCESS_KEY ?? 'osk_1_2', ...options })

/** A transport that has faults: `answer(number, send)` gives the answer to the nth request. */
function transport(answer) {
  const seen = []
  const fetching = async (url, init) => {
    seen.push({ body: init.body, key: new Headers(init.headers).get('Idempotency-Key') })
    return answer(seen.length, () => fetch(url, init), init.signal)
  }
  return { fetch: fetching, seen }
}

const failure = (call) => call.then(() => assert.fail('it has an answer'), (error) => error)

test('a paywall asks without a signature, and the tap signs', needsService, async () => {
  const found = await client().eligibility({ bundleId, customerId: CUSTOMER, products: [productId] })
  const [offer] = found.products[0].promotionalOffers.filter((offer) => offer.offerId === 'winback50')
  assert.equal(offer.status, 'eligible')
  const { results: [result] } = await client().signatures({ bundleId, customerId: CUSTOMER, offers })
  assert.ok(isSigned(result) && result.form === 'payload')
  console.log(`signed ${JSON.stringify(result)}`)
})

test('a refusal is an answer', needsService, async () => {
  const { results: [result] } = await client().signatures({ bundleId, customerId: STRANGER, offers })
  assert.equal(isSigned(result), false)
  assert.equal(result.code, 'never-subscribed')
})

test('a signature is verified, and its fault is named', needsService, async () => {
  const { results: [result] } = await client().signatures({ bundleId, customerId: CUSTOMER, offers })
  const { offerId, applicationUsername, nonce, timestamp, signature, keyIdentifier } = result
  const request = { bundleId, productId, offerId, applicationUsername, nonce, timestamp, signature, keyIdentifier }
  assert.deepEqual(await client().verify(request), { valid: true })
  const answer = await client().verify({ ...request, timestamp: Math.floor(timestamp / 1000) })
  assert.equal(answer.valid, false)
  assert.ok(answer.findings.some((finding) => finding.code === 'timestamp-in-seconds'))
})

test('a backend hands in what a customer has bought', needsService, async () => {
  const backend = client({ credential: BACKEND_KEY, timeout: 30_000 })
  const transactions = await backend.transactions({ bundleId, customerId: CUSTOMER, signedTransactions: [SIGNED_TRANSACTION] })
  assert.deepEqual([transactions.accepted + transactions.unchanged, transactions.rejected], [1, []])
  assert.deepEqual((await backend.receipts({ bundleId, customerId: CUSTOMER, receiptData: RECEIPT })).rejected, [])
  const verifiedReceipt = { status: 0, environment: 'Production', receipt: { bundle_id: bundleId, in_app: [] }, latest_receipt_info: [] }
  assert.deepEqual(await backend.receipts({ bundleId, customerId: CUSTOMER, verifiedReceipt }), { accepted: 0, unchanged: 0, rejected: [] })
  assert.deepEqual((await backend.refresh({ bundleId, customerId: CUSTOMER, transactionId: TRANSACTION })).rejected, [])
  const other = await failure(client().receipts({ bundleId, receiptData: RECEIPT }))
  assert.deepEqual([other.failure, other.status, other.problem.code], ['rejected', 403, 'forbidden'])
})

test('a purchase is bound to one customer', needsService, async () => {
  const backend = client({ credential: BACKEND_KEY })
  assert.deepEqual(await backend.bind(CUSTOMER, { bundleId, transactionId: TRANSACTION }), { status: 'unchanged' })
  const taken = await failure(backend.bind(STRANGER, { bundleId, transactionId: TRANSACTION }))
  assert.deepEqual([taken.failure, taken.status, taken.problem.code], ['rejected', 409, 'bound-to-another-customer'])
  // An id with every kind of character that a path must escape.
  const [name, transactionId] = [`${CUSTOMER}/a b?c#d%e+ü&f;g`, String(Date.now())]
  assert.deepEqual(await backend.bind(name, { bundleId, transactionId }), { status: 'bound' })
  assert.deepEqual(await backend.bind(name, { bundleId, transactionId }), { status: 'unchanged' })
  const { products } = await backend.eligibility({ bundleId, customerId: name, products: [productId] })
  assert.equal(products.length, 1)
})

test('a customer id that no path can have is an error, and nothing is sent', async () => {
  const { fetch, seen } = transport(() => assert.fail('it is sent'))
  for (const id of ['', '.', '..']) {
    await assert.rejects(client({ fetch }).bind(id, { bundleId, transactionId: '1' }), TypeError)
  }
  assert.equal(seen.length, 0)
})

test('a lost answer comes again, and nothing is signed twice', needsService, async () => {
  let lost
  const { fetch, seen } = transport(async (number, send) => {
    const response = await send()
    if (number > 1) return response
    lost = await response.json()
    throw new TypeError('the connection is lost')
  })
  const answer = await client({ fetch }).signatures({ bundleId, customerId: CUSTOMER, offers })
  assert.deepEqual(answer, lost)
  assert.equal(seen.length, 2)
  assert.deepEqual(seen[0], seen[1])
})

test('each buy attempt has a key of its own, unless the caller names it', needsService, async () => {
  const { fetch, seen } = transport((_, send) => send())
  const signing = client({ fetch })
  for (const options of [{}, {}, { idempotencyKey: `attempt-${CUSTOMER}` }]) {
    await signing.signatures({ bundleId, customerId: CUSTOMER, offers }, options)
  }
  assert.equal(new Set(seen.map((request) => request.key)).size, 3)
  assert.equal(seen[2].key, `attempt-${CUSTOMER}`)
})

test('it waits as Retry-After says, and gives up where that is too long', needsService, async () => {
  const busy = (seconds) => new Response('{"code":"not-ready","requestId":"r1"}', { status: 503, headers: { 'Retry-After': seconds } })
  const patient = transport((number, send) => (number === 1 ? busy('1') : send()))
  const start = performance.now()
  await client({ fetch: patient.fetch }).eligibility({ bundleId, customerId: CUSTOMER })
  assert.ok(performance.now() - start >= 990)
  assert.equal(patient.seen.length, 2)
  const hopeless = transport(() => busy('3600'))
  const error = await failure(client({ fetch: hopeless.fetch }).eligibility({ bundleId, customerId: CUSTOMER }))
  assert.deepEqual([error.failure, error.status, error.problem.code, hopeless.seen.length], ['unavailable', 503, 'not-ready', 1])
})

test('a fault in the request is named and not repeated', needsService, async () => {
  const { fetch, seen } = transport((_, send) => send())
  const unknown = await failure(client({ fetch }).signatures({ bundleId, customerId: CUSTOMER, offers: [{ productId, offerId: 'none' }] }))
  assert.ok(unknown instanceof OfferSignerError)
  assert.deepEqual([unknown.failure, unknown.status, unknown.problem.code], ['rejected', 404, 'unknown-offer'])
  assert.match(unknown.message, /unknown-offer: .* \(request /)
  assert.match((await failure(client({ fetch }).nonces({ bundleId, count: 0 }))).message, /invalid-field: .*; count: .* \(request /)
  assert.equal((await failure(client({ fetch, credential: 'osk_none' }).nonces())).status, 401)
  assert.equal(seen.length, 3)
})

test('no service, a silent service, a service of others', async () => {
  const gone = await failure(client({ baseURL: 'http://127.0.0.1:9', timeout: 700 }).nonces())
  assert.deepEqual([gone.failure, gone.status], ['unavailable', undefined])
  const silent = transport((_, __, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))))
  const late = await failure(client({ fetch: silent.fetch, timeout: 1500, requestTimeout: 200 }).nonces())
  assert.equal(late.failure, 'unavailable')
  assert.ok(silent.seen.length > 1)
  const others = [['<html>', 200], ['null', 404], [null, 204], ['', 302]]
  for (const [body, status] of others) {
    const other = transport(() => new Response(body, { status }))
    assert.equal((await failure(client({ fetch: other.fetch }).nonces())).failure, 'malformed-answer')
    assert.equal(other.seen.length, 1)
  }
  // A credential with a character that no header may have.
  await assert.rejects(client({ credential: 'osk_\n' + 'ä\u0001' }).nonces(), TypeError)
})

test('the caller ends a call at once', async () => {
  const stop = new AbortController()
  const silent = transport((_, __, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))))
  const call = failure(client({ fetch: silent.fetch, timeout: 3_600_000, requestTimeout: 3_600_000 }).nonces({}, { signal: stop.signal }))
  stop.abort(new Error('the customer has left'))
  assert.equal((await call).message, 'the customer has left')
  const busy = transport(() => new Response('', { status: 503, headers: { 'Retry-After': '1800' } }))
  const waiting = new AbortController()
  const pause = failure(client({ fetch: busy.fetch, timeout: 3_600_000 }).nonces({}, { signal: waiting.signal }))
  setTimeout(() => waiting.abort(new Error('gone')), 50)
  assert.equal((await pause).message, 'gone')
})

test('the credential is asked for again with each request', needsService, async () => {
  let asked = 0
  const { fetch } = transport((number, send) => (number === 1 ? new Response('', { status: 500 }) : send()))
  await client({ fetch, credential: async () => (asked++, ACCESS_KEY) }).nonces({ bundleId, count: 2 })
  assert.equal(asked, 2)
  const stop = new AbortController()
  const stuck = failure(client({ credential: () => new Promise(() => {}) }).nonces({}, { signal: stop.signal }))
  stop.abort(new Error('gone'))
  assert.equal((await stuck).message, 'gone')
  await assert.rejects(client({ credential: () => Promise.reject(new Error('no session')) }).nonces(), /no session/)
})
