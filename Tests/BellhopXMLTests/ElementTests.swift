import BellhopXML
import Testing

@Suite("Element")
struct ElementTests {
    @Test("an attribute is found by its name, and only without a namespace")
    func attributes() {
        var element = Element("iq", namespace: "jabber:client")
        element.attributes = [Element.Attribute("lang", "de", namespace: "urn:x"), Element.Attribute("lang", "en")]
        #expect(element["lang"] == "en")
        element["lang"] = nil
        #expect(element["lang"] == nil)
        #expect(element.attributes.count == 1)
    }
}
