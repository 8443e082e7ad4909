import { OfferSignerError } from './error.js'
import { pause, repeatable, sleep, until } from './pause.js'
import type {
  BindingAnswer, BindingRequest, EligibilityAnswer, EligibilityRequest, HistoryReport, IntroductoryOfferAnswer,
  IntroductoryOfferRequest, NonceAnswer, NonceRequest, OffersAnswer, OffersRequest, Problem, ReceiptRequest, RefreshRequest,
  SignatureAnswer, SignatureRequest, TransactionsRequest, VerifyAnswer, VerifyRequest,
} from './types.js'

export interface ClientOptions {
  /** Where the service is, such as `https://offers.internal:8443`. */
  baseURL: string | URL
  /** An access key (`osk_…`), or an end user's token. A function is called for each request, so that it can renew a token. */
  credential: string | (() => string | Promise<string>)
  /** Default: the global `fetch`. */
  fetch?: typeof fetch
  /** After how many ms a call gives up, its repetitions included. Default: 8000, because a person waits. */
  timeout?: number
  /** After how many ms without an answer a request is repeated. Default: 4000. */
  requestTimeout?: number
}

export interface CallOptions {
  /** Ends the call at once; it throws the signal's reason. */
  signal?: AbortSignal
}

/** Calls the service. Each call repeats its request, byte for byte, while the service cannot answer and its time lasts. */
export class OfferSigner {
  readonly #options: ClientOptions
  readonly #fetch: typeof fetch
  readonly #timeout: number
  readonly #requestTimeout: number

