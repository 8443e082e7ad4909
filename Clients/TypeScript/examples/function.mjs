// A backend in one file between apps and OfferSigner: for Cloudflare Workers, Vercel Functions, and whatever else calls `fetch(request)`.
// Environment: SERVICE (where OfferSigner is), ACCESS_KEY (a secret; role `client`, for this app alone), BUNDLE_ID.
import { OfferSigner, OfferSignerError } from 'offersigner-client'
// Yours: the user of a request's session as {id, appAccountToken}; undefined without a session.
import { signedInUser } from './sign-in.mjs'

const answer = (status, body, headers) => Response.json(body, { status, headers })
const failure = (status, code, headers) => answer(status, { code, requestId: '' }, headers)

async function signature(request) {
  const user = await signedInUser(request)
  if (!user) return failure(401, 'not-signed-in')
  const attempt = request.headers.get('Idempotency-Key')
  if (request.method !== 'POST' || !request.body || !attempt) return failure(400, 'not-usable')
  let text = ''
  for await (const part of request.body.pipeThrough(new TextDecoderStream())) {
    if ((text += part).length > 65536) return failure(413, 'body-too-large')
  }
  let wanted
  try {
    wanted = Object(JSON.parse(text))
  } catch {
    return failure(400, 'malformed-json')
  }
  const { productId, offerId, form, transactionId, signedTransactions } = wanted
  const { SERVICE, ACCESS_KEY, BUNDLE_ID } = process.env
  // Gives up before the app does.
  const signer = new OfferSigner({ baseURL: SERVICE, credential: ACCESS_KEY, timeout: 4000 })
  try {
    const { results: [result] } = await signer.signatures(
      {
        // What the app must not choose comes from the session.
        bundleId: BUNDLE_ID, customerId: user.id, appAccountToken: user.appAccountToken,
        form, transactionId, signedTransactions, offers: [{ productId, offerId }],
      },
      // The app's key, so that its repetition brings the same signature; the user's id, so that it is not another user's.
      { idempotencyKey: `${user.id}:${attempt}` })
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
  fetch: (request) => signature(request).catch((error) => {
    console.error(error)
    return failure(500, 'internal-error')
  }),
}
