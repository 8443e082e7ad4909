/// How signatures that count for limits are numbered: in the order of their requests.
enum ReservationNumber {
    /// More than a request can have signatures.
    private static let perRequest: Int64 = 1024

    /// - Parameters:
    ///   - request: the number of the request's row; no two ever have the same.
    ///   - position: of the signature among those of the request.
    static func number(request: Int64, position: Int) -> Int64 {
        precondition(position < perRequest)
        return request * perRequest + Int64(position)
    }

    /// The number of its request's row.
    static func request(of number: Int64) -> Int64 { number / perRequest }

    /// Its position among the signatures of the request.
    static func position(of number: Int64) -> Int { Int(number % perRequest) }

    /// Those of a request.
    static func numbers(request: Int64) -> ClosedRange<Int64> {
        number(request: request, position: 0)...number(request: request, position: Int(perRequest) - 1)
    }
}
