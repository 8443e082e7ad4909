import { OfferSignerError } from './error.js'
import { pause, repeatable, sleep, until } from './pause.js'
import type {
  BindingAnswer, BindingRequest, EligibilityAnswer, EligibilityRequest, HistoryReport, IntroductoryOfferAnswer,
  IntroductoryOfferRequest, NonceAnswer, NonceRequest, OffersAnswer, OffersRequest, Problem, ReceiptRequest, RefreshRequest,
  SignatureAnswer, SignatureRequest, TransactionsRequest, VerifyAnswer, VerifyRequest,
} from './types.js'

export interface ClientOptions {
  /** The address of the service, such as `https://offers.internal:8443`. */
  baseURL: string | URL
  /**
   * An access key (`osk_…`), or the token of an end user. If it is a function, the client calls it before each request, so that it can
   * renew a token that has expired.
   */
  credential: string | (() => string | Promise<string>)
  /** The function that sends the requests. Default: the global `fetch`. */
  fetch?: typeof fetch
  /** After how many ms a call gives up, its repetitions included. Default: 8000, because a person waits. */
  timeout?: number
  /** After how many ms without an answer a call repeats its request. Default: 4000. */
  requestTimeout?: number
}

export interface CallOptions {
  /** If this signal is aborted, the call ends at once and throws the signal's reason. */
  signal?: AbortSignal
}

/** Calls the service. If the service cannot answer a request, the call repeats it, byte for byte, until the call's time is over. */
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
   * @param options `idempotencyKey` names the buy attempt: 1 to 128 visible ASCII characters. Pass one only if your code itself repeats
   *   calls; the repetition of a call must have the same key. Default: a new key for each call.
   */
  signatures(request: SignatureRequest, options: CallOptions & { idempotencyKey?: string } = {}): Promise<SignatureAnswer> {
    return this.#call('signatures', request, options, options.idempotencyKey ?? crypto.randomUUID())
  }

  /** Signs overrides of introductory offers, for one buy attempt. Call it when you would call `signatures`, with the same options. */
  introductoryOfferSignatures(
    request: IntroductoryOfferRequest, options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<IntroductoryOfferAnswer> {
    return this.#call('introductory-offers/signatures', request, options, options.idempotencyKey ?? crypto.randomUUID())
  }

  /**
   * Says which offers of up to 100 products a customer may have, and why. A paywall uses this to decide what to show. Nothing is
   * signed.
   */
  eligibility(request: EligibilityRequest, options: CallOptions = {}): Promise<EligibilityAnswer> {
    return this.#call('eligibility', request, options)
  }

  /**
   * Says which offers the live campaigns give a customer. The service records an exposure for each campaign that takes the customer, and
   * signs nothing.
   */
  offers(request: OffersRequest, options: CallOptions = {}): Promise<OffersAnswer> {
    return this.#call('offers', request, options)
  }

  /** Returns new nonces. Only a caller that must know a nonce before it asks for the signature needs this call. */
  nonces(request: NonceRequest = {}, options: CallOptions = {}): Promise<NonceAnswer> {
    return this.#call('nonces', request, options)
  }

  /**
   * Checks whether a signature in the payload form fits the values that the app passes to StoreKit, and names what is wrong. The service
   * stores nothing. If the signature is a JWS, the answer says so, but the JWS is not checked.
   */
  verify(request: VerifyRequest, options: CallOptions = {}): Promise<VerifyAnswer> {
    return this.#call('verify', request, options)
  }

  /**
   * Binds a subscription to a customer, so that it belongs to this customer from then on. Needs an access key with the role `backend`. If
   * the subscription belongs to another customer, the call throws `rejected` with the code `bound-to-another-customer`.
   *
   * The service does not check whether the binding is true, because it trusts a backend. So bind only a transaction that you know to be
   * this customer's, such as one that `transactions` has verified.
   */
  async bind(customerId: string, request: BindingRequest, options: CallOptions = {}): Promise<BindingAnswer> {
    return this.#call(`customers/${segment(customerId)}/transactions`, request, options)
  }

  /** Supplies transactions of StoreKit 2, which the service verifies and stores. Needs an access key with the role `backend`. */
  transactions(request: TransactionsRequest, options: CallOptions = {}): Promise<HistoryReport> {
    return this.#call('history/transactions', request, options)
  }

  /**
   * Supplies a receipt, or an answer of verifyReceipt that a backend already has. Needs an access key with the role `backend`. The service
   * may ask the App Store about a receipt. So make this call on an `OfferSigner` that has a longer `timeout`.
   */
  receipts(request: ReceiptRequest, options: CallOptions = {}): Promise<HistoryReport> {
    return this.#call('history/receipts', request, options)
  }

  /**
   * Lets the service fetch a customer's history from the App Store. Needs an access key with the role `backend`. The answer waits for the
   * App Store. So make this call on an `OfferSigner` that has a longer `timeout`.
   */
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
      // If the credential or the idempotency key has characters that no header may have, the caller has made a mistake: this throws.
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
      // The pause would end after the call's time is over: give up now, so that no person waits in vain.
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
      // The body is read here, so that the time limit covers it, too.
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
  /** The value of the header `Retry-After`; null if the answer does not have it. */
  header: string | null
}

/** A customer's id as one part of a path. `.` and `..` throw, because a URL reads them as folders, even if they are percent-encoded. */
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
