// Asks once, with the guide's client; prints what came. Arguments: endpoint, user, product, offer, form, signed transactions…
@main
struct Program {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let user = arguments[1]
        let client = OfferSignatureClient(
            endpoint: URL(string: arguments[0])!, session: .shared, userToken: { user }, attempts: 2)
        do {
            let signed = try await client.signature(
                productId: arguments[2], offerId: arguments[3], form: arguments[4],
                signedTransactions: Array(arguments.dropFirst(5)))
            print(
                "signed", signed.keyIdentifier ?? "-", signed.applicationUsername ?? "-",
                signed.compactJWS == nil ? "payload" : "jws")
        } catch OfferSignatureError.refused(let code) {
            print("refused", code)
        } catch OfferSignatureError.rejected(let status, let problem) {
            print("rejected", status, problem?.code ?? "-")
        } catch OfferSignatureError.unavailable {
            print("unavailable")
        } catch {
            print("another error: \(error)")
        }
    }
}
