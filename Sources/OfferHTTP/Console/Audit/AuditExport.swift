import Hummingbird
import NIOCore
import OfferService
import ServiceLifecycle
import WireText

/// Rows of the audit log as JSON Lines. At most one page of them is in memory.
struct AuditExport: Sendable {
    private static let rowsAtOnce = 200

    let audit: AuditBrowser
    let query: AuditQuery
    let caller: Caller
    /// The first page, read before the answer begins, so that an error is answered as a regular problem.
    private let first: AuditPage

    /// Throws if the caller may not see these rows.
    init(_ query: AuditQuery, of audit: AuditBrowser, for caller: Caller) async throws {
        self.audit = audit
        self.query = query
        self.caller = caller
        first = try await audit.page(query, limit: Self.rowsAtOnce, after: nil, for: caller)
    }

    /// The rows, latest first. Rows written meanwhile are left out.
    var body: ResponseBody {
        ResponseBody { writer in
            var page = first
            while true {
                try await writer.write(Self.lines(of: page))
                guard let next = page.next else { return try await writer.finish(nil) }
                // A shutdown does not wait for the export. The missing end shows the reader that it is incomplete.
                if Task.isShuttingDownGracefully { throw CancellationError() }
                page = try await audit.page(query, limit: Self.rowsAtOnce, after: next, for: caller)
            }
        }
    }

    private static func lines(of page: AuditPage) -> ByteBuffer {
        var buffer = ByteBuffer()
        for line in page.lines {
            buffer.writeBytes(AuditJSON.line(line).bytes)
            buffer.writeInteger(UInt8(ascii: "\n"))
        }
        return buffer
    }
}
