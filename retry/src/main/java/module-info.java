/** When to try again: back-off, deadline, gate, and the engine over a classifier. */
module io.stowline.retry {
    requires transitive org.jspecify;
    requires transitive reactor.core;
    requires transitive org.reactivestreams;
    requires transitive io.github.resilience4j.core;
    requires org.slf4j;

    exports io.stowline.retry;
}
