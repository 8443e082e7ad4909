import COpenSSLShim

extension ClosedRange<Int64> {
    /// The validity period in seconds; nil if it is empty.
    init?(_ validity: oss_validity) {
        guard validity.not_before <= validity.not_after else { return nil }
        self = validity.not_before...validity.not_after
    }
}
