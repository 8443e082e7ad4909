"""The bodies of Retention Messaging's requests in real time."""
import uuid

from AppStoreServer.customer import now


def request(authority, subscription=None, *, at=None, identifier=None, fields=None, **forgery):
    """`{"signedPayload": JWS}`: what to show the owner of a subscription, who is about to cancel it.

    `fields` override what is asked (None leaves a field out); a forgery is one of `authority.sign`.
    """
    payload = {
        "originalTransactionId": "1", "productId": "com.example.pro.monthly", "userLocale": "en-US",
        "requestIdentifier": identifier or str(uuid.uuid4()), "signedDate": at or now(),
    }
    if subscription is not None:
        payload |= about(subscription)
    payload |= fields or {}
    return {"signedPayload": authority.sign({name: value for name, value in payload.items() if value is not None}, **forgery)}


def about(subscription):
    """The fields that say whose subscription it is."""
    customer = subscription.customer
    return {
        "originalTransactionId": subscription.original_id, "productId": subscription.transactions[-1]["productId"],
        "appAppleId": customer.app_apple_id, "environment": customer.environment,
    }
