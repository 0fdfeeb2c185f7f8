/** A cache of responses: freshness, conditional GET, single flight, tiers in memory and on disk. */
@SuppressWarnings("module") // exports to a module that is built later
module io.stowline.caching {
    requires transitive org.jspecify;
    requires transitive com.azure.core;
    requires transitive reactor.core;
    requires static micrometer.core;
    requires com.github.benmanes.caffeine;
    requires org.slf4j;

    exports io.stowline.caching;
    exports io.stowline.caching.internal.engine to
            io.stowline.client;
    exports io.stowline.caching.internal.load to
            io.stowline.client;
}
