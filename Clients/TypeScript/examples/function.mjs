// A backend in one file between apps and OfferSigner: for Cloudflare Workers, Vercel Functions, and whatever else calls `fetch(request)`.
// Environment: SERVICE (where OfferSigner is), ACCESS_KEY (a secret; role `client`, for this app alone), BUNDLE_ID.
import { OfferSigner, OfferSignerError } from 'offersigner-client'
// Yours: the user of a request's session as {id, appAccountToken}; undefined without a session.
import { signedInUser } from './sign-in.mjs'

// In ms. The client gives up after 8 s, its repetitions included. This is longer, so that its error still becomes an answer. It ends
// what the client does not: a body that does not arrive, and a sign-in that hangs. A platform must let the function run this long.
const TIMEOUT = 10_000

const answer = (status, body, headers) => Response.json(body, { status, headers })
const failure = (status, code, headers) => answer(status, { code, requestId: '' }, headers)

/** The object that is the request's body, or the answer to a body that is none. */
async function read(request) {
  let text = ''
  for await (const part of request.body.pipeThrough(new TextDecoderStream())) {
    if ((text += part).length > 65536) return { refusal: failure(413, 'body-too-large') }
  }
  try {
    const wanted = JSON.parse(text)
    // JSON, too, but no object: `null`, a list, a number.
    if (wanted !== null && typeof wanted === 'object' && !Array.isArray(wanted)) return { wanted }
  } catch {}
  return { refusal: failure(400, 'malformed-json') }
}

async function signature(request, signal) {
  const user = await signedInUser(request)
  if (!user) return failure(401, 'not-signed-in')
  const attempt = request.headers.get('Idempotency-Key')
  if (request.method !== 'POST' || !request.body || !attempt) return failure(400, 'not-usable')
  const { wanted, refusal } = await read(request)
  if (refusal) return refusal
  const { productId, offerId, form, transactionId, signedTransactions } = wanted
  const { SERVICE, ACCESS_KEY, BUNDLE_ID } = process.env
  const signer = new OfferSigner({ baseURL: SERVICE, credential: ACCESS_KEY })
  try {
    const { results: [result] } = await signer.signatures(
      {
        // What the app must not choose comes from the session.
        bundleId: BUNDLE_ID, customerId: user.id, appAccountToken: user.appAccountToken,
        form, transactionId, signedTransactions, offers: [{ productId, offerId }],
      },
      // The app's key, so that its repetition brings the same signature; the user's id, so that it is not another user's.
      { idempotencyKey: `${user.id}:${attempt}`, signal })
    return answer(200, result)
  } catch (error) {
    if (!(error instanceof OfferSignerError)) throw error
    // The app can mend what it has sent. Only you can mend the access key.
    if (error.failure === 'rejected' && ![401, 403].includes(error.status)) return answer(error.status, error.problem)
    console.error(error.message)
    return error.failure === 'unavailable' ? failure(503, 'unavailable', { 'Retry-After': '1' }) : failure(500, 'internal-error')
  }
}

export default {
  async fetch(request) {
    const stop = new AbortController()
    let timer
    const late = new Promise((resolve) => {
      timer = setTimeout(() => {
        console.error(`no answer after ${TIMEOUT} ms`)
        resolve(failure(503, 'unavailable', { 'Retry-After': '1' }))
        stop.abort(new Error('the function is out of time'))
      }, TIMEOUT)
    })
    try {
      return await Promise.race([signature(request, stop.signal), late])
    } catch (error) {
      console.error(error)
      return failure(500, 'internal-error')
    } finally {
      clearTimeout(timer)
    }
  },
}
