/// What a server wants to know for an account and nobody has said yet.
///
/// Texts and addresses are the server's own words, bounded, and not made harmless for a terminal.
package struct RegistrationQuestion: Equatable, Sendable {
    /// One field of the server's form (XEP-0004 section 3.2).
    package struct Field: Equatable, Sendable {
        /// As the server knows it.
        package var name: String
        package var label: String?
        /// What may be answered; empty where anything may.
        package var options: [String]
        package var takesSeveral: Bool
        /// Whether the answer is not to be shown while it is typed.
        package var isSecret: Bool
        /// Whether the answer is in the picture.
        package var isInPicture: Bool

        package init(
            name: String, label: String? = nil, options: [String] = [], takesSeveral: Bool = false,
            isSecret: Bool = false, isInPicture: Bool = false
        ) {
            self.name = name
            self.label = label
            self.options = options
            self.takesSeveral = takesSeveral
            self.isSecret = isSecret
            self.isInPicture = isInPicture
        }
    }

    package var instructions: String?
    /// Where the server shows the picture, or takes registrations itself.
    package var url: String?
    /// The picture that came with the form, whose bytes have the hash that they are named after (XEP-0231).
    package var picture: Picture?
    package var fields: [Field]

    package struct Picture: Equatable, Sendable {
        /// Like `image/png`.
        package var type: String
        package var bytes: [UInt8]

        package init(type: String, bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
        }
    }

    package init(instructions: String? = nil, url: String? = nil, picture: Picture? = nil, fields: [Field] = []) {
        self.instructions = instructions
        self.url = url
        self.picture = picture
        self.fields = fields
    }

    /// Whether only somebody who sees the picture can answer, and only while the server waits.
    package var isRiddle: Bool { fields.contains { $0.isInPicture } }
}
