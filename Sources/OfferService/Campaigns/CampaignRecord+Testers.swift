package import EligibilityRules
import OfferStore

extension CampaignRecord {
    // In bytes of UTF-8, as for other ids in the API.
    private static let maxID = 255

    /// Throws the faults of a list of testers, given the campaign as it is now. Each fault names its field.
    func check(_ testers: [CampaignTester]) throws(CampaignError) {
        var faults: [FieldFault] = []
        if testers.count > CampaignTester.maxCount {
            faults.append(
                FieldFault(
                    name: "testers",
                    reason: "has \(testers.count) testers; give \(CampaignTester.maxCount) at most, and remove those who are done"
                ))
        }
        let variants = variants
        var seen: [BucketingUnit: Set<ExactText>] = [:]
        for (place, tester) in testers.enumerated().prefix(CampaignTester.maxCount) {
            func refuse(_ field: String, _ reason: String) {
                faults.append(FieldFault(name: "testers[\(place)].\(field)", reason: reason))
            }
            if tester.id.isEmpty || tester.id.utf8.count > Self.maxID {
                refuse(tester.kind.apiName, "must be an id of 1 to \(Self.maxID) bytes")
            } else if !seen[tester.kind, default: []].insert(ExactText(tester.id)).inserted {
                refuse(tester.kind.apiName, "\(tester.id) is a tester already; name each tester once")
            }
            if let fault = TextLimit.testerNote.fault(of: tester.note) { refuse(fault.name, fault.reason) }
            guard !variants.contains(where: { ExactText($0) == ExactText(tester.variant) }) else { continue }
            refuse(
                "variant",
                variants.isEmpty
                    ? "cannot be checked: the draft cannot be read; correct the draft first"
                    : "\(tester.variant) is not a variant of the campaign; give one of \(variants.joined(separator: ", "))")
        }
        guard faults.isEmpty else { throw .invalidTesters(faults) }
    }

    /// The ids of the variants in the draft and in the published revision, each once. A text that cannot be read has none.
    private var variants: [String] {
        var variants: [String] = []
        for document in [draft?.document, published?.document] {
            let found = document.flatMap { CampaignText($0).campaign?.design.variants } ?? []
            for variant in found where !variants.contains(where: { ExactText($0) == ExactText(variant.id) }) {
                variants.append(variant.id)
            }
        }
        return variants
    }
}

extension BucketingUnit {
    /// The API's name for an id of this kind.
    package var apiName: String { "\(rawValue)Id" }
}
