// Calls a running service with the client that was generated into the folder CLIENT. Prints the results as one line of JSON.
const { CLIENT, URL: basePath, TOKEN, CUSTOMER } = process.env;
const {
  Configuration, DiagnosisApi, EligibilityApi, OperationsApi, ProblemFromJSON, ReasonFromJSON, ResponseError, SigningApi,
} = await import(`${CLIENT}/index.ts`);

const configuration = (accessToken: string) => new Configuration({ basePath, accessToken });
const mine = configuration(TOKEN!);
const bundleId = 'com.example.app';
const offer = { productId: 'com.example.pro.monthly', offerId: 'winback50' };

/** Returns the problem with which a call ends, as the generated client has parsed it. */
async function problem(call: Promise<unknown>) {
  try {
    await call;
  } catch (error) {
    if (error instanceof ResponseError) return ProblemFromJSON(await error.response.json());
    throw error;
  }
  throw new Error('no problem');
}

const signing = new SigningApi(mine);
const issued = await signing.issueNonces({ nonceRequest: { bundleId, count: 2 } });
const nonce = issued.nonces[0].nonce;
const signatureRequest = { bundleId, applicationUsername: CUSTOMER, offers: [{ ...offer, nonce }] };
const signed = await signing.signOffers({ signatureRequest, idempotencyKey: 'typescript-1' });
const jws = await signing.signOffers({ signatureRequest: { bundleId, form: 'jws', offers: [offer] } });
const { nonce: _, ...same } = signed.results[0];
console.log(JSON.stringify({
  issued,
  signed,
  jws,
  verified: await new DiagnosisApi(mine).verifySignature({ verifyRequest: {
    bundleId, ...offer, applicationUsername: same.applicationUsername, nonce, timestamp: same.timestamp,
    signature: same.signature, keyIdentifier: same.keyIdentifier } }),
  eligibility: await new EligibilityApi(mine).checkEligibility({ eligibilityRequest: { bundleId, customerId: CUSTOMER } }),
  unknown: ReasonFromJSON({ code: 'invented', message: 'm' }),
  ready: await new OperationsApi(mine).getReadiness(),
  replayed: await problem(signing.signOffers({ signatureRequest })),
  invalid: await problem(signing.signOffers({ signatureRequest: { ...signatureRequest, offers: [] } })),
  unauthorized: await problem(new SigningApi(configuration('osk_none')).issueNonces({ nonceRequest: { bundleId } })),
}));
