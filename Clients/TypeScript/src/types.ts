// Made by scripts/types.mjs from the OpenAPI document. Do not edit.

/** An error, as RFC 9457 describes it. `code` is stable; `detail` says what to do. */
export type Problem = {
  /** `https://offersigner.dev/problems/` and the code. */
  type: string
  /** The kind of error in one line. */
  title: string
  /** The HTTP status. */
  status: number
  /** The kind of error, for programs; `x-codes` lists them. There can be more in a later version: treat one that you do not know by the HTTP status. `receipt-status-` is followed by the status that verifyReceipt gave. */
  code: string
  /** What is wrong here and what to do. */
  detail: string
  /** The X-Request-Id of this answer. */
  requestId: string
  /** The fields that the error is about. Always there with `unknown-field` and `invalid-field`. */
  fields?: Array<ProblemField>
}

/** Asks for nonces. */
export type NonceRequest = {
  /** The app. May be left out when the access key is limited to one app, or when the service has just one app. */
  bundleId?: string | null
  /** How many nonces. */
  count?: number | null
}

/** Unused nonces. */
export type NonceAnswer = {
  /** As many as were asked for. */
  nonces: Array<IssuedNonce>
  /** The time of the service. Milliseconds since 1970-01-01T00:00:00Z. */
  timestamp: number
}

/** Asks for signatures for promotional offers. appAccountToken and applicationUsername exclude each other. */
export type SignatureRequest = {
  /** The app. May be left out when the access key is limited to one app, or when the service has just one app. */
  bundleId?: string | null
  /** The environment that the request is about; default: the app's own. `Sandbox` beside a Production app only where the app accepts it (`sandbox: true`). `Xcode` only where the app has the key of StoreKit Testing (`xcodeKey`). */
  environment?: Environment
  /** The app's own user id. Says whose purchase history counts; recorded with the signature; not part of what is signed. With a token of an end user its `sub` counts in place of this. */
  customerId?: string | null
  /** Field 5 of the payload: the UUID that the app gives StoreKit as appAccountToken. Any case; signed in lower case. Not part of a JWS. Says whose purchase history counts, too. With a token of an end user it is signed, and says nothing of whose history counts. */
  appAccountToken?: string | null
  /** Field 5 of the payload: what the app puts in SKMutablePayment.applicationUsername. A UUID is lower-cased, anything else is signed byte for byte. Not part of a JWS. A UUID says whose purchase history counts. With a token of an end user it is signed, and says nothing of whose history counts. */
  applicationUsername?: string | null
  /** `payload`: the original signature, for StoreKit 1 and 2. `jws`: the compact JWS, for StoreKit 2. */
  form?: "payload" | "jws"
  /** Any transaction id of the customer, or the appTransactionId. Says whose purchase history counts. Visible ASCII characters. Goes into a JWS; not part of a payload. With a token of an end user it is signed, and says nothing of whose history counts. */
  transactionId?: string | null
  /** The Apple account, by its `appTransactionId` for the app, which every transaction and AppTransaction carries. Its purchases count as the customer's, except those of another customer. Not with a token of an end user: 403. */
  appTransactionId?: string | null
  /** StoreKit 2 transactions that the client holds, as signed. They are verified and stored first, all of them or none, and are bound to `customerId`. */
  signedTransactions?: Array<string> | null
  /** The offers to sign. The results have the same order. */
  offers: Array<OfferToSign>
  /** Where in the app offers are asked for. Campaigns for another placement pass the customer over; left out, those of every placement decide. `retention` is the App Store's own and refused. */
  placement?: string | null
  /** What the app knows of the customer, for the audiences of campaigns. It is not verified. `null` stands for absent. `storefront` and `appVersion` are kept with the exposure. */
  attributes?: Record<string, string | number | boolean | null> | null
  /** The billing plan with which the customer would buy: `upfront`, or `monthly` for a commitment of twelve months that is paid monthly. Left out: `upfront`. App Store Connect configures each offer for one plan, so an offer of the other plan is no offer. */
  billingPlan?: "upfront" | "monthly"
}

/** One result per offer, in the order of the request. */
export type SignatureAnswer = {
  results: Array<SignatureResult>
}

