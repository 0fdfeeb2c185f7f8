package io.stowline;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LocationAwareLogger;

/** All that some loggers write while it is open, down to the least important. */
public final class CapturedLog implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Map<Logger, Integer> levels = new HashMap<>();

    public CapturedLog(String... loggers) {
        for (String name : loggers) {
            Logger logger = LoggerFactory.getLogger(name);
            levels.put(logger, level(logger, LocationAwareLogger.TRACE_INT));
        }
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    /** slf4j-simple reads its levels once and gives no way to change them. */
    private static int level(Logger logger, int level) {
        try {
            Field field = logger.getClass().getDeclaredField("currentLogLevel");
            field.setAccessible(true);
            int old = field.getInt(logger);
            field.setInt(logger, level);
            return old;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    public String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        System.setErr(before);
        levels.forEach(CapturedLog::level);
    }
}
