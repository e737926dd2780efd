internal import BellhopUnicode

extension JID {
    /// The domain as name servers and certificates know it, like `xn--mller-kva.example`; as it is where it has no such
    /// form (RFC 7622 section 3.2).
    package var asciiDomain: String { (try? Preparation.asciiDomain(domain)) ?? domain }
}
