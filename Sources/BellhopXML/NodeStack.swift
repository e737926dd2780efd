/// The finished nodes of all elements that are still open, innermost last.
///
/// Children wait here until their parent ends and then move, not copy, into an array of exactly their number: one
/// allocation for each element and no reference counting.
@safe struct NodeStack: ~Copyable {
    private var base: UnsafeMutablePointer<Element.Node>
    private var capacity: Int
    private(set) var count = 0

    init() {
        capacity = 64
        unsafe base = UnsafeMutablePointer.allocate(capacity: 64)
    }

    deinit {
        unsafe base.deinitialize(count: count)
        unsafe base.deallocate()
    }

    mutating func append(_ node: consuming Element.Node) {
        if count == capacity { resize(to: capacity * 2) }
        unsafe (base + count).initialize(to: node)
        count += 1
    }

    /// Takes the nodes from position `first` on off the stack.
    mutating func pop(from first: Int) -> [Element.Node] {
        let number = count - first
        guard number > 0 else { return [] }
        // Most elements hold one node, and a literal of one costs half of an array that is told its size.
        var nodes = unsafe [(base + first).move()]
        if number > 1 {
            nodes.reserveCapacity(number)
            for index in first + 1..<count { unsafe nodes.append((base + index).move()) }
        }
        count = first
        if first == 0, capacity > 4_096 { resize(to: 64) }
        return nodes
    }

    mutating func removeAll() {
        unsafe base.deinitialize(count: count)
        count = 0
    }

    private mutating func resize(to newCapacity: Int) {
        let new = UnsafeMutablePointer<Element.Node>.allocate(capacity: newCapacity)
        unsafe new.moveInitialize(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = new
        capacity = newCapacity
    }
}
