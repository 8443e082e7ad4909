import Foundation

/// Answers of SciPy, statsmodels and mpmath; Tests/Fixtures/experiments/make_reference.py wrote them.
struct ExperimentReference: Decodable {
    struct Proportions: Decodable {
        let control, treatment: [Int]
        let alpha: Double
        let wilson, newcombe: [Double]
        let z, p, chance: Double
        let chanceBy: String
    }
    struct SampleRatio: Decodable {
        let weights, observed: [Int]
        let chiSquared, p, logE: Double
    }
    struct Student: Decodable { let degreesOfFreedom, alpha, criticalValue, normal, t, p: Double }
    struct Revenue: Decodable {
        let treatment, control: [Int64]
        let mean, difference: Double
        let student, welch: [Double]
    }
    struct Size: Decodable { let expected, detect, ratio, alpha, controlUnits: Double }
    struct Family: Decodable { let values, adjusted: [Double] }
    struct Sequence: Decodable {
        let control, treatment: [Int]
        let alpha, tightestAt, low, high, logP: Double
    }

    let proportions: [Proportions]
    let sampleRatios: [SampleRatio]
    let students: [Student]
    let revenues: [Revenue]
    let sizes: [Size]
    let families: [Family]
    let sequences: [Sequence]

    static func read() throws -> ExperimentReference {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "Fixtures/experiments/reference.json")
        return try JSONDecoder().decode(ExperimentReference.self, from: Data(contentsOf: file))
    }
}
