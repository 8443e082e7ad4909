import EligibilityRules
import OfferService

/// A tester to add, as typed.
struct TesterInput {
    var kind = BucketingUnit.customer
    var id = ""
    var variant = ""
    var note = ""

    /// Returns a fault of the list in the form's words, and the input that it is about.
    func error(_ fault: FieldFault, of campaign: ManagedCampaign) -> ErrorView {
        guard fault.name != "testers" else {
            return ErrorView(id: "tester", text: "There are too many testers. Take out those who are done.")
        }
        if !fault.name.hasPrefix("testers[\(campaign.testers.count)]") {
            return ErrorView(
                id: "tester",
                text: "A tester who is there already keeps the list from being saved: \(fault.name) \(fault.reason).")
        }
        switch fault.name.split(separator: ".").last {
        case "note": return ErrorView(id: "note", text: "The note \(fault.reason).")
        case "variant": return ErrorView(id: "variant", text: "There is no such variant any more. Choose another one.")
        default:
            return ErrorView(
                id: "tester",
                text: campaign.testers.contains { $0.kind == kind && ExactText($0.id) == ExactText(id) }
                    ? "This tester is in the list already. Take them out first to give them another variant."
                    : "The id is missing or too long. Give the id by which the service knows them.")
        }
    }
}
