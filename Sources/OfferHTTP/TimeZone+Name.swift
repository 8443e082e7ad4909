import Foundation

extension TimeZone {
    /// The name for people: `Berlin time`.
    var label: String {
        self == .gmt ? "UTC" : "\(identifier.split(separator: "/").last?.replacing("_", with: " ") ?? identifier[...]) time"
    }
}
