@main struct Visitor {
    static func main() {}
}
