package io.stowline.logback;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.slf4j.MDC;

/** A context of Logback that is configured by XML, as an application's is. */
final class LogbackSystem implements AutoCloseable {

    final LoggerContext context = new LoggerContext();

    /**
     * Starts Logback.
     *
     * @param appender the elements inside of the appender
     */
    LogbackSystem(String appender, Map<String, String> variables) {
        variables.forEach(context::putProperty);
        context.setMDCAdapter(MDC.getMDCAdapter());
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        try {
            configurator.doConfigure(
                    new ByteArrayInputStream(("""
                    <configuration>
                      <appender name="BLOBS" class="io.stowline.logback.RecordAppender">
                        %s
                      </appender>
                      <root level="debug">
                        <appender-ref ref="BLOBS"/>
                      </root>
                    </configuration>
                    """.formatted(appender)).getBytes(StandardCharsets.UTF_8)));
        } catch (JoranException e) {
            throw new IllegalStateException(e);
        }
    }

    LogbackSystem(String appender) {
        this(appender, Map.of());
    }

    Logger logger(String name) {
        return context.getLogger(name);
    }

    RecordAppender appender() {
        return (RecordAppender) context.getLogger("ROOT").getAppender("BLOBS");
    }

    /** Returns the messages of Logback's status that are no information. */
    List<String> troubles() {
        return context.getStatusManager().getCopyOfStatusList().stream()
                .filter(status -> status.getLevel() > Status.INFO)
                .map(Status::getMessage)
                .toList();
    }

    @Override
    public void close() {
        context.stop();
    }
}
