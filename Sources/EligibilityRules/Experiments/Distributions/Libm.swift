import Glibc

/// The functions of the C library that the statistics of experiments need: their only dependency besides the standard library.
enum Libm {
    /// The natural logarithm.
    static func log(_ x: Double) -> Double { Glibc.log(x) }

    /// log(1 + x), precise even where x is tiny.
    static func log1p(_ x: Double) -> Double { Glibc.log1p(x) }

    /// e to the power of x.
    static func exp(_ x: Double) -> Double { Glibc.exp(x) }

    /// The complementary error function.
    static func erfc(_ x: Double) -> Double { Glibc.erfc(x) }
}
