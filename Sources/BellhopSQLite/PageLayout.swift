/// Where a page of a b-tree keeps its cells, and whether the room between them holds nothing
/// (https://sqlite.org/fileformat2.html#b_tree_pages).
struct PageLayout {
    /// Whether no unused room holds a text; true for a page that is none of a b-tree.
    let isClean: Bool

    init(_ page: [UInt8], isFirst: Bool) { isClean = Self.isClean(page, start: isFirst ? 100 : 0) }

    /// A big-endian number of four bytes; 0 where they are not there.
    static func number(_ page: [UInt8], at place: Int) -> Int {
        guard place >= 0, place + 4 <= page.count else { return 0 }
        return page[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func short(_ page: [UInt8], at place: Int) -> Int {
        guard place >= 0, place + 2 <= page.count else { return 0 }
        return Int(page[place]) << 8 | Int(page[place + 1])
    }

    private static func isClean(_ page: [UInt8], start: Int) -> Bool {
        guard page.count >= start + 12 else { return true }
        let header: Int
        switch page[start] {
        case 0x0A, 0x0D: header = 8
        case 0x02, 0x05: header = 12
        default: return true
        }
        let pointersEnd = start + header + 2 * short(page, at: start + 3)
        let written = short(page, at: start + 5)
        // 0 stands for 65,536.
        let content = written == 0 ? page.count : written
        // A page that is no such page after all, like the middle of a long text, says nothing.
        guard pointersEnd <= content, content <= page.count else { return true }
        return isEmpty(page, pointersEnd, content) && hasEmptyBlocks(page, start)
    }

    /// Free blocks form a chain: the next one's place and the own size, in the first four bytes of each.
    private static func hasEmptyBlocks(_ page: [UInt8], _ start: Int) -> Bool {
        var block = short(page, at: start + 1)
        while block > 0, block + 4 <= page.count {
            let size = short(page, at: block + 2)
            guard size >= 4, block + size <= page.count, isEmpty(page, block + 4, block + size) else { return false }
            let next = short(page, at: block)
            guard next == 0 || next > block else { return false }
            block = next
        }
        return true
    }

    /// Whether nothing longer than four bytes is left, which SQLite's own notes about a former free block take.
    static func isEmpty(_ page: [UInt8], _ start: Int, _ end: Int) -> Bool {
        var run = 0
        for index in start..<end {
            run = page[index] == 0 ? 0 : run + 1
            if run > 4 { return false }
        }
        return true
    }
}
