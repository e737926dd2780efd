internal import Bellhop
internal import BellhopCrypto

/// The certificate of the stage's server, which the bot on the stage is told to trust.
///
/// Its key is no secret: nobody trusts it but a bot on a stage, and that bot reaches loopback only.
struct StageIdentity {
    static let domain = "bots.example.test"

    let server: TLSContext
    /// The file for the bot to trust.
    let authorities: String

    /// Writes certificate and key into the folder, since that is where TLS reads them.
    init(folder: String) throws {
        let certificate = folder + "/certificate.pem"
        let key = folder + "/key.pem"
        try SystemFile.create(certificate, Array(Self.certificate.utf8)).get()
        try SystemFile.create(key, Array(Self.key.utf8)).get()
        server = try .server(TLSIdentity(certificateFile: certificate, keyFile: key))
        authorities = certificate
    }

    /// Valid from 2020 to 2119.
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBeDCCAR+gAwIBAgIBATAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFib3RzLmV4
        YW1wbGUudGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowHDEa
        MBgGA1UEAwwRYm90cy5leGFtcGxlLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMB
        BwNCAARma9RLPU8Wh0Zi67V4a0px3Ltw81hMVdXKTFgPBCON/FwByZ6L74Gi0yqD
        RNpWT3JMERoQeY99nHJ6J3Ow912Xo1AwTjAPBgNVHRMBAf8EBTADAQH/MBwGA1Ud
        EQQVMBOCEWJvdHMuZXhhbXBsZS50ZXN0MB0GA1UdDgQWBBTBtGuqFubUURh/IHDt
        1Hipsv3BWTAKBggqhkjOPQQDAgNHADBEAiBDafzMpS9FaFikeNeIcpKI8UXR111i
        DScZpQdwz5eH7wIgeWGa669SyuDJuhu/07cotO/GCsjT3RwdXCQcpM1G+aQ=
        -----END CERTIFICATE-----

        """

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6sXGnYt6uhhr8tfh
        msFxXMrc4JjFs3GT/bXCygTuGnWhRANCAARma9RLPU8Wh0Zi67V4a0px3Ltw81hM
        VdXKTFgPBCON/FwByZ6L74Gi0yqDRNpWT3JMERoQeY99nHJ6J3Ow912X
        -----END PRIVATE KEY-----

        """
}
