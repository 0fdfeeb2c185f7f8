package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Appender;
import io.micrometer.core.instrument.MeterRegistry;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** An application of Spring Boot with its own Logback, whose log also goes to blobs. */
class LoggingDoorTest {

    private static final Logger LOG = LoggerFactory.getLogger("shop.Orders");

    private final MemoryStorage memory = MemoryStorage.create();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}

    private ConfigurableApplicationContext start(String... properties) {
        return new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .initializers(context -> ((org.springframework.context.support.GenericApplicationContext) context)
                        .registerBean(
                                StowlineBuilderCustomizer.class,
                                () -> builder -> builder.httpClient(memory.httpClient())))
                .properties(
                        "stowline.connection-string=" + memory.connectionString(),
                        "stowline.create-missing=true",
                        "stowline.logging.enabled=true",
                        "stowline.logging.container=logs",
                        "stowline.logging.prefix=shop/")
                .properties(properties)
                .run();
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        try (Stowline client = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .build()) {
            BlobContainer logs = client.container("logs");
            try (Stream<BlobInfo> blobs = logs.stream("shop/")) {
                blobs.forEach(blob -> lines.addAll(
                        List.of(new String(logs.download(blob.name()), StandardCharsets.UTF_8).split("\n"))));
            }
        }
        return lines;
    }

    private static Appender<?> appender() {
        return ((LoggerContext) LoggerFactory.getILoggerFactory())
                .getLogger(Logger.ROOT_LOGGER_NAME)
                .getAppender("STOWLINE");
    }

    @Test
    @DisplayName(
            "the log of an application is in blobs at its end, in the form of its log files, without the log of the library")
    void text() {
        try (ConfigurableApplicationContext context = start()) {
            LOG.info("ordered {}", 17);
            LoggerFactory.getLogger("io.stowline.table").error("not in the blobs");

            assertThat(context.getBean(MeterRegistry.class)
                            .get("stowline.records.accepted")
                            .tag("writer", "logging")
                            .functionCounter()
                            .count())
                    .isPositive();
            assertThat(context.getBean(MeterRegistry.class)
                            .get("stowline.logging.excluded")
                            .functionCounter()
                            .count())
                    .isPositive();
        }

        assertThat(appender()).isNull();
        assertThat(lines())
                .anySatisfy(line -> assertThat(line).matches("\\d{4}-.* INFO .* shop\\.Orders +: ordered 17"))
                .noneSatisfy(line -> assertThat(line).contains("not in the blobs"));
    }

    @Test
    @SuppressWarnings("try") // the context is closed
    @DisplayName("events in a structured format are JSON lines, and those below the threshold are left out")
    void structured() {
        try (ConfigurableApplicationContext context =
                start("stowline.logging.format=ecs", "stowline.logging.threshold=WARN")) {
            LOG.info("left out");
            LOG.warn("kept\nwhole");
        }

        assertThat(lines())
                .singleElement()
                .asString()
                .startsWith("{")
                .endsWith("}")
                .contains("kept\\nwhole");
    }

    @Test
    @SuppressWarnings("try") // the context is closed
    @DisplayName("a reset of Logback attaches the appender again")
    void reset() {
        try (ConfigurableApplicationContext context = start()) {
            LOG.warn("before");
            ((LoggerContext) LoggerFactory.getILoggerFactory()).reset();
            LOG.warn("after");
            assertThat(appender().isStarted()).isTrue();
        }

        assertThat(lines())
                .anySatisfy(line -> assertThat(line).endsWith("before"))
                .anySatisfy(line -> assertThat(line).endsWith("after"));
    }

    @Test
    @DisplayName("a property that is refused stops the start, and the message names it")
    void refused() {
        assertThatThrownBy(() -> start("stowline.logging.up-to=1KB"))
                .rootCause()
                .hasMessageContaining("upTo");
        assertThatThrownBy(() -> start("stowline.logging.format=xml"))
                .rootCause()
                .hasMessageContaining("xml");
        assertThatThrownBy(() -> start("stowline.logging.threshold=LOUD"))
                .rootCause()
                .hasMessageContaining("DEBUG");
        assertThat(appender()).isNull();
    }
}
