import type { IntroductoryOfferResult, IntroductoryOfferSignature, JWSSignature, PayloadSignature, SignatureResult } from './types.js'

/** Whether a result is a signature. If it is not, it is a refusal, or an introductory offer that needs no override. */
export function isSigned(result: SignatureResult): result is PayloadSignature | JWSSignature
export function isSigned(result: IntroductoryOfferResult): result is IntroductoryOfferSignature
export function isSigned(result: SignatureResult | IntroductoryOfferResult): boolean {
  return result.status === 'signed'
}
