/// What ties a SCRAM login to the TLS session beneath it (RFC 5802 section 6).
package struct ChannelBinding: Equatable, Sendable {
    /// The header in front of the first message, like `n,,` or `p=tls-exporter,,`.
    let header: String
    /// The binding's data; empty without binding.
    let data: [UInt8]

    /// We cannot bind to the channel, and say so.
    package static let unsupported = ChannelBinding(header: "n,,", data: [])

    package init(header: String, data: [UInt8]) {
        self.header = header
        self.data = data
    }
}
