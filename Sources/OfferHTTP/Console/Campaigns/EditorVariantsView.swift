import EligibilityRules
import OfferService
import WireText

/// The editor's inputs for the variants.
struct EditorVariantsView: TemplateView {
    private static let maxVariants = 6

    let split: SplitBar?
    /// Why the variants cannot be changed; nil if they can.
    let lock: String?
    let count: Int
    let rows: [VariantView]
    let error: String?
    /// The address of this part of the form, to which the browser scrolls after a button was pressed.
    let here: String
    /// The address of the input that the button for one more variant adds; nil if there may be no more variants.
    let next: String?
    let hint: String
    let again: FieldView

    init(_ state: EditorState, _ segments: [Segment], _ visit: CampaignVisit) {
        let variants = state.form.variants
        let action = state.action(visit)
        let weights = variants.map { variant in
            (
                name: variant.name.trimmed.nonEmpty ?? variant.id,
                weight: DecimalShift.text(variant.weight.trimmed, by: 2).flatMap { Int($0) } ?? 0
            )
        }
        split = variants.isEmpty ? nil : SplitBar(shares: weights)
        lock = state.locks["variants"].nonEmpty
        count = variants.count
        let words = OfferWords(catalogue: visit.app.catalogue, for: state.form.condition?.withSegmentsPutIn(Segments(segments)))
        rows = variants.enumerated().map { index, variant in
            VariantView(
                variant: variant, index: index, words: words, errors: state.errors,
                isRetention: state.form[.placement] == Campaign.retentionPlacement, action: action, fresh: state.fresh)
        }
        error = state.errors["variants"].nonEmpty
        here = "\(action)#variants"
        next = count < Self.maxVariants ? "\(action)#v.\(count).id" : nil
        again = FieldView(
            .again, state.form,
            hint:
                "For variants that give an introductory offer. With “No”, a customer who has had one of the group gets none.",
            entry: .choice([
                (id: "", label: "No, one for each customer"), (id: "yes", label: "Yes, also for customers who have had one"),
            ]), lock: state.locks["introductory"], state.errors)
        let offers = visit.app.catalogue.sorted.reduce(0) {
            $0 + $1.promotionalOffers.count + ($1.introductoryOffers.isEmpty ? 0 : 1)
        }
        hint =
            "\(visit.app.bundleID) has \(ConsoleTime.count(offers, "offer")) in its catalogue. New ones are made in App Store Connect and added by your developer. \(words.note)"
    }
}
