package io.stowline.spring.boot.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import io.stowline.blob.BlobContainer;
import io.stowline.logback.RecordAppender;
import io.stowline.spring.boot.account.PropertyValue;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.autoconfigure.StowlineProperties;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/** A factory of the appender that properties describe, in Logback's context. */
final class BlobAppenderFactory {

    private static final String NAME = "STOWLINE";
    /** Set by Spring Boot. */
    private static final String FILE_PATTERN = "FILE_LOG_PATTERN";

    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %5p [%t] %logger : %m%n";

    private final LoggerContext context;
    private final LoggingProperties properties;

    BlobAppenderFactory(LoggerContext context, LoggingProperties properties) {
        this.context = context;
        this.properties = properties;
    }

    /**
     * Makes the appender and starts it.
     *
     * @throws StowlineConfigurationException if a property is refused, or the appender does not start
     */
    RecordAppender start(BlobContainer container, Environment environment) {
        RecordAppender appender = new RecordAppender();
        appender.setContext(context);
        appender.setName(NAME);
        appender.setShutdownHook(false);
        appender.setBlobContainer(container);
        appender.setPrefix(properties.prefix());
        appender.setExcludeLoggers(String.join(",", properties.excludeLoggers()));
        appender.setEncoder(properties.format() == null ? text() : structured(properties.format(), environment));
        if (properties.format() != null) {
            appender.setSuffix(".jsonl");
        }
        if (properties.threshold() != null) {
            appender.addFilter(new PropertyValue<>(LoggingProperties.PREFIX + ".threshold", properties.threshold())
                    .into(BlobAppenderFactory::threshold));
        }
        apply(appender);
        int before = context.getStatusManager().getCopyOfStatusList().size();
        appender.start();
        if (!appender.isStarted()) {
            throw new StowlineConfigurationException(
                    "The log cannot go to blobs by the properties under '" + LoggingProperties.PREFIX + "': "
                            + reason(before),
                    "Correct the properties under '" + LoggingProperties.PREFIX + "', or set '"
                            + LoggingProperties.PREFIX + ".enabled=false'.");
        }
        return appender;
    }

    private void apply(RecordAppender appender) {
        PropertyMapper map = PropertyMapper.get();
        appender.setGzip(properties.gzip());
        appender.setAppendBlobs(properties.appendBlobs());
        map.from(properties::upTo).as(BlobAppenderFactory::size).to(appender::setUpTo);
        map.from(properties::every).as(BlobAppenderFactory::time).to(appender::setEvery);
        map.from(properties::bufferSize).as(BlobAppenderFactory::size).to(appender::setBufferSize);
        map.from(properties::linger).as(BlobAppenderFactory::time).to(appender::setLinger);
        map.from(properties::maxWait).as(BlobAppenderFactory::time).to(appender::setMaxWait);
        map.from(properties::stopTimeout).as(BlobAppenderFactory::time).to(appender::setStopTimeout);
        StowlineProperties.Journal journal = properties.journal();
        map.from(journal::folder).as(Object::toString).to(appender::setJournal);
        map.from(journal::fsync).to(appender::setFsync);
        map.from(journal::maxSize).as(BlobAppenderFactory::size).to(appender::setJournalSize);
    }

    private static FileSize size(DataSize size) {
        return new FileSize(size.toBytes());
    }

    private static Duration time(java.time.Duration time) {
        return new Duration(time.toMillis());
    }

    private static ThresholdFilter threshold(String name) {
        Level level = Level.toLevel(name, null);
        if (level == null) {
            throw new IllegalArgumentException("it is TRACE, DEBUG, INFO, WARN or ERROR");
        }
        ThresholdFilter filter = new ThresholdFilter();
        filter.setLevel(level.toString());
        filter.start();
        return filter;
    }

    private Encoder<ILoggingEvent> text() {
        String pattern = Objects.requireNonNullElseGet(
                properties.pattern(), () -> Objects.requireNonNullElse(context.getProperty(FILE_PATTERN), PATTERN));
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setPattern(pattern);
        encoder.start();
        return encoder;
    }

    private Encoder<ILoggingEvent> structured(String format, Environment environment) {
        String name = Environment.class.getName();
        if (context.getObject(name) == null) {
            context.putObject(name, environment);
        }
        StructuredLogEncoder encoder = new StructuredLogEncoder();
        encoder.setContext(context);
        encoder.setFormat(format);
        return new PropertyValue<>(LoggingProperties.PREFIX + ".format", format).into(value -> {
            encoder.start();
            return encoder;
        });
    }

    private @Nullable String reason(int before) {
        return context.getStatusManager().getCopyOfStatusList().stream()
                .skip(before)
                .filter(status -> status.getLevel() == Status.ERROR)
                .map(Status::getMessage)
                .reduce((first, last) -> last)
                .orElse("the appender does not start");
    }
}
