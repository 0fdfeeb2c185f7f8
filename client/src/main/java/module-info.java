/** The fluent client of Azure Table, Queue and Blob storage. */
module io.stowline.client {
    requires transitive org.jspecify;
    requires transitive io.stowline.retry;
    requires io.stowline.batching;
    requires transitive io.stowline.projection;
    requires transitive io.stowline.caching;
    requires static io.stowline.journal;
    requires transitive com.azure.core;
    // azure-core requires these, too; the library only for a codec of its own.
    requires static com.fasterxml.jackson.annotation;
    requires static com.fasterxml.jackson.core;
    requires static com.fasterxml.jackson.databind;
    requires static com.fasterxml.jackson.datatype.jsr310;
    requires static io.github.resilience4j.circuitbreaker;
    requires static micrometer.core;
    requires static micrometer.observation;
    requires static micrometer.commons;
    requires com.azure.http.netty;
    requires com.azure.json;
    requires transitive com.azure.storage.blob;
    requires transitive com.azure.storage.queue;
    requires com.azure.storage.common;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.handler.proxy;
    requires io.netty.resolver;
    requires io.netty.transport;
    requires org.slf4j;
    requires reactor.netty.core;
    requires reactor.netty.http;
    // Reactor Netty needs these and has no descriptor that could name them.
    requires io.netty.codec.classes.quic;
    requires io.netty.codec.http2;
    requires io.netty.resolver.dns;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.unix.common;

    exports io.stowline;
    exports io.stowline.access;
    exports io.stowline.error;
    exports io.stowline.observe;
    exports io.stowline.outcome;
    exports io.stowline.blob;
    exports io.stowline.queue;
    exports io.stowline.service;
    exports io.stowline.table;
    exports io.stowline.table.outbox;
    exports io.stowline.table.transfer;
    exports io.stowline.transport;
}
