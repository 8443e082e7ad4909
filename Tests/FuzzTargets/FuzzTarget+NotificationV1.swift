import EligibilityRules
import WireText

@testable import AppStore

extension FuzzTarget {
    /// An unsigned notification; what identifies it has to say the same, without the password.
    static func readNotificationV1(_ input: UnsafeBufferPointer<UInt8>) {
        guard let value = try? JSONParser.parse(input), let notification = NotificationV1(value) else { return }
        Oracle.check(notification.history)
        guard let kept = try? JSONValue(parsing: notification.identity), let again = NotificationV1(kept) else {
            fatalError("what identifies a notification is none")
        }
        precondition(again.password == nil && again.history == notification.history, "what identifies it says something else")
    }
}