/** Asks for JWS that override whether a customer may have an introductory offer. */
export type IntroductoryOfferRequest = {
  /** The app. May be left out when the access key is limited to one app, or when the service has just one app. */
  bundleId?: string | null
  /** The environment that the request is about; default: the app's own. `Sandbox` beside a Production app only where the app accepts it (`sandbox: true`). `Xcode` only where the app has the key of StoreKit Testing (`xcodeKey`). */
  environment?: Environment
  /** The app's own user id. Says whose purchase history counts where `allow` is `null` or left out; recorded with the signature; not part of what is signed. With a token of an end user its `sub` counts in place of this. */
  customerId?: string | null
  /** The products to sign for. The results have the same order. */
  products: Array<IntroductoryOfferToSign>
  /** Where in the app offers are asked for. Campaigns for another placement pass the customer over; left out, those of every placement decide. `retention` is the App Store's own and refused. */
  placement?: string | null
  /** What the app knows of the customer, for the audiences of campaigns. It is not verified. `null` stands for absent. `storefront` and `appVersion` are kept with the exposure. */
  attributes?: Record<string, string | number | boolean | null> | null
  /** The billing plan with which the customer would buy: `upfront`, or `monthly` for a commitment of twelve months that is paid monthly. Left out: `upfront`. App Store Connect configures each offer for one plan, so an offer of the other plan is no offer. */
  billingPlan?: "upfront" | "monthly"
  /** StoreKit's AppTransaction of the customer (`jwsRepresentation`). It is verified and not stored. It proves the Apple account also of a customer who has bought nothing, so that campaigns can assign a variant. */
  signedAppTransaction?: string | null
}

/** One result per product, in the order of the request. */
export type IntroductoryOfferAnswer = {
  results: Array<IntroductoryOfferResult>
}

/** Asks which offers a customer may have. At least one of customerId, appAccountToken, transactionId and appTransactionId is required. */
export type EligibilityRequest = {
  /** The app. May be left out when the access key is limited to one app, or when the service has just one app. */
  bundleId?: string | null
  /** The environment that the request is about; default: the app's own. `Sandbox` beside a Production app only where the app accepts it (`sandbox: true`). `Xcode` only where the app has the key of StoreKit Testing (`xcodeKey`). */
  environment?: Environment
  /** The app's own user id. The subscriptions that this request brings are bound to this customer, unless they are bound already. With a token of an end user its `sub` counts in place of this. */
  customerId?: string | null
  /** The UUID that the app gives StoreKit as appAccountToken, in any case. With a token of an end user only their own: else 403. */
  appAccountToken?: string | null
  /** Any transaction id of the customer. Not with a token of an end user: 403. */
  transactionId?: string | null
  /** The Apple account, by its `appTransactionId` for the app, which every transaction and AppTransaction carries. Its purchases count as the customer's, except those of another customer. Not with a token of an end user: 403. */
  appTransactionId?: string | null
  /** Product ids from the catalogue; the answer has the same order. Left out: every product of the catalogue. */
  products?: Array<string> | null
  /** The billing plan with which the customer would buy: `upfront`, or `monthly` for a commitment of twelve months that is paid monthly. Left out: `upfront`. App Store Connect configures each offer for one plan, so an offer of the other plan is no offer. */
  billingPlan?: "upfront" | "monthly"
  /** StoreKit 2 transactions that the client holds, as signed. They are verified and stored first, all of them or none, so that the answer counts them. */
  signedTransactions?: Array<string> | null
}

/** What the customer may have, product by product. */
export type EligibilityAnswer = {
  /** The instant that the answer is about: now. Milliseconds since 1970-01-01T00:00:00Z. */
  asOf: number
  /** How much of the customer's purchases is known: nothing, some of them, or all of the Apple account. */
  history: "none" | "partial" | "complete" | (string & {})
  /** When this customer's history was last supplied or changed; `null` when nothing was ever supplied. Milliseconds since 1970-01-01T00:00:00Z. */
  historyUpdatedAt: number | null
  /** The owner of the running subscription of the Apple account that `appTransactionId` or `signedTransactions` name. `another`: a purchase would move it, so warn first. `nobody`: none runs, or it is bound to no customer. */
  subscriptionOwner?: "same" | "another" | "nobody" | (string & {})
  products: Array<ProductEligibility>
}

