/** A Logback appender that collects log events into blobs. */
module io.stowline.logback {
    requires transitive io.stowline.records;
    requires transitive ch.qos.logback.classic;
    requires transitive ch.qos.logback.core;
    requires reactor.core;

    exports io.stowline.logback;
}
