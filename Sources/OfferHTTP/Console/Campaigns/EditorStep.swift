import EligibilityRules

/// What a button of the editor does.
enum EditorStep: Equatable {
    case save, review, refresh, merge, returnToDraft, reach, note
    case even, addVariant
    case removeVariant(Int)
    case addOffer(Int)
    /// Adds a condition to the group of this id.
    case add(String)
    /// Adds a group to the group of this id.
    case addGroup(String)
    case remove(String)
    /// Adds countries to a row, or removes them.
    case countries(String, preset: String)

    /// Reads the value that a button sends.
    ///
    /// An unknown value counts as `save`.
    init(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        let (id, index) = (parts.count > 1 ? parts[1] : "", parts.count > 1 ? Int(parts[1]) : nil)
        self =
            switch parts.first {
            case "review": .review
            case "refresh": .refresh
            case "merge": .merge
            case "take-back": .returnToDraft
            case "reach": .reach
            case "note": .note
            case "even": .even
            case "add-variant": .addVariant
            case "remove-variant": index.map(EditorStep.removeVariant) ?? .refresh
            case "add-offer": index.map(EditorStep.addOffer) ?? .refresh
            case "add": .add(id)
            case "group": .addGroup(id)
            case "remove": .remove(id)
            case "countries": .countries(String(id.prefix { $0 != ":" }), preset: String(id.drop { $0 != ":" }.dropFirst()))
            default: .save
            }
    }

    /// Changes the form, if this step adds, removes or changes inputs. Any other step changes nothing here.
    ///
    /// - Parameters:
    ///   - fact: the fact of a new condition.
    ///   - group: the subscription group of a new condition that needs one.
    /// - Returns: the id of the input that was added; empty if none was.
    func apply(to form: inout CampaignForm, fact: String, group: String) -> String {
        switch self {
        case .save, .review, .refresh, .merge, .returnToDraft, .reach, .note: break
        case .even: form.splitEvenly()
        case .addVariant:
            let taken = form.variants.map(\.id)
            let name = (1...).lazy.map { "offer-\($0)" }.first { !taken.contains($0) } ?? ""
            form.variants.append(VariantFields(id: name, weight: ""))
            return "v.\(form.variants.count - 1).id"
        case .removeVariant(let index): if form.variants.indices.contains(index) { form.variants.remove(at: index) }
        case .addOffer(let index):
            guard form.variants.indices.contains(index) else { break }
            return "v.\(index).offer.\(form.variants[index].offers.count)"
        case .add(let id):
            let place = form.audience.count(of: id)
            form.audience.add(.test(.fresh(fact.isEmpty ? TestFields.attribute : fact, group: group)), to: id)
            return "\(id).\(place)"
        case .addGroup(let id):
            let place = form.audience.count(of: id)
            let first = ConditionNode.test(.fresh(fact.isEmpty ? TestFields.attribute : fact, group: group))
            form.audience.add(.group(.any, [first]), to: id)
            return "\(id).\(place).0"
        case .remove(let id): form.audience.remove(id)
        case .countries(let id, let preset): form.audience.chooseCountries(preset, of: id)
        }
        return ""
    }
}

extension CampaignForm {
    /// Gives each variant the same weight.
    ///
    /// If the weights cannot be equal, the first variants get the remainder.
    mutating func splitEvenly() {
        guard !variants.isEmpty else { return }
        let (share, rest) = Bucket.count.quotientAndRemainder(dividingBy: variants.count)
        for index in variants.indices {
            variants[index].weight = DecimalShift.text("\(share + (index < rest ? 1 : 0))", by: -2) ?? ""
        }
    }
}