/** Asks which offers campaigns give a customer. At least one of customerId, appAccountToken, transactionId, appTransactionId and signedAppTransaction is required, except with a token of an end user. */
export type OffersRequest = {
  /** The app. May be left out when the access key is limited to one app, or when the service has just one app. */
  bundleId?: string | null
  /** The environment that the request is about; default: the app's own. `Sandbox` beside a Production app only where the app accepts it (`sandbox: true`). `Xcode` only where the app has the key of StoreKit Testing (`xcodeKey`). */
  environment?: Environment
  /** The app's own user id. The subscriptions that this request brings are bound to this customer, unless they are bound already. With a token of an end user its `sub` counts in place of this. */
  customerId?: string | null
  /** The UUID that the app gives StoreKit as appAccountToken, in any case. With a token of an end user only their own: else 403. */
  appAccountToken?: string | null
  /** Any transaction id of the customer. Not with a token of an end user: 403. */
  transactionId?: string | null
  /** The Apple account, by its `appTransactionId` for the app, which every transaction and AppTransaction carries. Its purchases count as the customer's, except those of another customer. Not with a token of an end user: 403. */
  appTransactionId?: string | null
  /** StoreKit 2 transactions that the client holds, as signed. They are verified and stored first, all of them or none, so that the answer counts them. */
  signedTransactions?: Array<string> | null
  /** Where in the app offers are asked for. Campaigns for another placement pass the customer over; left out, those of every placement decide. `retention` is the App Store's own and refused. */
  placement?: string | null
  /** What the app knows of the customer, for the audiences of campaigns. It is not verified. `null` stands for absent. `storefront` and `appVersion` are kept with the exposure. */
  attributes?: Record<string, string | number | boolean | null> | null
  /** The billing plan with which the customer would buy: `upfront`, or `monthly` for a commitment of twelve months that is paid monthly. Left out: `upfront`. App Store Connect configures each offer for one plan, so an offer of the other plan is no offer. */
  billingPlan?: "upfront" | "monthly"
  /** StoreKit's AppTransaction of the customer (`jwsRepresentation`). It is verified and not stored. It proves the Apple account also of a customer who has bought nothing, so that campaigns can assign a variant. */
  signedAppTransaction?: string | null
}

/** What live campaigns give a customer. */
export type OffersAnswer = {
  /** What the app may show: promotional offers in the order in which campaigns decide, each once; then decisions about introductory offers, one a product; then links. */
  offers: Array<GivenOffer>
  /** Every campaign that has taken the customer, control and holdout included. */
  assignments: Array<Assignment>
  eligibility?: Advice
}

/** A signature in the original form and what it is believed to sign, or a compact JWS. Give either all the fields of the original form (`applicationUsername` may be left out), or `compactJWS`. */
export type VerifyRequest = {
  /** The app. May be left out when the access key is limited to one app, or when the service has just one app. */
  bundleId?: string | null
  /** The product's id. */
  productId?: string | null
  /** The promotional offer's id. */
  offerId?: string | null
  /** Field 5 as the app gives it to StoreKit: the username or the app account token. Left out: empty. */
  applicationUsername?: string | null
  /** The nonce as it is given to StoreKit. A nonce that is not a UUID is a finding, not an error. */
  nonce?: string | null
  /** The timestamp as it is given to StoreKit. Seconds in place of milliseconds are a finding, not an error. */
  timestamp?: number | null
  /** The signature as it was received. A text that is not Base64, or not a signature, is a finding, not an error. */
  signature?: string | null
  /** The id of the key that is believed to have signed. */
  keyIdentifier?: string | null
  /** The compact JWS as it was received. A text that is no JWS is a finding, not an error. */
  compactJWS?: string | null
}

/** Whether the App Store can be expected to accept the signature, and if not, why. */
export type VerifyAnswer = ValidSignature | InvalidSignature

/** The subscription that belongs to the customer in the path. */
export type BindingRequest = {
  /** The app. May be left out when the access key is limited to one app, or when the service has just one app. */
  bundleId?: string | null
  /** The environment that the request is about; default: the app's own. `Sandbox` beside a Production app only where the app accepts it (`sandbox: true`). Nothing is known of purchases in Xcode. */
  environment?: Environment
  /** Any transaction id of the subscription. Its history need not be known yet. */
  transactionId: string
  /** Whether the subscription is taken from another customer who has it. The app's setting `transfer` must not be `never`. Its predecessors and successors go with it. */
  transfer?: boolean | null
  /** With the app's `writeAppAccountToken`: the `appAccountToken` that the App Store puts into the subscription's transactions from then on. Left out: the customer's id, if that is a UUID. */
  appAccountToken?: string | null
}

/** The result. */
export type BindingAnswer = {
  /** `bound`: from now on. `unchanged`: it was bound before, or no customer had it. `transferred`: another customer had it until now. `unbound`: no customer has it from now on. `merged`: the two are one from now on. */
  status: "bound" | "unchanged" | "transferred" | "unbound" | "merged" | (string & {})
  /** Whether the App Store has the token; left out where there was nothing to write. */
  appAccountToken?: "written" | "not-written" | (string & {})
  /** Why the token was not written to the App Store. The binding stands; bind again to write it. */
  reason?: string
}

/** StoreKit 2 data, as signed by the App Store. At least one of the two lists is required. */
export type TransactionsRequest = {
  /** The app. May be left out when the access key is limited to one app, or when the service has just one app. */
  bundleId?: string | null
  /** The app's own user id. The subscriptions that this request brings are bound to this customer, unless they are bound already. */
  customerId?: string | null
  /** Signed transactions (`signedTransactionInfo`, or StoreKit's `jwsRepresentation`). */
  signedTransactions?: Array<string> | null
  /** Signed renewal information (`signedRenewalInfo`). */
  signedRenewalInfos?: Array<string> | null
}

