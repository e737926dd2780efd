internal import Synchronization

/// Runs the jobs of tasks on the loop's own thread, so that a quick handler costs no thread hop.
///
/// Jobs are queued from any thread and run only when the loop calls `runPending`.
package final class LoopExecutor: TaskExecutor, Sendable {
    private let jobs = Mutex<[UnownedJob]>([])
    private let wakeup: Wakeup

    package init(wakeup: Wakeup) { self.wakeup = wakeup }

    package func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let wasEmpty = jobs.withLock { list in
            list.append(unowned)
            return list.count == 1
        }
        if wasEmpty { wakeup.ring() }
    }

    /// Runs what is queued, jobs queued meanwhile included, at most `limit` of them; returns how many ran.
    package func runPending(limit: Int = 10_000) -> Int {
        var ran = 0
        while ran < limit {
            let batch = jobs.withLock { list in
                let batch = list
                list.removeAll(keepingCapacity: batch.count < 256)
                return batch
            }
            if batch.isEmpty { break }
            for job in batch {
                unsafe job.runSynchronously(on: asUnownedTaskExecutor())
                ran += 1
            }
        }
        return ran
    }
}
