/**
 * Retries and limits of attempts: back-off, deadline, quota, rates, adaptive gate, and the engine over a classifier.
 */
@SuppressWarnings("module") // exports to a module that is built later
module io.stowline.retry {
    requires transitive org.jspecify;
    requires transitive reactor.core;
    requires transitive org.reactivestreams;
    requires transitive io.github.resilience4j.core;
    requires org.slf4j;

    exports io.stowline.retry;
    exports io.stowline.retry.internal.engine to
            io.stowline.client;
    exports io.stowline.retry.internal.gate to
            io.stowline.client;
    exports io.stowline.retry.internal.timeout to
            io.stowline.client;
    exports io.stowline.retry.internal.rate to
            io.stowline.client;
}
