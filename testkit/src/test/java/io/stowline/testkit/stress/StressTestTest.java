package io.stowline.testkit.stress;

import static io.stowline.testkit.stress.StressOperation.readAsync;
import static io.stowline.testkit.stress.StressOperation.write;
import static io.stowline.testkit.stress.StressOperation.writeAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.stowline.testkit.stress.StressLimit.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stress tests in virtual time, against services whose limits are known. */
class StressTestTest {

    private final VirtualLoadTime time = new VirtualLoadTime();

    private StressTest.Builder builder() {
        return builder(time);
    }

    private static StressTest.Builder builder(VirtualLoadTime time) {
        return StressTest.builder().time(time, Runnable::run);
    }

    private static StressTest.Builder mix(VirtualLoadTime time, VirtualLoadTime.Service service) {
        return builder(time)
                .maxInFlight(2_000)
                .stepLength(Duration.ofSeconds(4))
                .operation(readAsync("find", call -> service.call(call, 1)).weight(6))
                .operation(readAsync("query", call -> service.call(call, 5)).entities(5))
                .operation(writeAsync("insert", call -> service.call(call, 1)).weight(3));
    }

    @Property(tries = 15)
    @Label("T19: the ramp finds the limit of a partition within the error that it states")
    void findsTheLimit(@ForAll @IntRange(min = 300, max = 2_800) int limit, @ForAll @IntRange(max = 100) int latency)
            throws InterruptedException {
        VirtualLoadTime time = new VirtualLoadTime();
        StressReport report =
                mix(time, time.new Service(limit, 100_000, latency)).build().run();

        StressLimit found = report.partitionLimit();
        assertThat(found.cause()).as(() -> String.join("\n", report.table())).isEqualTo(Cause.SERVICE);
        assertThat(found.error()).isBetween(0.0, 0.1);
        assertThat(found.rate())
                .as(() -> String.join("\n", report.table()))
                .isCloseTo(limit, within((found.error() + 0.01) * found.rate()));
        if (Math.abs(limit - 2_000) > 250) {
            assertThat(report.meetsTarget()).isEqualTo(limit > 2_000);
        }
    }

    @Test
    @DisplayName("T19: the load spreads over more partitions until the account refuses")
    void findsTheLimitOfTheAccount() throws InterruptedException {
        StressReport report = mix(time, time.new Service(500, 1_600, 10))
                .targets(500, 1_600)
                .partitions(8)
                .build()
                .run();

        assertThat(report.ramps()).containsOnlyKeys(1, 2, 4, 8);
        assertThat(report.limit(2).rate()).isCloseTo(1_000, within(110.0));
        assertThat(report.accountLimit()).hasValueSatisfying(step -> {
            assertThat(step.partitions()).isBetween(4, 8);
            assertThat(step.accepted()).isCloseTo(1_600, within(160.0));
        });
        assertThat(report.verdict()).hasSize(3).last().asString().startsWith("The account's limit showed with");
    }

    @Test
    @DisplayName("T19: rates of GET and PUT, and latencies, are measured apart")
    void measuresKindsApart() throws InterruptedException {
        StressStep step = mix(time, time.new Service(2_000, 20_000, 20)).build().measure(1, 1_000);

        // Of 10 calls with 14 entities, 6 are finds, 1 is a query of 5 and 3 are inserts.
        assertThat(step.accepted()).isCloseTo(1_000, within(30.0));
        assertThat(step.puts()).isCloseTo(1_000 * 3 / 14.0, within(30.0));
        assertThat(step.gets()).isCloseTo(1_000 * 11 / 14.0, within(30.0));
        assertThat(step.p50()).isCloseTo(20, within(0.5));
        assertThat(step.operations())
                .extracting(StressStep.OperationRate::name)
                .containsExactly("find", "query", "insert");
        assertThat(step.operations().get(1).entities())
                .isCloseTo(5 * step.operations().get(1).calls(), within(0.1));
        assertThat(step.operations())
                .allSatisfy(operation -> assertThat(operation.p99()).isCloseTo(20, within(0.5)));
    }

