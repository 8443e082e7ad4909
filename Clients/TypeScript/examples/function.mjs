// A backend between an app and OfferSigner, in one file. It runs on Cloudflare Workers, on Vercel Functions, and on every other platform
// that calls `fetch(request)`. Environment variables: SERVICE (the address of OfferSigner), ACCESS_KEY (a secret: an access key with the
// role `client`, for this app alone), BUNDLE_ID (the app's bundle id).
import { OfferSigner, OfferSignerError } from 'offersigner-client'
// You write this module. `signedInUser` returns the user of a request's session as {id, appAccountToken}, or undefined without a session.
import { signedInUser } from './sign-in.mjs'

// After this many ms the function answers 503, whatever it waits for: the body of the request, the sign-in or OfferSigner. It is longer
// than the 8 s after which the client gives up, so that the client's error still becomes an answer. Set the platform's time limit for the
// function to more than this.
const TIMEOUT = 10_000

const answer = (status, body, headers) => Response.json(body, { status, headers })
const failure = (status, code, headers) => answer(status, { code, requestId: '' }, headers)

/** Reads the body of a request. Returns it as `wanted`, or the answer to a body that is not a JSON object as `refusal`. */
async function read(request) {
  let text = ''
  for await (const part of request.body.pipeThrough(new TextDecoderStream())) {
    if ((text += part).length > 65536) return { refusal: failure(413, 'body-too-large') }
  }
  try {
    const wanted = JSON.parse(text)
    // `null`, a list and a number are JSON, but not an object.
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
        // The app must not choose these fields, so they come from the session and the environment.
        bundleId: BUNDLE_ID, customerId: user.id, appAccountToken: user.appAccountToken,
        form, transactionId, signedTransactions, offers: [{ productId, offerId }],
      },
      // With the app's key in it, a repeated request of the app gets the same signature. With the user's id in front, no user can get
      // the stored answer of another user.
      { idempotencyKey: `${user.id}:${attempt}`, signal })
    return answer(200, result)
  } catch (error) {
    if (!(error instanceof OfferSignerError)) throw error
    // The app can correct what it has sent, so it gets these errors. A 401 or 403 is about the access key, which only you can replace.
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
