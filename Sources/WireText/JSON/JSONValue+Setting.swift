extension JSONValue {
    /// Returns the object with a member set to a value, or without it. Any other value is returned as it is.
    package func setting(_ name: String, _ value: JSONValue?) -> JSONValue {
        guard case .object(var members) = self else { return self }
        let index = members.index(named: name)
        switch (index, value) {
        case (let index?, let value?): members[index] = Member(name: name, value: value)
        case (let index?, nil): members.remove(at: index)
        case (nil, let value?): members.append(Member(name: name, value: value))
        case (nil, nil): break
        }
        return .object(members)
    }
}
