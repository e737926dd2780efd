/// The `type` of a message stanza; an absent or unknown one means `normal` (RFC 6121 section 5.2.2).
public enum MessageType: String, Sendable { case chat, normal, groupchat, headline, error }
