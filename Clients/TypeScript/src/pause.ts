/** The statuses after which the same request may succeed a little later. */
export const repeatable: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

/**
 * Returns how many ms to wait before the next request. The pause is 250 ms after the first request and doubles after each further one,
 * with a random deviation of up to 20 %. If the answer's `Retry-After` asks for a longer pause, that is returned.
 *
 * @param attempt the number of requests so far, so 1 after the first.
 * @param retryAfter the value of the header, in seconds; null if the answer does not have it.
 */
export function pause(attempt: number, retryAfter: string | null, random: () => number = Math.random): number {
  const seconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : 0
  return Math.max(seconds * 1000, 250 * 2 ** (attempt - 1) * (0.8 + 0.4 * random()))
}

/** Waits for so many ms. If the signal is aborted before, it rejects at once with the signal's reason. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** Waits for a value. If the signal is aborted before, it rejects at once with the signal's reason. */
export async function until<Value>(signal: AbortSignal, value: Value | Promise<Value>): Promise<Value> {
  signal.throwIfAborted()
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([value, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
