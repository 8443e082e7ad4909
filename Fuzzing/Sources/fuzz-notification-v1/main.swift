import FuzzDriver
import WireText

@testable import AppStore

// An unsigned notification; what is kept of it has to say the same, without the password.
FuzzDriver.main { start, count in
    guard let value = try? JSONParser.parse(UnsafeBufferPointer(start: start, count: count)),
        let notification = NotificationV1(value)
    else { return 0 }
    Oracle.check(notification.history)
    guard let kept = try? JSONValue(parsing: notification.contentWithoutPassword), let again = NotificationV1(kept) else {
        fatalError("what is kept of a notification is none")
    }
    precondition(again.password == nil && again.history == notification.history, "what is kept says something else")
    return 0
}
