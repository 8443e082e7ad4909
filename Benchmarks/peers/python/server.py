"""A bare promotional-offer signer: FastAPI, uvicorn and Apple's own library, one worker.

usage: server.py KEY_FILE KEY_ID BUNDLE_ID PORT
"""

import sys
import time
import uuid
from pathlib import Path
from typing import Annotated, Literal

import uvicorn
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel, Field

OFFER_MILLIS = 24 * 60 * 60 * 1000


class Offer(BaseModel):
    productId: str
    offerId: str


class SignatureRequest(BaseModel):
    bundleId: str
    customerId: str | None = None
    applicationUsername: str = ""
    offers: Annotated[list[Offer], Field(min_length=1, max_length=20)]


class SignedOffer(BaseModel):
    productId: str
    offerId: str
    status: Literal["signed"] = "signed"
    form: Literal["payload"] = "payload"
    keyIdentifier: str
    nonce: str
    timestamp: int
    signature: str
    applicationUsername: str
    expiresAt: int


class SignatureResponse(BaseModel):
    results: list[SignedOffer]


def make_app(key_file: str, key_id: str, bundle_id: str) -> FastAPI:
    creator = PromotionalOfferSignatureCreator(Path(key_file).read_bytes(), key_id, bundle_id)
    app = FastAPI(openapi_url=None)

    def sign(offer: Offer, username: str) -> SignedOffer:
        nonce = uuid.uuid4()
        timestamp = time.time_ns() // 1_000_000
        return SignedOffer(
            productId=offer.productId,
            offerId=offer.offerId,
            keyIdentifier=key_id,
            nonce=str(nonce),
            timestamp=timestamp,
            signature=creator.create_signature(offer.productId, offer.offerId, username, nonce, timestamp),
            # Apple's library lower-cases this field before it signs.
            applicationUsername=username.lower(),
            expiresAt=timestamp + OFFER_MILLIS,
        )

    # Not a plain `def`: handing 30 µs of work to FastAPI's thread pool costs far more than doing it here.
    @app.post("/v1/signatures")
    async def signatures(request: SignatureRequest) -> SignatureResponse:
        if request.bundleId != bundle_id:
            raise HTTPException(400, "unknown bundleId")
        return SignatureResponse(results=[sign(offer, request.applicationUsername) for offer in request.offers])

    @app.get("/livez")
    async def livez() -> None:
        return None

    return app


def main() -> None:
    if len(sys.argv) != 5:
        sys.exit("usage: server.py KEY_FILE KEY_ID BUNDLE_ID PORT")
    key_file, key_id, bundle_id, port = sys.argv[1:]
    uvicorn.run(
        make_app(key_file, key_id, bundle_id),
        host="127.0.0.1",
        port=int(port),
        loop="uvloop",
        http="httptools",
        log_level="warning",
        access_log=False,
    )


if __name__ == "__main__":
    main()
