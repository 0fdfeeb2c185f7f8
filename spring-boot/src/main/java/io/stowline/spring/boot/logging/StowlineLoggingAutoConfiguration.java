package io.stowline.spring.boot.logging;

import ch.qos.logback.classic.LoggerContext;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.logback.RecordAppender;
import io.stowline.records.RecordMetrics;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.PropertyValue;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.autoconfigure.DeclaredResource;
import io.stowline.spring.boot.autoconfigure.DeclaredResources;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import java.util.Objects;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * An auto-configuration that attaches an appender of blobs to the root logger while the application runs, if {@code
 * stowline.logging.enabled=true} and {@code stowline-logback} is on the class path.
 */
@AutoConfiguration(after = StowlineAutoConfiguration.class)
@ConditionalOnClass({Stowline.class, RecordAppender.class, LoggerContext.class})
@ConditionalOnProperty(name = "stowline.logging.enabled", havingValue = "true")
@EnableConfigurationProperties(LoggingProperties.class)
public final class StowlineLoggingAutoConfiguration {

    private static final String CONTAINER = LoggingProperties.PREFIX + ".container";

    /** Made by Spring. */
    StowlineLoggingAutoConfiguration() {}

    @Bean
    BlobLogging stowlineLogging(LoggingProperties properties, AccountClients accounts, Environment environment) {
        ILoggerFactory factory = LoggerFactory.getILoggerFactory();
        if (!(factory instanceof LoggerContext context)) {
            throw new StowlineConfigurationException(
                    "'" + LoggingProperties.PREFIX + ".enabled' is true, but SLF4J logs by "
                            + factory.getClass().getName() + " and not by Logback.",
                    "Remove the other provider of SLF4J from the class path, or set '" + LoggingProperties.PREFIX
                            + ".enabled=false'.");
        }
        Stowline client = accounts.client("'" + LoggingProperties.PREFIX + ".account'", properties.account());
        BlobContainer container = new PropertyValue<>(CONTAINER, container(properties)).into(client::container);
        return new BlobLogging(context, new BlobAppenderFactory(context, properties).start(container, environment));
    }

    /** Declares the container, so that it is created if it is missing, and its health is known. */
    @Bean
    DeclaredResources stowlineLoggingResources(LoggingProperties properties) {
        return DeclaredResources.of(
                properties.account(), DeclaredResource.Kind.CONTAINER, container(properties), "stowlineLogging");
    }

    private static String container(LoggingProperties properties) {
        String container = Objects.requireNonNullElse(properties.container(), "");
        if (container.isBlank()) {
            throw new PropertyValue<>(CONTAINER, "").refused("it must name the container of the blobs");
        }
        return container;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Meters {

        @Bean
        MeterBinder stowlineLoggingMeters(BlobLogging logging) {
            RecordAppender appender = logging.appender();
            return registry -> {
                appender.recordWriter()
                        .ifPresent(writer -> RecordMetrics.of(writer, "logging").bindTo(registry));
                FunctionCounter.builder("stowline.logging.discarded", appender, RecordAppender::discarded)
                        .description("log events that found no room, or that the writer refused")
                        .register(registry);
                FunctionCounter.builder("stowline.logging.excluded", appender, RecordAppender::excluded)
                        .description("log events that were left out for their logger")
                        .register(registry);
            };
        }
    }
}
