/** Many operations, few requests: lanes, limits, flush and close. */
@SuppressWarnings("module") // exports to a module that is built later
module io.stowline.batching {
    requires transitive org.jspecify;
    requires transitive reactor.core;
    requires transitive org.reactivestreams;
    requires org.slf4j;

    exports io.stowline.batching;
    exports io.stowline.batching.internal.callback to
            io.stowline.client;
}
