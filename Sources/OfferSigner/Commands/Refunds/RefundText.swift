import AppStore
import EligibilityRules
import OfferService
import OfferStore
import WireText

/// Refund requests as the commands print them.
enum RefundText {
    /// Returns a request in one line.
    static func line(_ record: RefundRecord) -> String {
        let (request, progress) = (record.request, record.progress)
        let columns = [
            request.requestedAt.iso8601, progress.state.rawValue.padded(10), request.transactionID, request.productID,
            progress.policy ?? "-", progress.detail ?? "",
        ]
        return columns.joined(separator: "  ")
    }

    /// Returns a request with all that is stored of it.
    static func lines(_ record: RefundRecord) -> [String] {
        let (request, progress) = (record.request, record.progress)
        var lines = [line(record)]
        if let reason = request.reason { lines.append("  reason     \(reason)") }
        if progress.state == .waiting {
            lines.append("  deadline   \(request.deadline.iso8601), \(progress.attempts) failed attempts")
        }
        if let settledAt = progress.settledAt { lines.append("  settled    \(settledAt.iso8601)") }
        if let answer = progress.answer {
            lines.append((progress.state == .dryRun ? "  not sent   " : "  sent       ") + answer)
        }
        return lines
    }

    /// Returns a request as JSON.
    static func json(_ record: RefundRecord) -> [UInt8] {
        let (request, progress) = (record.request, record.progress)
        return JSONValue.members([
            "notificationUUID": .string(String(decoding: request.notification, as: UTF8.self)),
            "transactionId": .string(request.transactionID), "originalTransactionId": .string(request.originalTransactionID),
            "productId": .string(request.productID), "consumptionRequestReason": .text(request.reason),
            "requestedAt": .instant(request.requestedAt), "deadline": .instant(request.deadline),
            "state": .string(progress.state.rawValue), "detail": .text(progress.detail), "policy": .text(progress.policy),
            "answer": progress.answer.flatMap { try? JSONValue(parsing: Array($0.utf8)) } ?? .null,
            "attempts": .integer(progress.attempts), "dueAt": .instant(progress.dueAt), "settledAt": .instant(progress.settledAt),
        ]).bytes
    }

    /// Returns what the policies decide about a purchase.
    static func lines(_ judgement: RefundJudgement, _ purchase: RefundCase) -> [String] {
        let age = purchase.requestedAt.milliseconds(since: purchase.purchasedAt) / 3_600_000
        let consumed = purchase.consumedShare.map { "\($0 / 1000) % of the period consumed" } ?? "no period"
        var lines = [
            "\(purchase.productID), bought \(purchase.purchasedAt.iso8601) (\(age) h ago), \(consumed), "
                + "\(purchase.offersRedeemed) offers redeemed",
            "policy     \(judgement.policy ?? "none applies: only what Apple requires")",
            "consent    " + (judgement.consent.map { "\($0.isGiven ? "given" : "withdrawn") \($0.statedAt.iso8601)" } ?? "none"),
        ]
        if let answer = judgement.answer { lines.append("answer     \(body(answer))") }
        if let obstacle = judgement.obstacle { lines.append("nothing would be sent: \(obstacle.rawValue)") }
        return lines
    }

    /// Returns what the policies decide about a purchase, as JSON.
    static func json(_ judgement: RefundJudgement, _ purchase: RefundCase) -> [UInt8] {
        JSONValue.members([
            "productId": .string(purchase.productID), "purchasedAt": .instant(purchase.purchasedAt),
            "requestedAt": .instant(purchase.requestedAt), "consumedShare": .integer(purchase.consumedShare),
            "offersRedeemed": .integer(purchase.offersRedeemed), "policy": .text(judgement.policy),
            "consent": judgement.consent.map(JSONValue.of) ?? .null, "obstacle": .text(judgement.obstacle?.rawValue),
            "answer": judgement.answer.flatMap { try? JSONValue(parsing: Array(body($0).utf8)) } ?? .null,
        ]).bytes
    }

    private static func body(_ answer: RefundAnswer) -> String {
        String(decoding: ServerAPI.consumption(answer), as: UTF8.self)
    }
}