/** What was stored of the data in the request. */
export type HistoryReport = {
  /** How many brought something new, a binding included. */
  accepted: number
  /** How many were known already. */
  unchanged: number
  /** Those that were left out; the others are stored all the same. */
  rejected: Array<RejectedHistory>
  /** Only for `receiptData`: verifyReceipt did not add what the receipt lacks. What the receipt says itself is stored. `receipt-status-` is followed by the status that verifyReceipt gave. */
  verifyReceipt?: {
    /** Why, for programs. */
    code: string
    /** Why, for people. */
    detail: string
  }
}

/** A receipt to be verified with the App Store, or the answer of verifyReceipt that a backend already has: one of the two. */
export type ReceiptRequest = {
  /** The app. May be left out when the access key is limited to one app, or when the service has just one app. */
  bundleId?: string | null
  /** The app's own user id. The subscriptions that this request brings are bound to this customer, unless they are bound already. */
  customerId?: string | null
  /** The receipt in standard Base64, as it is on the device; line breaks do no harm. It is read offline where it can be; for the rest the App Store is asked, production first, then the sandbox. */
  receiptData?: string | null
  verifiedReceipt?: VerifiedReceipt
}

/** Asks for the history of the customer who made a transaction. */
export type RefreshRequest = {
  /** The app. May be left out when the access key is limited to one app, or when the service has just one app. */
  bundleId?: string | null
  /** The app's own user id. The subscriptions that this request brings are bound to this customer, unless they are bound already. */
  customerId?: string | null
  /** Any transaction id of the customer. */
  transactionId: string
}

/** A field, and what is wrong with it. */
export type ProblemField = {
  /** The path of the field in the body, or the name of a header. */
  name: string
  /** What is wrong with it. */
  reason: string
}

/** A nonce and the time until which it can be used for a signature. */
export type IssuedNonce = {
  /** The nonce, a lower-case version-4 UUID. */
  nonce: string
  /** From this time on POST /v1/signatures refuses the nonce. Milliseconds since 1970-01-01T00:00:00Z. */
  expiresAt: number
}

/** The App Store's environment in which the customer buys. */
export type Environment = "Production" | "Sandbox" | "Xcode" | "LocalTesting"

/** One promotional offer of one product. */
export type OfferToSign = {
  /** The product id of the subscription, from the catalogue. Required with an offerId; without one, left out for an offer of any product. */
  productId?: string | null
  /** The id of the promotional offer, from the catalogue. Left out: campaigns choose. */
  offerId?: string | null
  /** A nonce that POST /v1/nonces issued to this caller for this app; upper or lower case. Left out: the service makes one. */
  nonce?: string | null
}

/** A signature in the form that was asked for, or a refusal. */
export type SignatureResult = PayloadSignature | JWSSignature | RefusedOffer

/** One product and the decision for it. */
export type IntroductoryOfferToSign = {
  /** The product id of the subscription, from the catalogue. */
  productId: string
  /** Any transaction id of the customer, or the appTransactionId. Says whose purchase history counts where `allow` is `null` or left out. Visible ASCII characters. Goes into the JWS. All products without `allow` name the same one. */
  transactionId: string
  /** `true`: the customer may have the introductory offer although the App Store would refuse it; needs the permission `override`. `false`: may not. `null`: as the eligibility rules say, which never sign `true`; where they do not know, the product is refused. Left out: as the campaigns decide; where none does, as with `null`. */
  allow?: boolean | null
}

/** A signature, `not-needed`, or a refusal. */
export type IntroductoryOfferResult = IntroductoryOfferSignature | UnneededIntroductoryOffer | RefusedIntroductoryOffer

/** One product and its offers. */
export type ProductEligibility = {
  /** The product id of the subscription, from the catalogue. */
  productId: string
  /** The product's group, from the catalogue. */
  subscriptionGroupId: string
  subscription: Subscription
  introductoryOffer: IntroductoryOfferEligibility
  /** Every promotional offer that the catalogue has for the product. */
  promotionalOffers: Array<PromotionalOfferEligibility>
  /** Ids of the win-back offers that the App Store has named for this customer, best first. They need no signature. */
  winBackOffers: Array<string>
  /** The direct links of these win-back offers, by offer id: the app opens one, and the App Store gives the offer. Only offers whose `link` the catalogue has. */
  winBackOfferLinks?: Record<string, string>
}

