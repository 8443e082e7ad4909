import FuzzDriver
import WireText

// The parser of everything that comes from outside.
FuzzDriver.main { start, count in
    if let value = try? JSONParser.parse(UnsafeBufferPointer(start: start, count: count)) { Oracle.check(value) }
    return 0
}
