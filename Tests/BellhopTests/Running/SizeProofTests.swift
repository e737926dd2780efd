import BellhopBot
import Testing

@testable import Bellhop

@Suite("Large messages that may still be refused")
struct SizeProofTests {
    @Test("rows behind a large message count as sent when the server has answered something behind it")
    func order() {
        var proof = SizeProof()
        let step1 = proof.left([1, 2])
        #expect(step1 == [1, 2])
        proof.add(SizeProof.Large(row: 3, bytes: 20_000))
        let step2 = proof.asks()
        #expect(step2)
        let step3 = proof.asks()
        #expect(!step3)
        let step4 = proof.left([3])
        #expect(step4 == [])
        proof.add(SizeProof.Large(row: 5, bytes: 30_000))
        let step5 = proof.left([4, 5])
        #expect(step5 == [])
        #expect(proof.largest == 30_000)
        let step6 = proof.answered()
        #expect(step6 == [])
        #expect(proof.largest == 30_000)
        let step7 = proof.asks()
        #expect(step7)
        let step8 = proof.answered()
        #expect(step8 == [3, 4, 5])
        let step9 = proof.asks()
        #expect(!step9)
        let step10 = proof.left([6])
        #expect(step10 == [6])
        let step11 = proof.answered()
        #expect(step11 == [])
    }

    @Test("a connection that ends twice with the same large message under way is ended by it")
    func suspicion() {
        var proof = SizeProof()
        let step12 = proof.connectionLost()
        #expect(step12 == nil)
        proof.add(SizeProof.Large(row: 3, bytes: 20_000))
        proof.add(SizeProof.Large(row: 4, bytes: 40_000))
        let step13 = proof.connectionLost()
        #expect(step13 == nil)
        #expect(proof.isEmpty && proof.held.isEmpty)
        proof.add(SizeProof.Large(row: 3, bytes: 20_000))
        let step14 = proof.connectionLost()
        #expect(step14 == 20_000)
        proof.add(SizeProof.Large(row: 4, bytes: 40_000))
        let step15 = proof.connectionLost()
        #expect(step15 == nil)
    }

    @Test("both lists are bounded")
    func bounds() {
        var proof = SizeProof()
        for row in 1...1_000 { proof.add(SizeProof.Large(row: RowID(row), bytes: 20_000)) }
        _ = proof.asks()
        var marked: [RowID] = []
        for row in 1...10_000 { marked += proof.left([RowID(row)]) }
        #expect(marked.count > 5_000 && proof.held.count <= SizeProof.rowLimit)
        marked += proof.answered()
        #expect(marked == Array(1...10_000))
    }
}