    @Test
    @DisplayName("T19: entities that a call reports count, and a wrong estimate is not taken for a slow client")
    void takesTheReportedEntities() throws InterruptedException {
        VirtualLoadTime.Service service = time.new Service(600, 100_000, 10);
        StressReport report = builder()
                .maxInFlight(2_000)
                .operation(readAsync("query", call -> {
                            call.entities(2);
                            return service.call(call, 2);
                        })
                        .entities(5))
                .build()
                .run();

        assertThat(report.partitionLimit().cause()).isEqualTo(Cause.SERVICE);
        assertThat(report.partitionLimit().rate()).isCloseTo(600, within(60.0));
    }

    @Test
    @DisplayName("T19: a load that the client cannot send is not blamed on the service")
    void recognizesTheClient() throws InterruptedException {
        VirtualLoadTime.Service service = time.new Service(100_000, 100_000, 20);
        VirtualLoadTime.Connections connections = time.new Connections(8); // 400 requests in a second
        StressReport report = builder()
                .maxInFlight(64)
                .partitions(2)
                .operation(writeAsync("insert", call -> connections.call(() -> service.call(call, 1))))
                .build()
                .run();

        assertThat(report.partitionLimit().cause()).isEqualTo(Cause.CLIENT);
        assertThat(report.partitionLimit().rate()).isCloseTo(400, within(20.0));
        assertThat(report.meetsTarget()).isFalse();
        assertThat(report.verdict())
                .first()
                .asString()
                .startsWith("The client was the limit at 400 entities/s, not the service, which refused nothing")
                .contains("in flight");
    }

    @Test
    @DisplayName("T19: a machine that is behind is the client's limit too")
    void recognizesAMachineThatIsBehind() throws InterruptedException {
        StressReport report = builder()
                .operation(write("insert", call -> time.pass(2_000_000))) // on the thread of the test: 500 in a second
                .build()
                .run();

        assertThat(report.partitionLimit().cause()).isEqualTo(Cause.CLIENT);
        assertThat(report.partitionLimit().rate()).isCloseTo(500, within(50.0));
        assertThat(report.verdict()).first().asString().contains("its machine was behind");
    }

    @Test
    @DisplayName("T19: a partition that becomes slow is not taken for the client")
    void recognizesSlowPartitions() throws InterruptedException {
        VirtualLoadTime.Service service = time.new Service(100_000, 100_000, 20);
        java.util.Map<String, VirtualLoadTime.Connections> servers = new java.util.HashMap<>();
        StressReport report = builder()
                .maxInFlight(64)
                .partitions(4)
                .operation(writeAsync(
                        "insert", call -> servers.computeIfAbsent(call.partition(), key -> time.new Connections(8))
                                .call(() -> service.call(call, 1))))
                .build()
                .run();

        assertThat(report.partitionLimit().cause()).isEqualTo(Cause.LATENCY);
        assertThat(report.verdict()).first().asString().contains("became slow instead of refusing");
    }

    @Test
    @DisplayName("T19: timeouts are a limit of the service, and so are calls that never end")
    void countsTimeouts() throws InterruptedException {
        AtomicInteger inSecond = new AtomicInteger();
        VirtualLoadTime.Service service = time.new Service(800, 100_000, 10);
        StressReport report = builder()
                .maxInFlight(2_000)
                .operation(writeAsync("insert", call -> service.call(call, 1)
                        .exceptionallyCompose(error -> inSecond.incrementAndGet() % 2 == 0
                                ? new CompletableFuture<>()
                                : CompletableFuture.failedFuture(new TimeoutException("after 30 s")))))
                .build()
                .run();

        assertThat(report.partitionLimit().cause()).isEqualTo(Cause.SERVICE);
        assertThat(report.partitionLimit().rate()).isCloseTo(800, within(100.0));
        assertThat(report.steps()).anyMatch(step -> step.timedOut() > 0 && step.throttled() == 0);
    }

