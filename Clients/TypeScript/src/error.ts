import type { Problem } from './types.js'

/**
 * Why a call got no usable answer.
 * - `rejected`: the request or the configuration has a fault, which `problem` names. Repeating the request does not help.
 * - `unavailable`: the service cannot answer now, or no answer came in time. The service may have signed all the same. A call with the
 *   same Idempotency-Key and the same request gets that signature.
 * - `malformed-answer`: the answer did not come from this service. For example, a proxy in front of it has answered.
 */
export type Failure = 'rejected' | 'unavailable' | 'malformed-answer'

/**
 * The error of a call that got no usable answer. A refused offer is not an error, but a result. An aborted call throws the reason of its
 * signal instead.
 */
export class OfferSignerError extends Error {
  override readonly name = 'OfferSignerError'
  readonly failure: Failure
  /** The HTTP status of the last answer; undefined if none came. */
  readonly status: number | undefined
  /** The body of the last answer, if that is a problem (RFC 9457). Its `code` is stable; undefined if there is none. */
  readonly problem: Problem | undefined

  constructor(failure: Failure, about: { status?: number | undefined; problem?: Problem | undefined; cause?: unknown } = {}) {
    const { status, problem, cause } = about
    super(`${failure}: ${problem ? inWords(problem) : status ? `HTTP ${status}` : 'no answer'}`, cause === undefined ? undefined : { cause })
    this.failure = failure
    this.status = status
    this.problem = problem
  }
}

function inWords({ code, detail, fields = [], requestId }: Problem): string {
  return `${[`${code}: ${detail}`, ...fields.map(({ name, reason }) => `${name}: ${reason}`)].join('; ')} (request ${requestId})`
}
