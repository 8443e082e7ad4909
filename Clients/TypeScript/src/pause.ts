/** Statuses of answers that a later, equal request may improve. */
export const repeatable: ReadonlySet<number> = new Set([429, 500, 502, 503, 504])

/**
 * The pause before the next request, in ms: `Retry-After` where it is longer, else 250 ms, doubled each time, ± 20 %.
 *
 * @param attempt 1 after the first request.
 * @param retryAfter the header, in seconds.
 */
export function pause(attempt: number, retryAfter: string | null, random: () => number = Math.random): number {
  const seconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : 0
  return Math.max(seconds * 1000, 250 * 2 ** (attempt - 1) * (0.8 + 0.4 * random()))
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
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

/** Waits for a value; rejects with the signal's reason as soon as it is aborted. */
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