  constructor(options: ClientOptions) {
    this.#options = options
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init))
    this.#timeout = options.timeout ?? 8000
    this.#requestTimeout = options.requestTimeout ?? 4000
  }

  /**
   * Signs promotional offers for one buy attempt: call it when the customer taps "Buy", and again for the next attempt.
   *
   * @param options `idempotencyKey`: names the buy attempt (1 to 128 visible ASCII characters), where the caller repeats calls by
   *   itself; default: a new one for each call.
   */
  signatures(request: SignatureRequest, options: CallOptions & { idempotencyKey?: string } = {}): Promise<SignatureAnswer> {
    return this.#call('signatures', request, options, options.idempotencyKey ?? crypto.randomUUID())
  }

  /** Signs whether customers may have introductory offers, for one buy attempt; as `signatures`. */
  introductoryOfferSignatures(
    request: IntroductoryOfferRequest, options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<IntroductoryOfferAnswer> {
    return this.#call('introductory-offers/signatures', request, options, options.idempotencyKey ?? crypto.randomUUID())
  }

  /** Says which offers of up to 100 products a customer may have, and why: for a paywall. Signs nothing. */
  eligibility(request: EligibilityRequest, options: CallOptions = {}): Promise<EligibilityAnswer> {
    return this.#call('eligibility', request, options)
  }

  /** Says which offers live campaigns give a customer, and records that they decided. Signs nothing. */
  offers(request: OffersRequest, options: CallOptions = {}): Promise<OffersAnswer> {
    return this.#call('offers', request, options)
  }

  /** Issues nonces, for callers that must know them before they ask for signatures. */
  nonces(request: NonceRequest = {}, options: CallOptions = {}): Promise<NonceAnswer> {
    return this.#call('nonces', request, options)
  }

  /**
   * Checks a signature in the original form against what it is believed to sign, and names what is wrong with it. Stores nothing.
   * A JWS is recognised as one and not checked.
   */
  verify(request: VerifyRequest, options: CallOptions = {}): Promise<VerifyAnswer> {
    return this.#call('verify', request, options)
  }

  /**
   * Binds a subscription to a customer, whose purchase it then is. Needs the role `backend`. If the subscription is another
   * customer's, the call throws `rejected` with the code `bound-to-another-customer`.
   *
   * Bind only what you know to be this customer's, such as a transaction that `transactions` has verified: the service believes a
   * backend.
   */
  async bind(customerId: string, request: BindingRequest, options: CallOptions = {}): Promise<BindingAnswer> {
    return this.#call(`customers/${segment(customerId)}/transactions`, request, options)
  }

  /** Supplies StoreKit 2 transactions, which the service verifies. Needs the role `backend`. */
  transactions(request: TransactionsRequest, options: CallOptions = {}): Promise<HistoryReport> {
    return this.#call('history/transactions', request, options)
  }

  /**
   * Supplies a receipt, or the answer of verifyReceipt that a backend already has. Needs the role `backend`. The service may ask
   * the App Store about a receipt: give such a client a longer `timeout`.
   */
  receipts(request: ReceiptRequest, options: CallOptions = {}): Promise<HistoryReport> {
    return this.#call('history/receipts', request, options)
  }

  /** Fetches a customer's history from the App Store. Needs the role `backend`; give such a client a longer `timeout`. */
  refresh(request: RefreshRequest, options: CallOptions = {}): Promise<HistoryReport> {
    return this.#call('history/refresh', request, options)
  }

  async #call<Answer>(path: string, request: object, { signal }: CallOptions, idempotencyKey?: string): Promise<Answer> {
    const url = new URL(`v1/${path}`, `${String(this.#options.baseURL).replace(/\/*$/, '')}/`)
    // Encoded once: the repetitions of a request under an Idempotency-Key must have the same body.
    const body = JSON.stringify(request)
    const end = Date.now() + this.#timeout
    const never = new AbortController().signal
    let last = new OfferSignerError('unavailable')
    for (let attempt = 1; ; attempt++) {
      const { credential } = this.#options
      const token = typeof credential === 'string' ? credential : await until(signal ?? never, credential())
      // A name or value that no header can have is a mistake of the caller, and throws here.
      const headers = new Headers({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' })
      if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
      if (Date.now() >= end) throw last
      let retryAfter: string | null = null
      try {
        const { status, text, header } = await this.#send(url, { method: 'POST', headers, body, redirect: 'manual' }, end, signal)
        const answer = parsed(text)
        if (status === 200 && answer !== undefined) return answer as Answer
        const problem = isProblem(answer) ? answer : undefined
        if (!repeatable.has(status)) throw new OfferSignerError(problem ? 'rejected' : 'malformed-answer', { status, problem })
        retryAfter = header
        last = new OfferSignerError('unavailable', { status, problem })
      } catch (error) {
        if (error instanceof OfferSignerError) throw error
        signal?.throwIfAborted()
        last = new OfferSignerError('unavailable', { cause: error })
      }
      const wait = pause(attempt, retryAfter)
      // Rather than keep a person waiting for an answer that cannot come in time.
      if (Date.now() + wait >= end) throw last
      await sleep(wait, signal ?? never)
    }
  }

  async #send(url: URL, init: RequestInit, end: number, signal: AbortSignal | undefined): Promise<Answered> {
    const request = new AbortController()
    const abort = () => request.abort()
    const timer = setTimeout(abort, Math.min(this.#requestTimeout, end - Date.now()))
    signal?.addEventListener('abort', abort, { once: true })
    try {
      const response = await this.#fetch(url, { ...init, signal: request.signal })
      // Read here, so that the limit covers the body, too.
      return { status: response.status, text: await response.text(), header: response.headers.get('Retry-After') }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }
}

interface Answered {
  status: number
  text: string
  /** `Retry-After`. */
  header: string | null
}

/** A customer's id as a part of a path. A URL takes `.` and `..` for something else, however they are written. */
function segment(id: string): string {
  if (['', '.', '..'].includes(id)) throw new TypeError(`a path cannot have the customer id '${id}'`)
  return encodeURIComponent(id)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isProblem(answer: unknown): answer is Problem {
  const { code, requestId } = Object(answer) as Partial<Problem>
  return typeof code === 'string' && typeof requestId === 'string'
}
