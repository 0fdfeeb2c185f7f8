package io.stowline.logback;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import io.stowline.journal.JournalException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import reactor.core.scheduler.NonBlocking;

/** The appender over a writer in memory, configured by XML. */
class RecordAppenderTest {

    private static final String WRITER = "<recordWriter class=\"io.stowline.logback.BoundedWriter\"/>";
    private static final String ENCODER = "<encoder><pattern>%level %logger{0} %msg%n</pattern></encoder>";

    private LogbackSystem logback = new LogbackSystem(WRITER + ENCODER);
    private Logger log = logback.logger("shop.Orders");

    @AfterEach
    void stop() {
        logback.close();
    }

    private void configure(String appender) {
        logback.close();
        logback = new LogbackSystem(appender);
        log = logback.logger("shop.Orders");
    }

    private BoundedWriter writer() {
        return (BoundedWriter) logback.appender().recordWriter().orElseThrow();
    }

    private void assertCounts(long accepted, long discarded, long excluded) {
        RecordAppender appender = logback.appender();
        assertThat(List.of(appender.accepted(), appender.discarded(), appender.excluded()))
                .as("accepted, discarded, excluded")
                .containsExactly(accepted, discarded, excluded);
    }

    @Test
    void eventsAreWrittenAsTheEncoderWritesThem() {
        log.info("ordered {}", 17);
        log.debug("and a line\nmore");

        assertThat(writer().records()).containsExactly("INFO Orders ordered 17\n", "DEBUG Orders and a line\nmore\n");
        assertCounts(2, 0, 0);
        assertThat(logback.troubles()).isEmpty();
    }

    @Test
    void aStackTraceStaysInTheRecordOfItsEvent() {
        log.error("failed", new IllegalStateException("no stock"));

        assertThat(writer().records()).singleElement().asString().contains("IllegalStateException: no stock\n\tat ");
    }

    @Test
    void eventsCanBeJsonLines() {
        configure(WRITER + "<encoder class=\"ch.qos.logback.classic.encoder.JsonEncoder\"/>");

        log.info("a line\nmore");

        assertThat(writer().records())
                .singleElement()
                .asString()
                .startsWith("{")
                .endsWith("}\n")
                .contains("\"message\":\"a line\\nmore\"")
                .containsOnlyOnce("\n");
    }

    @Test
    void aLayoutTakesThePlaceOfAnEncoder() {
        configure(WRITER + "<layout><pattern>%msg é%n</pattern></layout>");

        log.info("laid out");

        assertThat(writer().records()).containsExactly("laid out é\n");
    }

