import COpenAPI

/// The API's description of itself, `Resources/openapi.json`.
enum OpenAPIDocument {
    /// JSON, as it is served.
    static let bytes = Array(UnsafeBufferPointer(start: oa_document(), count: oa_length()))
}
