internal import BellhopXML
internal import BellhopXMPP

/// Long answers: what leaves at once, and what waits for `more`.
extension Desk {
    /// Sends an answer, or what of it may leave at once.
    ///
    /// Extension elements leave in any case, with the first part of the text.
    func say(_ reply: Reply, in output: inout Output, to job: Job, at moment: Moment) {
        guard !reply.isEmpty else { return }
        let bytes = reply.text.utf8.count
        guard !output.isHeld, plan.settings.output.areKept(byBytes: bytes),
            output.said <= plan.settings.output.allowance - bytes
        else { return sayAtLength(reply, in: &output, to: job, at: moment) }
        send(reply, in: &output, to: job, at: moment)
        output.said += bytes
    }

    /// Sends a sentence of the desk about a run, which is not kept back behind the run's own words unless it is long.
    func conclude(_ sentence: String, in output: inout Output, to job: Job, at moment: Moment) {
        let reply = Reply(text: sentence, payloads: [])
        guard settings.output.areKept(byBytes: sentence.utf8.count) else {
            return say(reply, in: &output, to: job, at: moment)
        }
        send(reply, in: &output, to: job, at: moment)
    }

    private func send(_ reply: Reply, in output: inout Output, to job: Job, at moment: Moment) {
        guard !reply.isEmpty else { return }
        let written = send(reply, to: job, ordinal: output.ordinal, state: output.state, at: moment)
        output.ordinal += max(written?.parts ?? 1, 1)
    }

    private func sayAtLength(_ reply: Reply, in output: inout Output, to job: Job, at moment: Moment) {
        if output.isHeld && reply.payloads.isEmpty {
            return held.add(reply.text, of: output.run, for: job.peer, now: moment.now)
        }
        guard let characters = settings.output.characters else {
            return send(reply, in: &output, to: job, at: moment)
        }
        let room = output.isHeld ? 0 : max(0, settings.output.allowance - output.said)
        if let size = reply.text.size(upTo: settings.output.message), size.characters <= room || output.isHeld {
            send(reply, in: &output, to: job, at: moment)
            output.said += size.characters
            return
        }
        let parts = max(room / characters, reply.payloads.isEmpty ? 0 : 1)
        var text = TextSplitter(reply.text)
        // Nothing is counted that would not be kept anyway.
        let isCut = text.cut(toBytes: parts * settings.output.message.bytes + HeldOutputs.bytesPerPerson)
        sayParts(of: &text, parts, reply.payloads, in: &output, to: job, at: moment)
        if text.rest.isEmpty {
            output.said = settings.output.allowance
        } else if output.isHeld {
            held.add(String(text.rest), of: output.run, for: job.peer, now: moment.now)
        } else {
            output.isHeld = true
            held.keep(HeldOutputs.Rest(text, of: output.run, isCut: isCut), for: job.peer, now: moment.now)
        }
    }

    /// Sends at most so many parts; the last of them says how much is left, if anything is.
    private func sayParts(
        of text: inout TextSplitter, _ count: Int, _ payloads: [Element] = [], in output: inout Output, to job: Job,
        at moment: Moment
    ) {
        let limit = settings.output.message
        var payloads = payloads
        var sent = 0
        while sent < count {
            var behind = text
            guard var part = behind.next(limit) else { return }
            var notice: String?
            if sent == count - 1, !behind.rest.isEmpty {
                // The line about the rest needs room.
                behind = text
                part = behind.next(limit - Phrases.moreSize) ?? part
                notice = moreNotice(behind)
            }
            text = behind
            guard !part.message.isEmpty else { continue }
            sent += 1
            send(
                Reply(text: notice.map { part.message + "\n\n" + $0 } ?? part.message, payloads: payloads), in: &output,
                to: job, at: moment)
            payloads = []
        }
        guard count == 0, let notice = moreNotice(text) else { return }
        send(Reply(text: notice, payloads: []), in: &output, to: job, at: moment)
    }

    private func moreNotice(_ text: TextSplitter) -> String? {
        text.rest.isEmpty ? nil : Phrases.more(text.charactersLeft, prefix: settings.prefix)
    }

    /// Answers `more`, from whichever device of the person it comes.
    func sayMore(to job: Job, at moment: Moment) {
        settle(job, .handled)
        var output = Output(of: nil)
        guard var rest = held.take(job.peer, now: moment.now) else {
            return conclude(Phrases.nothingMore(HeldOutputs.period), in: &output, to: job, at: moment)
        }
        sayParts(of: &rest.text, settings.output.messages, in: &output, to: job, at: moment)
        if !rest.text.rest.isEmpty {
            held.keep(rest, for: job.peer, now: moment.now)
        } else if rest.isCut {
            conclude(Phrases.restNotKept, in: &output, to: job, at: moment)
        } else if let run = rest.run, runs[run] != nil {
            // All of it is said: what the handler says from now on leaves as it comes.
            runs[run]?.output.isHeld = false
            runs[run]?.output.said = 0
        }
    }
}

extension String {
    /// How large it is; nil as soon as it is larger than the limit.
    fileprivate func size(upTo limit: TextSize) -> TextSize? {
        guard utf8.count <= limit.bytes else { return nil }
        let characters = count
        return characters <= limit.characters ? TextSize(characters: characters, bytes: utf8.count) : nil
    }
}
