import OfferService
import WireText

extension Operation {
    static let listSegments = Operation(
        id: "listSegments", method: .get, path: "/v1/admin/segments", access: .needs(.campaigns),
        about: About(
            tag: "campaigns",
            summary: "List the segments of an app",
            text: "The conditions with a name, which the campaigns of the app share.",
            parameters: ["bundleIdInQuery"],
            successes: [
                Success("The segments.", "Segments")
            ],
            problems: [404: "UnknownApp"]))

    static let getSegment = Operation(
        id: "getSegment", method: .get, path: "/v1/admin/segments/{id}", access: .needs(.campaigns),
        about: About(
            tag: "campaigns",
            summary: "Show a segment",
            text: "The segment, and the campaigns that have a copy of it.",
            parameters: ["segmentId", "bundleIdInQuery"],
            successes: [
                Success("The segment.", "Segment", headers: ["ETag"])
            ],
            problems: [404: "UnknownSegment"]))

    static let setSegment = Operation(
        id: "setSegment", method: .put, path: "/v1/admin/segments/{id}", access: .needs(.campaignDrafts),
        about: About(
            tag: "campaigns",
            summary: "Make or change a segment",
            text: "No campaign changes by it: each takes over the segment with a draft, when that is saved. Needs no approval.",
            parameters: ["segmentId", "bundleIdInQuery", "If-Match"],
            body: Body(.segmentRequest, size: SegmentDesk.maxBytes, text: "An unknown field is an error."),
            successes: [
                Success("The segment as it is now.", "Segment", headers: ["ETag"])
            ],
            problems: [
                404: "UnknownApp", 412: "ChangedMeanwhile", 413: "BodyTooLarge", 422: "InvalidSegment",
                428: "PreconditionRequired",
            ]))

    static let removeSegment = Operation(
        id: "removeSegment", method: .delete, path: "/v1/admin/segments/{id}", access: .needs(.campaignDrafts),
        about: About(
            tag: "campaigns",
            summary: "Remove a segment",
            text: "Only a segment that no campaign and no other segment names.",
            parameters: ["segmentId", "bundleIdInQuery", "If-Match"],
            successes: [
                Success("The segment as it was.", "SegmentLine")
            ],
            problems: [404: "UnknownSegment", 409: "SegmentInUse", 412: "ChangedMeanwhile", 428: "PreconditionRequired"]))
}

extension NamedSchema {
    static let segmentRequest = NamedSchema(
        "SegmentRequest",
        "A segment as its author writes it.",
        [
            Field(
                optional: "id", .kebabCase,
                "Unique in the app; never changes.",
                example: "lapsed"),
            Field("name", .text(1...200), "For people.", example: "Lapsed in the last quarter"),
            Field("condition", .named("Condition")),
            Field(optional: "version", .integer(1...), "Not looked at; `If-Match` counts.", example: 3),
        ])

    static let segmentLine = NamedSchema(
        "SegmentLine",
        "A stored segment.",
        [
            Field(
                "id", .kebabCase,
                "Unique in the app; never changes.",
                example: "lapsed"),
            Field("name", .text(1...200), "For people.", example: "Lapsed in the last quarter"),
            Field("condition", .named("Condition")),
            Field("version", .integer(1...), "The number of the version, from 1.", example: 3),
            Field("text", .text, "The condition in words.", example: "days since lapse in group 20563228 is less than 90"),
            Field("changedAt", .integer(0...), "When this version was saved, in ms since 1970.", example: 1_772_355_600_000),
            Field("changedBy", .text, "An access key's id, or `command-line`.", example: "0123456789abcdef"),
        ])

    static let segmentUse = NamedSchema(
        "SegmentUse",
        "A campaign that has a copy of the segment.",
        [
            Field("campaign", .text, "The campaign's id.", example: "spring-winback"),
            Field("in", .known("draft", "published"), "Where the copy is.", example: "published"),
            Field("version", .integer.orNull, "The version that was copied; null if it came with a file.", example: 2),
            Field("current", .flag, "Whether the copy selects the same customers as the segment does now.", example: false),
        ])

    static let segments = NamedSchema(
        "Segments",
        "The segments of an app, in the order of their ids.",
        [
            Field("items", .list(.named("SegmentLine")), "The segments.")
        ])

    static let segment = NamedSchema(
        "Segment",
        "A stored segment, and the campaigns that use it.",
        [
            Field(
                "id", .kebabCase,
                "Unique in the app; never changes.",
                example: "lapsed"),
            Field("name", .text(1...200), "For people.", example: "Lapsed in the last quarter"),
            Field("condition", .named("Condition")),
            Field("version", .integer(1...), "The number of the version, from 1.", example: 3),
            Field("text", .text, "The condition in words.", example: "days since lapse in group 20563228 is less than 90"),
            Field("changedAt", .integer(0...), "When this version was saved, in ms since 1970.", example: 1_772_355_600_000),
            Field("changedBy", .text, "An access key's id, or `command-line`.", example: "0123456789abcdef"),
            Field("uses", .list(.named("SegmentUse")), "The campaigns that have a copy and have not ended."),
        ])
}
