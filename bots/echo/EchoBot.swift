@main struct EchoBot {
    static func main() {}
}
