package io.stowline.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LocationAwareLogger;

@DisplayName("each change to or from a broken practice is one line of the log")
class AdviceLogTest {

    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int level;

    @BeforeEach
    void capture() throws ReflectiveOperationException {
        level = level(LocationAwareLogger.INFO_INT);
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void release() throws ReflectiveOperationException {
        System.setErr(before);
        level(level);
    }

    /** slf4j-simple reads its levels once and gives no way to change them. */
    private static int level(int given) throws ReflectiveOperationException {
        Logger logger = LoggerFactory.getLogger("io.stowline.advice");
        Field field = logger.getClass().getDeclaredField("currentLogLevel");
        field.setAccessible(true);
        int old = field.getInt(logger);
        field.setInt(logger, given);
        return old;
    }

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static void poll(FakeTraffic traffic) {
        traffic.run(50, 10, i -> traffic.add(FakeAttempt.receive(32, 0)));
    }

    @Test
    void changesAreLoggedOnce() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        traffic.advisor.report();
        assertThat(text()).isEmpty();
        poll(traffic);
        traffic.advisor.report();
        poll(traffic);
        traffic.advisor.report();
        traffic.pass(WINDOW);
        traffic.advisor.report();

        assertThat(text().lines())
                .hasSize(2)
                .satisfiesExactly(
                        line -> assertThat(line).contains("ADVICE Q5", "threshold 90", "Consume the queue", "/docs/"),
                        line -> assertThat(line).contains("NOT_ENOUGH_DATA Q5 (was ADVICE)"));
    }

    @Test
    void suppressedFindingsAreNotLogged() {
        FakeTraffic traffic =
                new FakeTraffic(WINDOW, with -> with.suppress(Practice.Q5, "a test", LocalDate.of(2026, 12, 31)));
        poll(traffic);
        traffic.advisor.report();

        assertThat(text()).isEmpty();
    }

    @Test
    void noLineHasAKey() {
        FakeTraffic traffic = new FakeTraffic(WINDOW);
        traffic.run(50, 200, i -> {
            traffic.add(FakeAttempt.find("secret-key", "secret-row", "secret-etag"));
            traffic.add(FakeAttempt.insert("secret-key", "secret-row"));
        });
        traffic.advisor.report();

        assertThat(text()).contains("T13").doesNotContain("secret");
    }
}