/** What a campaign gives: a promotional offer (`offerId`), a decision about an introductory offer (`introductoryOffer`), or a link (`link`). */
export type GivenOffer = {
  /** The product id of the subscription, from the catalogue; null for a link. */
  productId: string | null
  /** The id of the promotional offer, from the catalogue. */
  offerId?: string
  introductoryOffer?: IntroductoryDecision
  /** The billing plan of the offer, if it is not `upfront`: the one that the request names. */
  billingPlan?: "monthly"
  /** An address at which the App Store gives an offer. The app opens it. */
  link?: string
  campaign: ChoosingCampaign
}

/** A campaign that has taken the customer. */
export type Assignment = {
  /** The campaign's id. */
  campaign: string
  /** The number of its revision that decided; 0: a draft that a tester tries. */
  revision: number
  /** The id of the variant; `holdout` for a customer who is held out. */
  variant: string
  /** True: the customer is one of the campaign's testers, and results do not count it. Left out for every other customer. */
  rehearsal?: true
  /** True: without being a tester the customer would not be in the campaign's audience. Left out otherwise. */
  outsideAudience?: true
}

/** What the eligibility rules say of the offer. Present only where the app has `eligibility: advise` and the request names the customer. */
export type Advice = {
  status: "eligible" | "ineligible" | "unknown" | (string & {})
  reasons: Reasons
  /** The transaction that decided; left out where none did. */
  evidence?: Evidence
}

/** The signature verifies, as given. */
export type ValidSignature = {
  valid: true
}

/** The signature does not verify as given, or is no longer usable. */
export type InvalidSignature = {
  valid: false
  findings: Array<Finding>
}

/** One element that was left out. */
export type RejectedHistory = {
  /** Its place in the list, from 0. */
  index: number
  /**
   * Why, for programs. `bound-to-another-customer`: the subscription is another customer's.
   * - `malformed-jws`: Not three parts of base64url, too long, or a header that is not a JSON object.
   * - `unsupported-algorithm`: `alg` is not ES256.
   * - `malformed-certificate-chain`: `x5c` is missing, has not three entries, or has entries that are not certificates.
   * - `untrusted-root`: No trusted root issued the intermediate.
   * - `invalid-certificate-chain`: The leaf was not issued by the intermediate, or the intermediate is not an authority.
   * - `missing-intermediate-marker`: The intermediate lacks Apple's extension 1.2.840.113635.100.6.2.1.
   * - `missing-leaf-marker`: The leaf lacks Apple's extension 1.2.840.113635.100.6.11.1.
   * - `certificate-expired`: A certificate had expired when the data was signed.
   * - `certificate-not-yet-valid`: A certificate was not valid yet when the data was signed.
   * - `unsupported-certificate-key`: A key is neither P-384 nor P-256, or the leaf's is not P-256.
   * - `invalid-signature`: The leaf's key did not make the signature.
   * - `signed-in-future`: The signing date is more than a day ahead of the service's clock.
   * - `malformed-payload`: The payload is not a JSON object, lacks a required field, or has no valid signing date.
   * - `bundle-mismatch`: The data belongs to another app (`bundleId`).
   * - `environment-mismatch`: The data comes from another environment than the app's.
   * - `local-certificate-unknown`: Data of Xcode or LocalTesting, signed with a certificate that is not configured.
   */
  code: "bound-to-another-customer" | "malformed-jws" | "unsupported-algorithm" | "malformed-certificate-chain" | "untrusted-root" | "invalid-certificate-chain" | "missing-intermediate-marker" | "missing-leaf-marker" | "certificate-expired" | "certificate-not-yet-valid" | "unsupported-certificate-key" | "invalid-signature" | "malformed-payload" | "signed-in-future" | "bundle-mismatch" | "environment-mismatch" | "local-certificate-unknown" | (string & {})
  /** The list: of the request, or of what the App Store answered; `chains` for the subscriptions and other purchases that these make. */
  field: "signedTransactions" | "signedRenewalInfos" | "chains" | (string & {})
  /** What is wrong and what to do. */
  detail: string
}

/** The whole answer of verifyReceipt, in the style of iOS 7 or of iOS 6; more fields than these are expected. */
export type VerifiedReceipt = {
  /** 0, or 21006 for an expired subscription of the old style; anything else is refused. */
  status: number
  [member: string]: unknown
} | null

/** A signature in the original form. */
export type PayloadSignature = {
  /** The product id of the subscription, from the catalogue. */
  productId: string
  /** The id of the promotional offer, from the catalogue. */
  offerId: string
  status: "signed"
  form: "payload"
  /** The id of the key that signed. */
  keyIdentifier: string
  /** The nonce, a lower-case version-4 UUID. */
  nonce: string
  /** The time that was signed. Milliseconds since 1970-01-01T00:00:00Z. */
  timestamp: number
  /** The ASN.1 DER signature in standard Base64 with padding. StoreKit 1 takes this string; StoreKit 2 takes the bytes it decodes to. */
  signature: string
  /** Exactly what was signed as field 5; empty when there was none. */
  applicationUsername: string
  /** 24 hours after `timestamp`: the App Store refuses the signature from then on. Milliseconds since 1970-01-01T00:00:00Z. */
  expiresAt: number
  eligibility?: Advice
  campaign?: ChoosingCampaign
}

