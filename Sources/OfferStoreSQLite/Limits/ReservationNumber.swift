/// The numbers of signatures that count for limits. They are in the order of requests.
enum ReservationNumber {
    /// An upper limit of the signatures in a request.
    private static let perRequest: Int64 = 1024

    /// - Parameters:
    ///   - request: the unique number of the request's row.
    ///   - position: the position of the signature in the request.
    static func number(request: Int64, position: Int) -> Int64 {
        precondition(position < perRequest)
        return request * perRequest + Int64(position)
    }

    /// The number of the signature's request row.
    static func request(of number: Int64) -> Int64 { number / perRequest }

    /// The signature's position in its request.
    static func position(of number: Int64) -> Int { Int(number % perRequest) }
}
