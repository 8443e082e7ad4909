import type { Problem } from './types.js'

/**
 * Why a call has no answer.
 * - `rejected`: the request or the configuration has a fault, which `problem` names. Repeating it does not help.
 * - `unavailable`: the service cannot answer now, or no answer came in time. A signature may exist: a call with the same
 *   Idempotency-Key brings it.
 * - `malformed-answer`: what answered is not this service.
 */
export type Failure = 'rejected' | 'unavailable' | 'malformed-answer'

/** A call that has no answer. A refused offer is an answer. An aborted call throws the reason of its signal instead. */
export class OfferSignerError extends Error {
  override readonly name = 'OfferSignerError'
  readonly failure: Failure
  /** The HTTP status of the last answer; undefined if none came. */
  readonly status: number | undefined
  /** The body of the last answer, where it is a problem (RFC 9457). Its `code` is stable. */
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
