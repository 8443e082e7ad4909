import type { IntroductoryOfferResult, IntroductoryOfferSignature, JWSSignature, PayloadSignature, SignatureResult } from './types.js'

/** Whether a result is a signature, and not a refusal. */
export function isSigned(result: SignatureResult): result is PayloadSignature | JWSSignature
export function isSigned(result: IntroductoryOfferResult): result is IntroductoryOfferSignature
export function isSigned(result: SignatureResult | IntroductoryOfferResult): boolean {
  return result.status === 'signed'
}