    @Test
    @DisplayName("T19: refusals that a client retries are reported by the lambda")
    void countsReportsOfTheLambda() throws InterruptedException {
        VirtualLoadTime.Service service = time.new Service(600, 100_000, 10);
        StressReport report = builder()
                .maxInFlight(2_000)
                .operation(writeAsync("insert", call -> service.call(call, 1).exceptionally(error -> {
                    call.throttled();
                    return null;
                })))
                .build()
                .run();

        assertThat(report.partitionLimit().cause()).isEqualTo(Cause.SERVICE);
        assertThat(report.partitionLimit().rate()).isCloseTo(600, within(70.0));
        assertThat(report.failures()).isZero();
    }

    @Test
    @DisplayName("T19: other failures end the ramp, and are named without their message")
    void endsWithFailures() throws InterruptedException {
        StressReport report = builder()
                .partitions(4)
                .operation(write("insert", call -> {
                    throw new UnsupportedOperationException("https://acct/t?sig=secret");
                }))
                .build()
                .run();

        assertThat(report.partitionLimit().cause()).isEqualTo(Cause.FAILURES);
        assertThat(report.ramps()).containsOnlyKeys(1);
        assertThat(report.steps()).hasSize(1);
        assertThat(report.firstFailure()).isInstanceOf(UnsupportedOperationException.class);
        assertThat(report.verdict())
                .first()
                .asString()
                .contains("failed for other reasons", "UnsupportedOperationException")
                .doesNotContain("secret");
    }

    @Test
    void aLoadWithoutALimitEndsAboveTheTarget() throws InterruptedException {
        StressReport report =
                mix(time, time.new Service(100_000, 100_000, 5)).build().run();

        assertThat(report.partitionLimit().cause()).isEqualTo(Cause.NOT_REACHED);
        assertThat(report.partitionLimit().rate()).isCloseTo(3_000, within(100.0));
        assertThat(report.meetsTarget()).isTrue();
        assertThat(report.verdict().get(0)).contains("without throttling", "by the highest rate of the test");
    }

    @Test
    void stopsOnConditionAndAfterItsTime() throws InterruptedException {
        VirtualLoadTime.Service service = time.new Service(100_000, 100_000, 5);
        List<StressStep> seen = new ArrayList<>();
        StressReport stopped = mix(time, service)
                .partitions(4)
                .onStep(seen::add)
                .stopWhen(() -> seen.size() == 2)
                .build()
                .run();
        assertThat(stopped.steps()).hasSize(2).isEqualTo(seen);
        assertThat(stopped.partitionLimit().cause()).isEqualTo(Cause.STOPPED);
        assertThat(stopped.verdict().get(0)).startsWith("The test was stopped");

        StressReport over =
                mix(time, service).duration(Duration.ofSeconds(10)).build().run();
        assertThat(over.steps()).hasSize(3);
    }

    @Test
    @DisplayName("T19: the preload writes each row once, and repeats what is refused")
    void preloads() throws InterruptedException {
        VirtualLoadTime.Service service = time.new Service(200, 100_000, 5);
        List<String> written = new ArrayList<>();
        List<Long> read = new ArrayList<>();
        StressReport report = builder()
                .partitions(2)
                .partitionKeys(number -> "p" + number)
                .preload(500, writeAsync("fill", call -> service.call(call, 1)
                        .thenRun(() -> written.add(call.partition() + "/" + call.number()))))
                .targets(200, 400)
                .operation(readAsync("find", call -> {
                    read.add(call.preloaded());
                    return service.call(call, 1);
                }))
                .build()
                .run();

        assertThat(written).hasSize(1_000).doesNotHaveDuplicates().contains("p0/0", "p1/499");
        assertThat(read).allMatch(row -> row >= 0 && row < 500).hasSizeGreaterThan(100);
        assertThat(read.stream().distinct().count()).isGreaterThan(100);
        assertThat(report.partitionLimit().rate()).isCloseTo(200, within(25.0));
    }

