/** Many operations, few requests: the engine below the client's writers. */
@SuppressWarnings("module") // exports to a module that is built later
module io.stowline.batching {
    requires transitive org.jspecify;
    requires transitive reactor.core;
    requires transitive org.reactivestreams;
    requires org.slf4j;

    exports io.stowline.batching.internal.batch to
            io.stowline.client;
    exports io.stowline.batching.internal.callback to
            io.stowline.client;
    exports io.stowline.batching.internal.engine to
            io.stowline.client;
    exports io.stowline.batching.internal.writer to
            io.stowline.client;
}
