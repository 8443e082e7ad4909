import EligibilityRules
import WireText

/// Finds the input that shows a field of a campaign, so that a fault can be shown beside it.
struct FieldPlaces {
    // The path of each field, as findings name it, with the id of its input. The fields are in the order of the form.
    private var places: [(path: String, id: String)] =
        FieldPlaces.places(of: FormField.before) + [("analysis", "method"), ("goal", "metric")]

    init(_ form: CampaignForm) {
        add(form.audience, path: "audience", id: "c")
        for (index, variant) in form.variants.enumerated() {
            places.append(("variants[\(index)].id", "v.\(index).id"))
            places.append(("variants[\(index)].name", "v.\(index).name"))
            places.append(("variants[\(index)].weight", "v.\(index).weight"))
            for name in ["message", "link", "switchTo"] { places.append(("variants[\(index)].\(name)", "v.\(index).\(name)")) }
            let values = variant.offers.map { (try? JSONValue(parsing: Array($0.utf8))) ?? .string($0) }
            let introductory = VariantFields.introductoryPlace(values)
            for (offer, row) in variant.offers.indices.filter({ $0 != introductory }).enumerated() {
                places.append(("variants[\(index)].offers[\(offer)]", "v.\(index).offer.\(row)"))
            }
            places.append(("variants[\(index)].offers", "v.\(index).offer.0"))
            places.append(("variants[\(index)].introductoryOffer", "v.\(index).offer.\(introductory ?? 0)"))
            places.append(("variants[\(index)]", "v.\(index).id"))
        }
        places += [("variants", "variants")] + Self.places(of: FormField.after)
    }

    // Returns the places of fields. A part of the campaign that consists of several fields, such as the schedule, has no input of
    // its own. It follows the last of its fields.
    private static func places(of fields: [FormField]) -> [(path: String, id: String)] {
        let wholes = [
            "id": ("bundleId", "id"), "again": ("introductory", "again"), "until": ("schedule", "from"),
            "total": ("limits", "perCustomer"),
        ]
        return fields.flatMap { [($0.path, $0.id)] + (wholes[$0.id].map { [$0] } ?? []) }
    }

    /// Returns the id of the input that shows a field, and the input's position in the form.
    ///
    /// If the field has no input of its own, the result is the input of the smallest part of the campaign that contains the
    /// field.
    func id(of path: String) -> (id: String, order: Int) {
        let holders = places.enumerated().filter { Self.holds($0.element.path, path) }
        guard let best = holders.max(by: { $0.element.path.utf8.count < $1.element.path.utf8.count }) else {
            return ("name", places.count)
        }
        return (best.element.id, best.offset)
    }

    private static func holds(_ holder: String, _ path: String) -> Bool {
        path == holder || path.hasPrefix(holder + ".") || path.hasPrefix(holder + "[")
    }

    private mutating func add(_ node: ConditionNode, path: String, id: String) {
        switch node {
        case .raw: places.append((path, "\(id).raw"))
        case .test(let test):
            let bare = test.comparison.hasPrefix("!") ? "\(path).not" : path
            let operand = test.comparator?.rawValue ?? ""
            places += [
                ("\(bare).fact", "\(id).fact"), ("\(bare).attribute", "\(id).name"), ("\(bare).group", "\(id).group"),
                ("\(bare).\(operand)", "\(id).value"), (path, "\(id).value"),
            ]
            if test.comparator == .between { places.append(("\(bare).between[1]", "\(id).end")) }
        case .group(let kind, let parts):
            let list: String? =
                switch kind {
                case .all: "\(path).all"
                case .any: "\(path).any"
                case .none: "\(path).not.any"
                case .notAll: "\(path).not.all"
                case .not: parts.count == 1 ? nil : "\(path).not.any"
                case .bare: parts.count == 1 ? nil : "\(path).all"
                }
            for (index, part) in parts.enumerated() {
                add(part, path: list.map { "\($0)[\(index)]" } ?? (kind == .not ? "\(path).not" : path), id: "\(id).\(index)")
            }
            if list != nil { places.append((path, "\(id).kind")) }
        }
    }
}
