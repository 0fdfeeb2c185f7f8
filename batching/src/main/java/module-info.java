/** Many operations, few requests: lanes, limits, flush and close. */
module io.stowline.batching {
    requires transitive org.jspecify;
    requires transitive reactor.core;
    requires transitive org.reactivestreams;
    requires org.slf4j;

    exports io.stowline.batching;
}
