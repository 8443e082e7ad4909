// A backend between an app and OfferSigner. Environment: SERVICE (where OfferSigner is), ACCESS_KEY (a secret; role `backend`, for this
// app alone), BUNDLE_ID (the app), PORT. It listens on 127.0.0.1, behind the proxy that ends TLS.
import { createServer } from 'node:http'
import { OfferSigner, OfferSignerError } from 'offersigner-client'
import { signedInUser } from './sign-in.mjs'

for (const name of ['SERVICE', 'ACCESS_KEY', 'BUNDLE_ID', 'PORT']) {
  if (!process.env[name]) throw new Error(`the environment variable ${name} is missing`)
}
const { SERVICE, ACCESS_KEY, BUNDLE_ID: bundleId, PORT } = process.env
// A call gives up after 8 s. Let the app wait longer, so that it gets the answer that says so.
const signer = new OfferSigner({ baseURL: SERVICE, credential: ACCESS_KEY })

/** An answer that is not 200. */
class Refusal extends Error {
  constructor(status, code, body = { code, requestId: '' }, headers = {}) {
    super(code)
    Object.assign(this, { status, body, headers })
  }
}

/** The object that is a request's body. */
async function read(request, limit = 1 << 20) {
  const parts = []
  let size = 0
  // The connection is kept for the answer.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    if ((size += part.length) > limit) throw new Refusal(413, 'body-too-large')
    parts.push(part)
  }
  let body
  try {
    body = JSON.parse(Buffer.concat(parts))
  } catch {}
  // JSON, too, but no object: `null`, a list, a number.
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal(400, 'malformed-json')
  return body
}

/**
 * Each gets the request and the signed-in user, and gives what the app gets. What the app must not choose comes from the session: the
 * app's bundle id, the customer, the appAccountToken.
 */
const endpoints = {
  /** What the paywall may show to this user. Nothing is signed. */
  async '/eligibility'(request, user) {
    const { products, signedTransactions } = await read(request)
    const answer = await signer.eligibility({ bundleId, customerId: user.id, products, signedTransactions })
    return {
      // The app passes it to StoreKit in every purchase.
      appAccountToken: user.appAccountToken,
      // What the app shows, and not the whole answer, which has what the user has bought.
      products: answer.products.map((product) => ({
        productId: product.productId,
        introductoryOffer: product.introductoryOffer.status === 'eligible',
        promotionalOffers: product.promotionalOffers.filter((offer) => offer.status === 'eligible').map((offer) => offer.offerId),
        winBackOffers: product.winBackOffers,
      })),
    }
  },

  /** What your campaigns give this user, in place of or beside `/eligibility`. Nothing is signed. */
  async '/offers'(request, user) {
    const { placement, signedTransactions } = await read(request)
    const answer = await signer.offers({ bundleId, customerId: user.id, placement, signedTransactions })
    return {
      appAccountToken: user.appAccountToken,
      offers: answer.offers.map(({ productId, offerId }) => ({ productId, offerId })),
    }
  },

  /** A signature for one buy attempt. The app asks when the user taps "Buy", and again for the next attempt. */
  async '/signatures'(request, user) {
    const attempt = request.headers['idempotency-key']
    if (!attempt) throw new Refusal(400, 'idempotency-key-missing')
    const { productId, offerId, form, transactionId, signedTransactions } = await read(request, 65536)
    const { results: [result] } = await signer.signatures(
      {
        bundleId, customerId: user.id, appAccountToken: user.appAccountToken, form, transactionId, signedTransactions,
        offers: [{ productId, offerId }],
      },
      // The app's key, so that its repetition brings the same signature; the user's id, so that it is not another user's.
      { idempotencyKey: `${user.id}:${attempt}` })
    return result
  },

  /** The purchase that StoreKit has reported to the app, which is this user's from now on. */
  async '/purchases'(request, user) {
    const { signedTransaction } = await read(request)
    const { rejected: [rejection] } = await signer.transactions({ bundleId, signedTransactions: [signedTransaction] })
    if (rejection) throw new Refusal(422, rejection.code)
    // Read here, where the service has found it authentic. Never bind an id that the app only states: it may be anyone's.
    const { transactionId, environment } = JSON.parse(Buffer.from(signedTransaction.split('.')[1], 'base64url'))
    const { status } = await signer.bind(user.id, { bundleId, transactionId, environment })
    return { status }
  },
}

async function respond(request) {
  const user = await signedInUser(request)
  if (!user) throw new Refusal(401, 'not-signed-in')
  if (!Object.hasOwn(endpoints, request.url)) throw new Refusal(404, 'not-found')
  if (request.method !== 'POST') throw new Refusal(405, 'method-not-allowed', undefined, { Allow: 'POST' })
  return endpoints[request.url](request, user)
}

/** What the app gets for an error. */
function refusal(error) {
  if (error instanceof Refusal) return error
  if (!(error instanceof OfferSignerError)) {
    console.error(error)
    return new Refusal(500, 'internal-error')
  }
  // The app can mend what it has sent, and show what is another customer's. Only you can mend the access key.
  if (error.failure === 'rejected' && ![401, 403].includes(error.status)) {
    return new Refusal(error.status, error.problem.code, error.problem)
  }
  console.error(error.message)
  return error.failure === 'unavailable' ? new Refusal(503, 'unavailable', undefined, { 'Retry-After': '1' }) : new Refusal(500, 'internal-error')
}

const server = createServer(async (request, response) => {
  const { status, body, headers } = await respond(request).then((body) => ({ status: 200, body, headers: {} }), refusal)
  response.writeHead(status, {
    'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers,
    // What is left of a body that was too long, or that no endpoint wanted, is not read.
    ...(request.complete ? {} : { Connection: 'close' }),
  }).end(JSON.stringify(body) + '\n')
})
// In ms, for a whole request to arrive.
server.requestTimeout = 15_000
server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${PORT}`))