/** A signature as a compact JWS. */
export type JWSSignature = {
  /** The product id of the subscription, from the catalogue. */
  productId: string
  /** The id of the promotional offer, from the catalogue. */
  offerId: string
  status: "signed"
  form: "jws"
  /** The id of the key that signed. */
  keyIdentifier: string
  /** The nonce, a lower-case version-4 UUID. */
  nonce: string
  /** The time of the signature; `iat` is this in whole seconds. Milliseconds since 1970-01-01T00:00:00Z. */
  timestamp: number
  /** The compact JWS (ES256), as StoreKit 2 takes it. */
  compactJWS: string
  /** 24 hours after `timestamp`. Milliseconds since 1970-01-01T00:00:00Z. */
  expiresAt: number
  eligibility?: Advice
  campaign?: ChoosingCampaign
}

/** The offer was not signed. Under `eligibility: enforce` (the default) the eligibility rules say no or do not know. Otherwise a limit of the offer is used up, or no campaign gives one. The other offers of the request are not affected. */
export type RefusedOffer = {
  /** The product id of the subscription, from the catalogue. `null` where campaigns were asked for an offer of any product and gave none. */
  productId: string | null
  /** The id of the promotional offer, from the catalogue. Not there where campaigns were asked and gave none. */
  offerId?: string
  status: "refused"
  /** The first reason of the verdict, for programs. */
  code: "never-subscribed" | "family-shared-only" | "assigned-seat-only" | "no-history" | "incomplete-history" | "unrecognised-value" | "customer-not-named" | "offer-limit-reached" | "no-campaign-offer" | "other-billing-plan" | (string & {})
  /** Why, in one sentence. */
  reason: string
  evidence: Evidence | LimitEvidence
}

/** A compact JWS with the audience `introductory-offer-eligibility`. */
export type IntroductoryOfferSignature = {
  /** The product id of the subscription, from the catalogue. */
  productId: string
  status: "signed"
  form: "jws"
  /** The id of the key that signed. */
  keyIdentifier: string
  /** The nonce, a lower-case version-4 UUID. */
  nonce: string
  /** The time of the signature; `iat` is this in whole seconds. Milliseconds since 1970-01-01T00:00:00Z. */
  timestamp: number
  /** The compact JWS (ES256), as StoreKit 2 takes it. */
  compactJWS: string
  campaign?: ChoosingCampaign
}

/** Nothing was signed, because `allow` was not given and the customer may have the introductory offer: the App Store gives it without an override. Buy without the option. */
export type UnneededIntroductoryOffer = {
  /** The product id of the subscription, from the catalogue. */
  productId: string
  status: "not-needed"
  reasons: Reasons
  campaign?: ChoosingCampaign
}

/** The product was not signed for, because `allow` was not given and the eligibility rules do not know, or the catalogue has no introductory offer; the other products of the request are not affected. */
export type RefusedIntroductoryOffer = {
  /** The product id of the subscription, from the catalogue. */
  productId: string
  status: "refused"
  /** The first reason of the verdict, for programs. */
  code: "no-history" | "incomplete-history" | "renewal-unconfirmed" | "unknown-product" | "unrecognised-value" | "no-introductory-offer" | "purchases-in-xcode" | (string & {})
  /** Why, in one sentence. */
  reason: string
  evidence: Evidence
}

/** The customer's subscription in the group of the product, whichever product it is. What is not known is left out. */
export type Subscription = {
  /** `never`: there has been none. `active`: a period runs. `grace-period`: expired, with the service going on. `billing-retry`: expired, and the App Store tries to collect the price. `expired`: ended. `revoked`: refunded, or Family Sharing has ended. */
  state: "never" | "active" | "grace-period" | "billing-retry" | "expired" | "revoked" | (string & {})
  /** The product of the deciding period; the catalogue need not have it. */
  productId?: string
  /** When the deciding period ends or ended. Milliseconds since 1970-01-01T00:00:00Z. */
  expiresAt?: number
  /** Whether it will renew, as was said last. */
  willRenew?: boolean
  /** Names the subscription. */
  originalTransactionId?: string
}

/** Whether the customer may have the introductory offer of the product. */
export type IntroductoryOfferEligibility = {
  status: "eligible" | "ineligible" | "unknown" | "no-offer" | (string & {})
  reasons: Reasons
  evidence: Evidence
}

