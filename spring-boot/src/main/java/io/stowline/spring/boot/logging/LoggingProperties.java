package io.stowline.spring.boot.logging;

import io.stowline.spring.boot.autoconfigure.StowlineProperties;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties of the log in blobs. Immutable and thread-safe.
 *
 * @param enabled Whether the log of the application also goes to blobs.
 * @param container Container of the blobs.
 * @param account Name of the account of the container, as below stowline.accounts; the default account unless it is set.
 * @param prefix Begin of all blob names.
 * @param threshold Level of the least important events that go to blobs.
 * @param format Structured format, 'ecs', 'gelf', 'logstash' or the class of a formatter; without it events are text.
 * @param pattern Pattern of events as text; that of Spring Boot's log files unless it is set.
 * @param excludeLoggers Loggers whose events are left out, with those below them.
 * @param gzip Whether blobs are compressed.
 * @param upTo Size of a chunk, before compression.
 * @param every Interval of UTC time that a chunk is for.
 * @param bufferSize Size of events in memory; with a journal the journal's max-size counts.
 * @param appendBlobs Whether chunks are appended to append blobs.
 * @param linger How long a chunk of an append blob waits for more events.
 * @param maxWait How long logging waits for room.
 * @param stopTimeout How long the shutdown waits until buffered events are in blobs.
 * @param journal Settings of the log's own journal.
 */
@ConfigurationProperties(LoggingProperties.PREFIX)
record LoggingProperties(
        @DefaultValue("false") boolean enabled,
        @Nullable String container,
        @Nullable String account,
        @DefaultValue("logs/") String prefix,
        @Nullable String threshold,
        @Nullable String format,
        @Nullable String pattern,

        @DefaultValue({"io.stowline", "com.azure", "io.netty", "reactor"})
        List<String> excludeLoggers,

        @DefaultValue("false") boolean gzip,
        @Nullable DataSize upTo,
        @Nullable Duration every,
        @Nullable DataSize bufferSize,
        @DefaultValue("false") boolean appendBlobs,
        @Nullable Duration linger,
        @DefaultValue("100ms") Duration maxWait,
        @DefaultValue("10s") Duration stopTimeout,
        @NestedConfigurationProperty @DefaultValue StowlineProperties.Journal journal) {

    static final String PREFIX = "stowline.logging";

    LoggingProperties {
        excludeLoggers = List.copyOf(excludeLoggers);
    }
}
