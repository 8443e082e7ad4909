// Calls a running service through the client that was generated for Go; prints what came, as one line of JSON. `printed` is the
// program of docs/recipes.md, in a file beside this one.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"github.com/example/offersigner-go"
)

const bundleID, productID, offerID, username = "com.example.app", "com.example.pro.monthly", "winback50", "Jane.Doe-44"

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// The problem that a call ends with, as the client reads it.
func problem(err error) offersigner.Problem {
	var failure *offersigner.GenericOpenAPIError
	if !errors.As(err, &failure) {
		panic(err)
	}
	return failure.Model().(offersigner.Problem)
}

func request(form string, nonce *string) offersigner.SignatureRequest {
	offer := offersigner.NewOfferToSign()
	offer.SetProductId(productID)
	offer.SetOfferId(offerID)
	if nonce != nil {
		offer.SetNonce(*nonce)
	}
	request := offersigner.NewSignatureRequest([]offersigner.OfferToSign{*offer})
	request.SetBundleId(bundleID)
	request.SetForm(form)
	if form == "payload" {
		request.SetApplicationUsername(username)
	}
	return *request
}

func main() {
	client, ctx, first, err := printed("go-1")
	must(first, err)
	_, _, again, err := printed("go-1")
	must(again, err)

	wanted := offersigner.NewNonceRequest()
	wanted.SetBundleId(bundleID)
	issued, _, err := client.SigningAPI.IssueNonces(ctx).NonceRequest(*wanted).Execute()
	nonce := must(issued, err).Nonces[0].Nonce
	signed, _, err := client.SigningAPI.SignOffers(ctx).SignatureRequest(request("payload", &nonce)).Execute()
	result := must(signed, err).Results[0].PayloadSignature
	jws, _, err := client.SigningAPI.SignOffers(ctx).SignatureRequest(request("jws", nil)).Execute()
	compact := must(jws, err).Results[0].JWSSignature.CompactJWS

	asked := offersigner.NewVerifyRequest(productID, offerID, nonce, result.Timestamp, result.Signature, result.KeyIdentifier)
	asked.SetBundleId(bundleID)
	asked.SetApplicationUsername(username)
	verified, _, err := client.DiagnosisAPI.VerifySignature(ctx).VerifyRequest(*asked).Execute()
	valid := must(verified, err).ValidSignature
	who := offersigner.NewEligibilityRequest()
	who.SetBundleId(bundleID)
	who.SetCustomerId(username)
	eligibility, _, err := client.EligibilityAPI.CheckEligibility(ctx).EligibilityRequest(*who).Execute()
	must(eligibility, err)

	// A code and a field that the client does not know, and a refusal that names no product.
	var refused, none offersigner.SignatureResult
	var introductory offersigner.IntroductoryOfferResult
	for text, result := range map[string]any{
		`{"productId": "p", "offerId": "o", "status": "refused", "code": "invented", "reason": "r", "evidence": {}, "new": 1}`: &refused,
		`{"productId": null, "status": "refused", "code": "no-campaign-offer", "reason": "r", "evidence": {}}`:                 &none,
		`{"productId": "p", "status": "refused", "code": "invented", "reason": "r", "evidence": {}, "new": 1}`:                 &introductory,
	} {
		must(0, json.Unmarshal([]byte(text), result))
	}
	_, _, replayed := client.SigningAPI.SignOffers(ctx).SignatureRequest(request("payload", &nonce)).Execute()
	stranger := context.WithValue(ctx, offersigner.ContextAccessToken, "osk_none")
	_, _, unauthorized := client.SigningAPI.IssueNonces(stranger).NonceRequest(*wanted).Execute()

	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"first": first.Results[0], "again": again.Results[0], "issued": nonce, "signed": result, "jws": compact, "valid": valid.Valid,
		"eligibility": eligibility, "refused": []string{refused.RefusedOffer.Code, none.RefusedOffer.Code, introductory.RefusedIntroductoryOffer.Code},
		"replayed": problem(replayed), "unauthorized": problem(unauthorized),
	}))
}