/** Whether the customer may have a promotional offer of the product. */
export type PromotionalOfferEligibility = {
  /** The id of the promotional offer, from the catalogue. */
  offerId: string
  status: "eligible" | "ineligible" | "unknown" | "no-offer" | (string & {})
  reasons: Reasons
  /** The transaction that decided; left out where none did. */
  evidence?: Evidence
}

/** Whether a campaign gives an introductory offer. */
export type IntroductoryDecision = {
  /** True: show the introductory offer. False: show the regular price. Either way ask `/v1/introductory-offers/signatures` without `allow` before the purchase, with the same placement and attributes. */
  allow: boolean
}

/** The campaign that chose an offer, or decided about an introductory offer. */
export type ChoosingCampaign = {
  /** The campaign's id. */
  id: string
  /** The number of its revision that decided; 0: a draft that a tester tries. */
  revision: number
  /** The id of the variant; `holdout` for a customer who is held out. */
  variant: string
  /** True: the customer is one of the campaign's testers, and results do not count it. Left out for every other customer. */
  rehearsal?: true
  /** True: without being a tester the customer would not be in the campaign's audience. Left out otherwise. */
  outsideAudience?: true
}

/** Why. The first reason decided. */
export type Reasons = Array<Reason>

/** The transaction that decided; empty where none did. */
export type Evidence = {
  transactionId?: string
}

/** One thing that is wrong. */
export type Finding = {
  /**
   * - `base64-invalid`: The signature is not Base64.
   * - `base64-url`: The signature is in the URL-safe alphabet or lacks its padding; StoreKit wants standard Base64 with padding.
   * - `base64-twice`: The signature, or the JWS, was Base64-encoded once more.
   * - `p1363-signature`: The signature is r and s side by side (P1363); StoreKit wants ASN.1 DER.
   * - `signature-malformed`: The bytes are not an ECDSA P-256 signature in any known form.
   * - `compact-jws`: It is a compact JWS, and not the signature of a payload.
   * - `timestamp-in-seconds`: The timestamp is in seconds; it must be in milliseconds.
   * - `nonce-upper-case`: The nonce is in upper case; it must be lower-case in what is signed.
   * - `nonce-not-a-uuid`: The nonce is not a UUID.
   * - `wrong-separator`: Another character than U+2063 was signed between the fields.
   * - `username-trimmed`: The username was signed with other white space at its ends than the one given.
   * - `username-case`: The username was signed in another case than the one given.
   * - `username-missing`: The signature was made with an empty field 5, or none was given here. Beside `not-ours`: none was given, which may be the reason.
   * - `username-differs`: Field 5 of the signature is another than the one given.
   * - `unknown-key`: The service has no key with this id.
   * - `other-key`: The signature was made with another key than the one named.
   * - `key-revoked`: The key is revoked: the App Store refuses its signatures.
   * - `other-bundle`: The signature was made for another app.
   * - `expired`: The timestamp is more than 24 hours ago.
   * - `timestamp-in-future`: The timestamp is in the future.
   * - `not-ours`: Nothing that was tried makes the signature verify.
   * - `nonce-on-record`: The ledger has this nonce for another product or offer, or for another signature; the message names them.
   *
   * Only for `compactJWS`:
   * - `payload-signature`: It is a signature in the original form, and no JWS.
   * - `jws-wrapped`: White space, quotation marks or the word `Bearer` stand around the JWS or in it.
   * - `jws-malformed`: It is not a compact JWS: three parts in base64url, the first two of them JSON objects.
   * - `base64-standard`: A part is in standard Base64 or padded; base64url without padding is wanted.
   * - `der-signature`: The signature is ASN.1 DER; a JWS has r and s side by side (P1363).
   * - `app-store-jws`: The App Store has signed it, such as a transaction or a notification.
   * - `wrong-algorithm`: `alg` in the header is not `ES256`.
   * - `wrong-type`: `typ` in the header is not `JWT`.
   * - `key-id-missing`: The header has no `kid`.
   * - `wrong-audience`: `aud` is not one of Apple's two purposes of an offer.
   * - `other-issuer`: `iss` is not the issuer id of the app.
   * - `expiry-present`: The JWS has the claim `exp`, with which the App Store refuses it.
   * - `claim-missing`: A claim that Apple requires is missing.
   * - `claim-misspelt`: A claim has another name than Apple's, such as `offerId` for `offerIdentifier`.
   * - `claim-unknown`: A claim does not belong in the JWS.
   * - `claim-malformed`: A claim has a value of another type than Apple documents, or is empty.
   * - `timestamp-in-milliseconds`: `iat` is in milliseconds; it must be in seconds.
   */
  code: "base64-invalid" | "base64-url" | "base64-twice" | "p1363-signature" | "signature-malformed" | "compact-jws" | "timestamp-in-seconds" | "nonce-upper-case" | "nonce-not-a-uuid" | "wrong-separator" | "username-trimmed" | "username-case" | "username-missing" | "username-differs" | "unknown-key" | "other-key" | "key-revoked" | "other-bundle" | "expired" | "timestamp-in-future" | "not-ours" | "nonce-on-record" | "payload-signature" | "jws-wrapped" | "jws-malformed" | "base64-standard" | "der-signature" | "app-store-jws" | "wrong-algorithm" | "wrong-type" | "key-id-missing" | "wrong-audience" | "other-issuer" | "expiry-present" | "claim-missing" | "claim-misspelt" | "claim-unknown" | "claim-malformed" | "timestamp-in-milliseconds" | (string & {})
  /** What is wrong and what to change. */
  message: string
}

