import EligibilityRules
import FoundationEssentials

extension FormErrors {
    /// Assigns each finding that keeps a draft from being published to the input beside which it is shown.
    init(_ findings: [CampaignFinding], in form: CampaignForm, _ zone: TimeZone) {
        let (places, words) = (FieldPlaces(form), FindingWords(form: form, zone: zone))
        let errors = findings.filter { $0.severity == .error }.map { (place: places.id(of: $0.path), text: words.text($0)) }
        self.init(errors.sorted { $0.place.order < $1.place.order }.map { ($0.place.id, $0.text) })
    }
}
