internal import CBellhopResolv
internal import Glibc
internal import Synchronization

/// Threads for the loop and for calls that block.
package enum LoopThread {
    /// Runs `body` on a new thread; returns once the thread exists.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(TransportError) {
        let box = unsafe Unmanaged.passRetained(Body(name: name, run: body))
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        unsafe pthread_attr_setstacksize(&attributes, 1 << 20)
        let code = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let body = unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                _ = unsafe bellhop_name_thread(body.name)
                body.run()
                return nil
            }, unsafe box.toOpaque())
        unsafe pthread_attr_destroy(&attributes)
        guard code == 0 else {
            unsafe box.release()
            throw .system(call: "pthread_create", code: code)
        }
    }

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = String(name.prefix(15))
            self.run = run
        }
    }
}
