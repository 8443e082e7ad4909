/// The result of writing or removing a segment.
public enum SegmentOutcome: Equatable, Sendable {
    /// It was done.
    case written
    /// Another caller changed the segment first. Nothing was done. Holds the current record; nil if there is none.
    case changedMeanwhile(SegmentRecord?)
}
