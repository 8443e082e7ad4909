import EligibilityRules
import OfferService
import WireText

// These functions stand in this module, because the compiler specialises generic code only in the module that declares it.
extension ObjectReader {
    private static let maxChoiceLength = 64

    /// Reads an optional text that must be one of the choices.
    ///
    /// Returns nil if it is absent or faulty. A fault is recorded.
    func optionalChoice<Choice: RawRepresentable & CaseIterable>(_ name: String) -> Choice?
    where Choice.RawValue == String {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value, text.utf8.count <= ObjectReader.maxChoiceLength, let choice = Choice(rawValue: text)
        else {
            refuse(name, "must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
            return nil
        }
        return choice
    }
}

extension ObjectReader {
    /// Reads an optional App Store transaction id: 1 to 64 visible ASCII characters.
    func optionalTransactionID(_ name: String) -> String? {
        guard let text = optionalText(name) else { return nil }
        if let fault = Identifier.fault(ofTransactionID: text) {
            refuse(name, fault)
            return nil
        }
        return text
    }

    /// Reads a required App Store transaction id.
    package func transactionID(_ name: String) -> String {
        if value(name) == nil { refuse(name, "is missing") }
        return optionalTransactionID(name) ?? ""
    }
}

extension ObjectReader {
    /// Reads `placement`, `attributes` and `billingPlan`.
    func occasion() -> OfferOccasion {
        let placement = optionalText("placement")
        if placement == Campaign.retentionPlacement {
            refuse("placement", "\(Campaign.retentionPlacement) is reserved for the App Store; name a place in the app")
        }
        return OfferOccasion(placement: placement, attributes: attributes(), billingPlan: billingPlan())
    }

    /// Reads `billingPlan`: the plan with which the customer would buy.
    func billingPlan() -> BillingPlan { optionalChoice("billingPlan") ?? .upfront }

    /// Reads `attributes`, which are what the caller states about the customer.
    func attributes() -> Attributes {
        guard let value = value("attributes") else { return .none }
        guard case .object(let members) = value, members.count <= Attributes.limit else {
            refuse("attributes", "must be an object of up to \(Attributes.limit) texts, numbers and Booleans")
            return .none
        }
        var attributes: [String: ConditionValue] = [:]
        for member in members {
            let field = "attributes." + member.name.unicodeScalars.prefix(64).reduce(into: "") { $0.unicodeScalars.append($1) }
            if let reason = Identifier.fault(of: member.name) { refuse(field, "has a name that \(reason)") }
            switch member.value {
            // A null attribute counts as absent.
            case .null: continue
            case .bool(let flag): attributes[member.name] = .boolean(flag)
            case .number(let spelling):
                if let number = Double(spelling), number.isFinite {
                    attributes[member.name] = .number(number)
                } else {
                    refuse(field, "is a number out of range")
                }
            case .string(let text):
                if let reason = Identifier.fault(of: text, mayBeEmpty: true) { refuse(field, reason) }
                attributes[member.name] = .text(text)
            case .array, .object: refuse(field, "must be a text, a number or a Boolean")
            }
        }
        return Attributes(attributes)
    }
}