    @Test
    void filtersDecideBeforeTheAppenderCounts() {
        configure(WRITER + ENCODER
                + "<filter class=\"ch.qos.logback.classic.filter.ThresholdFilter\"><level>WARN</level></filter>");

        log.info("left out");
        log.warn("kept");

        assertThat(writer().records()).containsExactly("WARN Orders kept\n");
        assertCounts(1, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"io.stowline.records.RecordWriter", "com.azure.core.http", "io.netty", "reactor.netty.http"})
    @DisplayName("events of what delivers events are left out and counted")
    void deliveryLoggers(String logger) {
        logback.logger(logger).error("not into the blobs");

        assertThat(writer().records()).isEmpty();
        assertCounts(0, 0, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.nettyx.Own", "reactorcore", "com.azureshop.Orders", "io"})
    void loggersWithALongerNameAreNot(String logger) {
        logback.logger(logger).info("kept");

        assertCounts(1, 0, 0);
    }

    @Test
    @DisplayName("the list of excluded loggers can be another one, or none")
    void otherExclusions() {
        configure(WRITER + ENCODER + "<excludeLoggers>shop.Orders, shop.audit</excludeLoggers>");
        log.info("left out");
        logback.logger("shop.audit.Trail").info("left out");
        logback.logger("io.netty.channel").info("kept");
        assertCounts(1, 0, 2);

        configure(WRITER + ENCODER + "<excludeLoggers>none</excludeLoggers>");
        logback.logger("io.stowline.table").info("kept");
        assertCounts(1, 0, 0);
    }

    @Test
    @DisplayName("an event that a write logs itself is discarded and counted: no recursion, whatever its logger")
    void nestedInTheWrite() {
        configure(WRITER + ENCODER + "<excludeLoggers>none</excludeLoggers>");
        AtomicInteger calls = new AtomicInteger();
        writer().inside(text -> {
            calls.incrementAndGet();
            logback.logger("io.stowline.records").warn("inside");
        });

        log.info("outside");

        assertThat(calls).hasValue(1);
        assertThat(writer().records()).containsExactly("INFO Orders outside\n");
        assertCounts(1, 1, 0);
        assertThat(logback.troubles()).singleElement().asString().contains("logged by the appending of another event");
    }

    @Test
    @DisplayName("an argument whose text logs does not recurse")
    void nestedInTheArgument() {
        Object noisy = new Object() {
            @Override
            public String toString() {
                log.info("asked for the text of {}", this);
                return "noise";
            }
        };

        log.info("of {}", noisy);

        assertThat(writer().records()).containsExactly("INFO Orders of noise\n");
        assertCounts(1, 1, 0);
    }

    @Test
    @DisplayName("events that find no room are discarded and counted, and the status says so once")
    void full() {
        writer().room(3);

        for (int i = 0; i < 1_000; i++) {
            log.info("{}", i);
        }
        assertCounts(3, 997, 0);
        assertThat(logback.troubles()).singleElement().asString().contains("no room", "room for 3 events");

        writer().room(4);
        log.info("room again");
        assertCounts(4, 997, 0);
    }

    @Test
    @DisplayName("a stop reports all that was discarded")
    void reportAtTheEnd() {
        writer().room(0);
        for (int i = 0; i < 10; i++) {
            log.info("{}", i);
        }

        logback.appender().stop();

        assertThat(logback.troubles()).last().asString().contains("10 log events were discarded");
    }

    @Test
    @DisplayName("a refusal of the journal reaches no caller, and the next event is written")
    void refused() {
        writer().refuse(new JournalException("disk full"));
        log.info("lost");
        writer().refuse(null);
        log.info("kept");

        assertThat(writer().records()).containsExactly("INFO Orders kept\n");
        assertCounts(1, 1, 0);
        assertThat(logback.troubles()).singleElement().asString().contains("refuses", "disk full");
    }

    @Test
    void aStoppedAppenderTakesNothingAndClosesItsWriter() {
        BoundedWriter writer = writer();
        RecordAppender appender = logback.appender();

        appender.stop();
        appender.stop();
        log.info("too late");

        assertThat(writer.isClosed()).isTrue();
        assertThat(writer.records()).isEmpty();
        assertThat(appender.recordWriter()).isEmpty();
        assertThat(appender.isStarted()).isFalse();
    }

    @Test
    @DisplayName("many threads: accepted + discarded + excluded = logged")
    void threads() throws InterruptedException {
        writer().room(5_000);
        Logger delivery = logback.logger("io.netty.channel");
        List<Thread> threads = new ArrayList<>();
        CountDownLatch begin = new CountDownLatch(1);
        for (int t = 0; t < 8; t++) {
            Thread thread = new Thread(() -> {
                try {
                    begin.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                for (int i = 0; i < 1_000; i++) {
                    log.info("{}", i);
                    if (i % 10 == 0) {
                        delivery.debug("wire");
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        begin.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertCounts(5_000, 3_000, 800);
        assertThat(writer().records()).hasSize(5_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|set its <encoder>",
                "<encoder><pattern>%msg%n</pattern></encoder>|<connectionString> is not set",
                "<encoder><pattern>%msg%n</pattern></encoder><connectionString>UseDevelopmentStorage=true</connectionString>"
                        + "|<container> is not set",
                "<encoder><pattern>%msg%n</pattern></encoder><connectionString>a</connectionString><endpoint>b</endpoint>"
                        + "|both <connectionString> and <endpoint> are set",
                "<encoder><pattern>%msg%n</pattern></encoder><container>logs</container><upTo>1KB</upTo>"
                        + "<connectionString>UseDevelopmentStorage=true</connectionString>|upTo must be between",
                "<encoder><pattern>%msg%n</pattern></encoder><container>logs</container><every>7 minutes</every>"
                        + "<connectionString>UseDevelopmentStorage=true</connectionString>|every must be"
            })
    @DisplayName("an appender that cannot start says why in the status, and logging goes on")
    void misconfigured(String elements, String message) {
        configure(elements == null ? "" : elements);

        log.info("elsewhere");

        assertThat(logback.appender().isStarted()).isFalse();
        assertThat(logback.troubles()).anySatisfy(trouble -> assertThat(trouble).contains("BLOBS", message));
    }

    @Test
    void anEventHasTheContextOfItsThread() {
        configure(WRITER + "<encoder><pattern>%X{request} %msg%n</pattern></encoder>");
        MDC.put("request", "r1");
        try {
            log.info("in it");
        } finally {
            MDC.remove("request");
        }

        assertThat(writer().records()).containsExactly("r1 in it\n");
    }

    @Test
    @DisplayName("an interrupted thread logs, and stays interrupted")
    void interrupted() {
        Thread.currentThread().interrupt();
        try {
            log.info("kept");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertCounts(1, 0, 0);
    }

    @Test
    @DisplayName("an event loop logs without a wait, and what finds no room is counted")
    void eventLoop() throws InterruptedException {
        class EventLoop extends Thread implements NonBlocking {
            EventLoop() {
                super(() -> {
                    log.info("from a loop");
                    log.info("no room");
                });
            }
        }
        writer().room(1);
        EventLoop loop = new EventLoop();
        loop.start();
        loop.join();

        assertThat(writer().records()).containsExactly("INFO Orders from a loop\n");
        assertCounts(1, 1, 0);
    }
}