    @Test
    void aFailureOfThePreloadEndsTheTest() {
        assertThatIllegalStateException()
                .isThrownBy(() -> builder()
                        .preload(5, write("fill", call -> {
                            throw new IllegalArgumentException("no table");
                        }))
                        .operation(write("insert", call -> {}))
                        .build()
                        .run())
                .withMessage("the preload failed after 0 of 5 rows")
                .withCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("one seed draws one order of operations, numbers and keys")
    void repeatsBySeed() throws InterruptedException {
        assertThat(drawn(7)).isEqualTo(drawn(7)).isNotEqualTo(drawn(8));
    }

    private static List<String> drawn(long seed) throws InterruptedException {
        VirtualLoadTime time = new VirtualLoadTime();
        List<String> drawn = new ArrayList<>();
        builder(time)
                .seed(seed)
                .operation(write(
                        "a",
                        call -> drawn.add("a" + call.number() + call.random().nextInt(100))))
                .operation(write(
                                "b",
                                call -> drawn.add(
                                        "b" + call.number() + call.random().nextInt(100)))
                        .weight(2))
                .build()
                .measure(4, 20);
        return drawn;
    }

    @Test
    @DisplayName("T19: blocking calls run on threads of the test")
    void runsBlockingCalls() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        StressStep step = StressTest.builder()
                .stepLength(Duration.ofMillis(100))
                .operation(write("insert", call -> {
                    assertThat(Thread.currentThread().getName()).isEqualTo("stress-test");
                    calls.incrementAndGet();
                }))
                .build()
                .measure(2, 500);

        assertThat(step.hasFailed()).isFalse();
        assertThat(calls.get()).isBetween(10, 51);
    }

    @Test
    @DisplayName("T19: an interrupt ends the test, and its calls that block")
    void endsByAnInterrupt() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        StressTest test = StressTest.builder()
                .operation(write("insert", call -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                }))
                .build();
        FutureTask<StressReport> run = new FutureTask<>(test::run);
        Thread thread = new Thread(run);
        thread.start();
        begun.await();

        thread.interrupt();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> run.get(30, TimeUnit.SECONDS))
                .withCauseInstanceOf(InterruptedException.class);
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void drawsTablesAndCharts() throws InterruptedException {
        StressReport report =
                mix(time, time.new Service(1_000, 100_000, 10)).build().run();

        assertThat(report.table())
                .hasSize(report.steps().size() + 1 + 4)
                .first()
                .asString()
                .contains("GET/s    PUT/s");
        assertThat(report.table().stream()
                        .map(String::length)
                        .limit(report.steps().size() + 1L)
                        .collect(Collectors.toSet()))
                .as("columns stand below their heads")
                .hasSize(1);
        assertThat(report.chart())
                .hasSize(report.steps().size() + 1)
                .anyMatch(line -> line.contains("#==") && line.endsWith("x"));
        assertThat(report.svg()).startsWith("<svg ").endsWith("</svg>\n");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 1, 'the partitions 0 of a stress test: it is 1 to 1,024'",
        "1, 0, 1, 'the partition 0.0'",
        "1, 1, 0, 'the number 0'",
    })
    void refusesWrongSettings(int partitions, double target, int inFlight, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StressTest.builder()
                        .partitions(partitions)
                        .targets(target, 1)
                        .maxInFlight(inFlight))
                .withMessageContaining(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StressTest.builder().build())
                .withMessageContaining("at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder()
                        .operation(write("a", call -> {}))
                        .operation(write("a", call -> {}))
                        .build())
                .withMessageContaining("one for each name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> write("a", call -> {}).weight(0))
                .withMessageContaining("the weight 0 of a");
        assertThatIllegalStateException()
                .isThrownBy(() -> new StressCall("p", 1, 0, 1, 1).preloaded())
                .withMessageContaining("no preload");
    }
}
