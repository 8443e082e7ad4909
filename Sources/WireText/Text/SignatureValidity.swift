/// How long the App Store accepts a promotional-offer signature.
public enum SignatureValidity {
    /// A signature is valid for 24 hours after its timestamp; in ms.
    public static let duration: Int64 = 24 * 3600 * 1000
}
