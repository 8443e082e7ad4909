// Requests one signature with the client that the guide shows, and prints the result.
// Arguments: endpoint, user, product, offer, form, signed transactions…
@main
struct Program {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let user = arguments[1]
        let backend = OfferBackend(endpoint: URL(string: arguments[0])!, userToken: { user }, attempts: 2)
        let signed = Array(arguments.dropFirst(5))
        do {
            let result = try await backend.signature(
                OfferBackend.Wanted(
                    productId: arguments[2], offerId: arguments[3], form: SignatureRequest.Form(rawValue: arguments[4])!,
                    signedTransactions: signed.isEmpty ? nil : signed))
            switch result {
            case .payload(let signed): print("signed", signed.keyIdentifier, signed.applicationUsername, "payload")
            case .jws(let signed): print("signed", signed.keyIdentifier, "- jws")
            case .refused(let refusal): print("refused", refusal.code)
            }
        } catch OfferSignerError.rejected(let status, let problem) {
            print("rejected", status, problem.code)
        } catch OfferSignerError.unavailable {
            print("unavailable")
        } catch {
            print("another error: \(error)")
        }
    }
}
