import COpenSSLShim

extension ClosedRange<Int64> {
    /// The seconds in which a certificate is valid; nil if there are none.
    init?(_ validity: oss_validity) {
        guard validity.not_before <= validity.not_after else { return nil }
        self = validity.not_before...validity.not_after
    }
}
