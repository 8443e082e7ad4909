/// A page that never changes while the process runs.
package struct DocumentPage: Sendable {
    let html: [UInt8]
    let contentSecurityPolicy: String
}
