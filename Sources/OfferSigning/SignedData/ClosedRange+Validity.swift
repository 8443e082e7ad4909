import COpenSSLShim

extension ClosedRange<Int64> {
    /// The time in which a certificate is valid, in seconds since 1970; nil if it ends before it begins.
    init?(_ validity: oss_validity) {
        guard validity.not_before <= validity.not_after else { return nil }
        self = validity.not_before...validity.not_after
    }
}
