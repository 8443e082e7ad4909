import Glibc

/// Any JSON text. It keeps the order of members and the spelling of numbers.
package enum JSONValue: Equatable, Sendable {
    /// One name and its value.
    package struct Member: Equatable, Sendable {
        package let name: String
        package let value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }

        /// Whether it has this name, byte for byte. `==` would first normalise long names that are not ASCII.
        package func isNamed(_ other: String) -> Bool {
            guard name.utf8.count == other.utf8.count else { return false }
            let isEqual = name.utf8.withContiguousStorageIfAvailable { left in
                other.utf8.withContiguousStorageIfAvailable { right in
                    left.isEmpty || memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
                }
            }
            return isEqual.flatMap { $0 } ?? name.utf8.elementsEqual(other.utf8)
        }
    }

    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// Returns the member of an object, or nil if there is none, or the value is not an object.
    package func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.index(named: name).map { members[$0].value }
    }
}

extension [JSONValue.Member] {
    /// The index of the first member with this name; nil if there is none.
    package func index(named name: String) -> Int? {
        // In place: an element is copied, with its reference counts, before a closure gets it.
        withUnsafeBufferPointer { members in
            let length = name.utf8.count
            var index = 0
            while index < members.count {
                if members[index].name.utf8.count == length, members[index].isNamed(name) { return index }
                index += 1
            }
            return nil
        }
    }
}
