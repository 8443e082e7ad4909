// A bare promotional-offer signer on net/http and crypto/ecdsa; with a ledger every answer waits until it is durable in SQLite.
//
// usage: signer KEY_FILE KEY_ID BUNDLE_ID PORT [LEDGER]
package main

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

const (
	separator   = "\u2063"
	maxBody     = 64 << 10
	maxOffers   = 20
	offerMillis = 24 * 60 * 60 * 1000
)

type offer struct {
	ProductID string `json:"productId"`
	OfferID   string `json:"offerId"`
}

type signatureRequest struct {
	BundleID            string  `json:"bundleId"`
	CustomerID          string  `json:"customerId"`
	ApplicationUsername string  `json:"applicationUsername"`
	Offers              []offer `json:"offers"`
}

type signedOffer struct {
	ProductID           string `json:"productId"`
	OfferID             string `json:"offerId"`
	Status              string `json:"status"`
	Form                string `json:"form"`
	KeyIdentifier       string `json:"keyIdentifier"`
	Nonce               string `json:"nonce"`
	Timestamp           int64  `json:"timestamp"`
	Signature           string `json:"signature"`
	ApplicationUsername string `json:"applicationUsername"`
	ExpiresAt           int64  `json:"expiresAt"`
}

type signatureResponse struct {
	Results []signedOffer `json:"results"`
}

type signer struct {
	key      *ecdsa.PrivateKey
	keyID    string
	bundleID string
	ledger   *ledger // nil: nothing is kept
}

func main() {
	if len(os.Args) != 5 && len(os.Args) != 6 {
		log.Fatalf("usage: %s KEY_FILE KEY_ID BUNDLE_ID PORT [LEDGER]", os.Args[0])
	}
	key, err := loadKey(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	s := &signer{key: key, keyID: os.Args[2], bundleID: os.Args[3]}
	if len(os.Args) == 6 {
		if s.ledger, err = openLedger(os.Args[5]); err != nil {
			log.Fatal(err)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/livez", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	mux.HandleFunc("/v1/signatures", s.serveSignatures)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[4], mux))
}

func loadKey(path string) (*ecdsa.PrivateKey, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("no PEM block in " + path)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s holds a %T, not an EC key", path, parsed)
	}
	return key, nil
}

func (s *signer) serveSignatures(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}
	var request signatureRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if len(request.Offers) < 1 || len(request.Offers) > maxOffers || request.BundleID != s.bundleID {
		http.Error(w, "unknown bundleId, or not 1 to 20 offers", http.StatusBadRequest)
		return
	}
	results := make([]signedOffer, len(request.Offers))
	for i, o := range request.Offers {
		var err error
		if results[i], err = s.sign(o, request.ApplicationUsername); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	if s.ledger != nil {
		if err := s.ledger.record(results); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	body, err := json.Marshal(signatureResponse{results})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(body)
}

func (s *signer) sign(o offer, username string) (signedOffer, error) {
	nonce, err := newNonce()
	if err != nil {
		return signedOffer{}, err
	}
	timestamp := time.Now().UnixMilli()
	payload := s.bundleID + separator + s.keyID + separator + o.ProductID + separator + o.OfferID + separator +
		username + separator + nonce + separator + strconv.FormatInt(timestamp, 10)
	digest := sha256.Sum256([]byte(payload))
	der, err := ecdsa.SignASN1(rand.Reader, s.key, digest[:])
	if err != nil {
		return signedOffer{}, err
	}
	return signedOffer{
		ProductID: o.ProductID, OfferID: o.OfferID, Status: "signed", Form: "payload",
		KeyIdentifier: s.keyID, Nonce: nonce, Timestamp: timestamp,
		Signature:           base64.StdEncoding.EncodeToString(der),
		ApplicationUsername: username, ExpiresAt: timestamp + offerMillis,
	}, nil
}

// newNonce makes a version-4 UUID, lower-case.
func newNonce() (string, error) {
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return "", err
	}
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	var text [36]byte
	hex.Encode(text[0:8], id[0:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:36], id[10:16])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:]), nil
}