/** The limit of the catalogue that is used up; of several the one that frees last. */
export type LimitEvidence = {
  /** Its name in the catalogue. */
  limit: "perCustomer" | "cooldown" | "notWhileActive" | "outstanding" | "total" | (string & {})
  /** How many it allows. */
  max: number
  /** How many there are: redemptions for `perCustomer` and `cooldown`, signatures for `outstanding`, redemptions and customers who hold a signature for `total`. */
  counted: number
  /** When it allows one more, if nothing else happens; null: never, or not known. */
  freesAt: number | null
}

/** One reason. */
export type Reason = {
  /**
   * - `new-customer`: The customer has never bought a subscription in this app.
   * - `new-to-subscription-group`: The customer has never bought a subscription of this group.
   * - `lapsed-without-introductory-offer`: The subscription has ended, and none of its periods used an introductory offer.
   * - `introductory-offer-used`: The customer has used an introductory offer of this subscription group.
   * - `current-subscriber`: The customer is subscribed to this group.
   * - `active-subscriber`: The customer is subscribed.
   * - `subscriber-in-grace-period`: The customer is subscribed and in the billing grace period.
   * - `subscriber-in-billing-retry`: The customer is subscribed, and the App Store is trying to collect the price.
   * - `lapsed-subscriber`: The customer was subscribed before.
   * - `revoked-subscriber`: The customer was subscribed before; the last period was refunded or revoked.
   * - `never-subscribed`: The customer has never subscribed in this app.
   * - `family-shared-only`: The customer has the subscription only through Family Sharing.
   * - `no-history`: No purchase history of this customer has ever been supplied, and the app requires one.
   * - `customer-not-named`: The request does not say who the customer is.
   * - `incomplete-history`: The history does not show all purchases.
   * - `unknown-product`: The history holds a subscription whose group is not known.
   * - `no-introductory-offer`: The catalogue has no introductory offer for this product.
   * - `no-promotional-offer`: The catalogue has no such promotional offer for this product.
   * - `sandbox-history`: The deciding purchase is from the sandbox, where eligibility can be reset.
   * - `family-shared-not-counted`: Subscriptions shared by a family member were not counted.
   * - `renewal-unconfirmed`: The last period has ended, and it is not known whether it renewed.
   * - `unrecognised-value`: The App Store's data of a purchase has a value that this version does not know.
   * - `assigned-seat-only`: The customer has the subscription only through a seat that another person paid for.
   * - `assigned-seat-not-counted`: Seats that another person paid for were not counted.
   * - `catalogue-group-differs`: The App Store names another subscription group for the product than the catalogue.
   * - `apple-account-used-introductory-offer`: The customer's Apple account has used an introductory offer of this subscription group, in a purchase of another customer of the app.
   * - `offer-limit-reached`: The offer has been signed as often as the catalogue allows; only in `refused` results.
   * - `purchases-in-xcode`: Purchases of StoreKit Testing in Xcode cannot be verified, so nothing is known of them.
   * - `no-campaign-offer`: No campaign gives this customer a requested offer.
   */
  code: "new-customer" | "new-to-subscription-group" | "lapsed-without-introductory-offer" | "introductory-offer-used" | "current-subscriber" | "active-subscriber" | "subscriber-in-grace-period" | "subscriber-in-billing-retry" | "lapsed-subscriber" | "revoked-subscriber" | "never-subscribed" | "family-shared-only" | "no-history" | "customer-not-named" | "incomplete-history" | "unknown-product" | "no-introductory-offer" | "no-promotional-offer" | "sandbox-history" | "family-shared-not-counted" | "renewal-unconfirmed" | "unrecognised-value" | "assigned-seat-only" | "assigned-seat-not-counted" | "catalogue-group-differs" | "apple-account-used-introductory-offer" | "offer-limit-reached" | "purchases-in-xcode" | "no-campaign-offer" | "other-billing-plan" | (string & {})
  /** The same in one plain sentence. */
  message: string
}
