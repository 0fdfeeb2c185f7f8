/** A cache of responses: freshness, conditional GET, single flight, tiers in memory and on disk. */
module io.stowline.caching {
    requires transitive org.jspecify;
    requires transitive com.azure.core;
    requires transitive reactor.core;
    requires static micrometer.core;
    requires com.github.benmanes.caffeine;
    requires org.slf4j;

    exports io.stowline.caching;
}
