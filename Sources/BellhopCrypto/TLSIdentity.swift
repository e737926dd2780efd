/// By what one end of a session proves who it is: a certificate and its key, each in a PEM file.
///
/// The certificate's file may hold the authorities between it and the root too, in that order. A key that is encrypted
/// is refused: nobody is asked for its password.
package struct TLSIdentity: Equatable, Sendable {
    package let certificateFile: String
    package let keyFile: String

    package init(certificateFile: String, keyFile: String) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }
}
