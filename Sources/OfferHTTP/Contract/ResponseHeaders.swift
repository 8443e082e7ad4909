import OfferService
import WireText

extension ResponseHeader {
    /// All headers of answers that the document describes.
    static let all: [ResponseHeader] = [
        ResponseHeader(
            "X-Request-Id", .text(1...128, matching: "^[!-~]{1,128}$"),
            """
            The request's own X-Request-Id when that is 1 to 128 visible ASCII characters, else one that the service made. \
            It is also in the log line of the request.
            """, example: "6f0c2a1e-8a55-4c0e-9d0a-6c1c0e2f9b11"),
        ResponseHeader(
            "RateLimit", .text(matching: #"^"default";r=[0-9]+;t=[0-9]+$"#),
            "What is left of the caller's rate: `r` requests now, and `t` seconds until the rate is whole again.",
            example: "\"default\";r=399;t=1"),
        ResponseHeader(
            "RateLimitIfAuthenticated", isRequired: false, .text(matching: #"^"default";r=[0-9]+;t=[0-9]+$"#),
            "As RateLimit; present when the caller was known by the time of this answer.", example: "\"default\";r=399;t=1"),
        ResponseHeader(
            "RateLimitPolicy", .text(matching: #"^"default";q=[0-9]+;w=[0-9]+$"#),
            "The caller's rate: `q` requests (the burst) in a window of `w` seconds.", example: "\"default\";q=400;w=2"),
        ResponseHeader(
            "RateLimitPolicyIfAuthenticated", isRequired: false, .text(matching: #"^"default";q=[0-9]+;w=[0-9]+$"#),
            "As RateLimit-Policy; present when the caller was known by the time of this answer.", example: "\"default\";q=400;w=2"
        ),
        ResponseHeader(
            "Retry-After", .integer(1...),
            "Seconds to wait before the request is repeated.", example: 1),
        ResponseHeader(
            "WWW-Authenticate", .always("Bearer realm=\"offersigner\""),
            "How to authenticate.", example: "Bearer realm=\"offersigner\""),
        ResponseHeader(
            "WWW-AuthenticateUser",
            .text(matching: #"^Bearer realm="offersigner"(, error="invalid_token", error_description="[a-z-]+")?$"#),
            "How to authenticate; for a token of an end user also why it was refused (RFC 6750).",
            example: "Bearer realm=\"offersigner\", error=\"invalid_token\", error_description=\"expired\""),
        ResponseHeader(
            "Allow", .one(of: "GET, HEAD", "POST"),
            "The methods of this path.", example: "POST"),
        ResponseHeader(
            "NoStore", .always("no-store"),
            "Present because the answer holds, or may quote, a nonce or a signature.", example: "no-store"),
        ResponseHeader(
            "Idempotency-Replayed", isRequired: false, .always("true"),
            "`true` on a stored answer to an earlier request with the same Idempotency-Key and body; else absent.",
            example: "true"),
        ResponseHeader(
            "WWW-AuthenticateAppStore", .always("AppStore realm=\"offersigner\""),
            "A notification must prove itself.", example: "AppStore realm=\"offersigner\""),
        ResponseHeader(
            "ETag", .text.with("minLength", 3),
            "The version of the campaign. Send it back as `If-Match` with a change.", example: "\"7\""),
        ResponseHeader(
            "Content-Security-Policy",
            .text(
                matching:
                    "^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$"
            ),
            "Allows the style sheet that is in the page, and nothing else."),
        ResponseHeader(
            "X-As-Of", isRequired: false, .integer,
            "The instant of the counts, in ms since 1970."),
    ]
}
