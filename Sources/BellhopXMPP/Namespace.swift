/// Every namespace that Bellhop knows, under the name that its specification gives the matter.
package enum Namespace {
    // The stream and its negotiation (RFC 6120).
    package static let streams = "http://etherx.jabber.org/streams"
    package static let client = "jabber:client"
    package static let server = "jabber:server"
    package static let streamErrors = "urn:ietf:params:xml:ns:xmpp-streams"
    package static let stanzaErrors = "urn:ietf:params:xml:ns:xmpp-stanzas"
    package static let tls = "urn:ietf:params:xml:ns:xmpp-tls"
    package static let sasl = "urn:ietf:params:xml:ns:xmpp-sasl"
    package static let sasl2 = "urn:xmpp:sasl:2"
    package static let bind = "urn:ietf:params:xml:ns:xmpp-bind"
    package static let bind2 = "urn:xmpp:bind:0"
    package static let session = "urn:ietf:params:xml:ns:xmpp-session"
    package static let channelBinding = "urn:xmpp:sasl-cb:0"
    package static let fast = "urn:xmpp:fast:0"
    package static let streamLimits = "urn:xmpp:stream-limits:0"
    package static let streamManagement = "urn:xmpp:sm:3"
    package static let legacyLogin = "jabber:iq:auth"
    package static let legacyLoginFeature = "http://jabber.org/features/iq-auth"
    package static let registerFeature = "http://jabber.org/features/iq-register"
    /// What the prefix `xml` stands for, as in `xml:lang`.
    package static let xml = "http://www.w3.org/XML/1998/namespace"

    // The roster (RFC 6121).
    package static let roster = "jabber:iq:roster"
    package static let rosterVersioning = "urn:xmpp:features:rosterver"
    package static let preApproval = "urn:xmpp:features:pre-approval"

    // Questions that one entity asks another.
    package static let register = "jabber:iq:register"
    package static let ping = "urn:xmpp:ping"
    package static let softwareVersion = "jabber:iq:version"
    package static let time = "urn:xmpp:time"
    package static let blocking = "urn:xmpp:blocking"
    package static let blockingErrors = "urn:xmpp:blocking:errors"
    package static let discoInfo = "http://jabber.org/protocol/disco#info"
    package static let discoItems = "http://jabber.org/protocol/disco#items"
    package static let caps = "http://jabber.org/protocol/caps"
    package static let dataForms = "jabber:x:data"
    package static let adHocCommands = "http://jabber.org/protocol/commands"

    // What stands in a message beside its body.
    package static let carbons = "urn:xmpp:carbons:2"
    package static let chatMarkers = "urn:xmpp:chat-markers:0"
    package static let chatStates = "http://jabber.org/protocol/chatstates"
    package static let correction = "urn:xmpp:message-correct:0"
    package static let delay = "urn:xmpp:delay"
    package static let fallback = "urn:xmpp:fallback:0"
    package static let forward = "urn:xmpp:forward:0"
    package static let hints = "urn:xmpp:hints"
    package static let upload = "urn:xmpp:http:upload:0"
    package static let messageArchive = "urn:xmpp:mam:2"
    package static let resultSets = "http://jabber.org/protocol/rsm"
    package static let reactions = "urn:xmpp:reactions:0"
    package static let receipts = "urn:xmpp:receipts"
    package static let reply = "urn:xmpp:reply:0"
    package static let retraction = "urn:xmpp:message-retract:1"
    package static let stanzaIDs = "urn:xmpp:sid:0"
    package static let pubsubEvent = "http://jabber.org/protocol/pubsub#event"
    package static let outOfBand = "jabber:x:oob"
    package static let xhtml = "http://jabber.org/protocol/xhtml-im"

    // Encryption between people.
    package static let explicitEncryption = "urn:xmpp:eme:0"
    package static let omemo = "urn:xmpp:omemo:2"
    package static let legacyOMEMO = "eu.siacs.conversations.axolotl"
    package static let openPGP = "urn:xmpp:openpgp:0"
    package static let legacyOpenPGP = "jabber:x:encrypted"

    // Rooms.
    package static let room = "http://jabber.org/protocol/muc"
    package static let roomUser = "http://jabber.org/protocol/muc#user"
    package static let roomAdmin = "http://jabber.org/protocol/muc#admin"
    package static let roomOwner = "http://jabber.org/protocol/muc#owner"
    package static let roomInvitation = "jabber:x:conference"
    package static let occupantID = "urn:xmpp:occupant-id:0"
}
