package io.stowline.examples.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.stowline.examples.probe.LinkLimit.Cause;
import io.stowline.examples.probe.ProbedLink.Direction;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkLimitTest {

    private static final double MEGA = 1e6;
    private static final int BYTES = 1 << 20;

    private final SimulatedLink link = new SimulatedLink();

    private List<ThroughputStep> steps(int... connections) {
        ThroughputRun run = new ThroughputRun(link, BYTES, Duration.ofSeconds(3), 1, link, link::read);
        return Stream.of(connections)
                .flatMapToInt(Arrays::stream)
                .mapToObj(number -> link.await(run.start(Direction.DOWNLOAD, number)))
                .toList();
    }

    static List<Arguments> limits() {
        return List.of(
                limit("latency", Cause.LATENCY, "latency limits. From 8 to 16 connections the rate rose", link -> {}),
                limit("a narrow line", Cause.BANDWIDTH, "With 4 connections it is ", link -> link.line = 150 * MEGA),
                limit("a line that one connection fills", Cause.BANDWIDTH, "With 1 connection it is", link -> {
                    link.line = 2 * MEGA;
                }),
                limit("windows of TCP on a far way", Cause.LATENCY, "latency limits", link -> {
                    link.trip = Duration.ofMillis(150);
                    link.connection = 5 * MEGA;
                }),
                limit("refusals", Cause.THROTTLING, "the service limits. It refused", link -> link.taken = 100),
                limit("broken connections", Cause.LINK_ERRORS, "% broke or timed out", link -> link.broken = 40),
                limit("a slow client", Cause.CLIENT_CPU, "kept them busy for", link -> link.processor = 60 * MEGA),
                limit("collections", Cause.GARBAGE_COLLECTION, "It took 20 % of the time", link -> {
                    link.collections = 0.2;
                    link.processor = 60 * MEGA;
                }),
                limit("other processes", Cause.MACHINE_CPU, "An emulator on the same machine", link -> {
                    link.machine = 0.97;
                    link.line = 50 * MEGA;
                }),
                limit(
                        "other processes, but rates that double",
                        Cause.LATENCY,
                        "latency limits",
                        link -> link.machine = 1),
                limit("a few lost connections are none", Cause.LATENCY, "latency limits", link -> link.broken = 900));
    }

    private static Arguments limit(String name, Cause cause, String sentence, Consumer<SimulatedLink> change) {
        return Arguments.of(name, cause, sentence, change);
    }

    @ParameterizedTest(name = "A3, A4, A5, A12: {0}")
    @MethodSource("limits")
    void isJudged(String name, Cause cause, String sentence, Consumer<SimulatedLink> change) {
        change.accept(link);

        List<ThroughputStep> steps = steps(1, 2, 4, 8, 16);

        LinkLimit limit = LinkLimit.of(steps);
        assertThat(limit.cause()).as(() -> limit + "\n" + steps).isEqualTo(cause);
        assertThat(limit.sentence()).startsWith("Download, ").contains(sentence);
    }

    @Test
    @DisplayName("A3: the rate of a narrow line is its bandwidth, also where calls take longer than a step")
    void measuresBandwidth() {
        link.line = 2 * MEGA;

        assertThat(steps(1, 8, 64)).allSatisfy(step -> assertThat(step.rate()).isCloseTo(2 * MEGA, within(0.1 * MEGA)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16})
    @DisplayName("A5: the rate of a far account is that of the calls that the round trip allows")
    void measuresLatency(int connections) {
        link.trip = Duration.ofMillis(80);

        ThroughputStep step = steps(connections).get(0);

        assertThat(step.rate()).isCloseTo(connections * BYTES / 0.08, within(0.02 * connections * BYTES / 0.08));
        assertThat(step.median()).isBetween(Duration.ofMillis(80), Duration.ofMillis(81));
    }

    @Test
    void oneStepShowsNoLimit() {
        assertThat(LinkLimit.of(steps(4)).cause()).isEqualTo(Cause.UNCLEAR);
    }

    @Test
    void aRateThatRisesLittleIsUnclear() {
        link.line = 240 * MEGA;

        LinkLimit limit = LinkLimit.of(steps(1, 4, 8));

        assertThat(limit.cause()).as(limit::toString).isEqualTo(Cause.UNCLEAR);
        assertThat(limit.sentence()).contains("Measure with more connections");
    }

    @Test
    void failuresAreNotJudged() {
        link.failing = true;

        List<ThroughputStep> steps = steps(1, 2);
        link.failing = false;

        assertThat(LinkLimit.of(steps).cause()).isEqualTo(Cause.FAILURES);
        assertThat(LinkLimit.of(List.of(steps.get(0), steps(2).get(0))).sentence())
                .contains("at 2 connections: in one step no call succeeded");
        assertThat(steps.get(1).failures()).as("each connection stops").isEqualTo(2);
    }

    @Test
    @DisplayName("the content of a call is the largest of which one connection makes some in a step")
    void calibrates() throws InterruptedException {
        link.line = 2 * MEGA;
        Duration length = Duration.ofSeconds(3);
        assertThat(ThroughputRun.calibrated(link, length, 1, link, link::read).bytes())
                .isEqualTo(256 << 10);

        link.line = 1e12;
        assertThat(ThroughputRun.calibrated(link, length, 1, link, link::read).bytes())
                .isEqualTo(StorageLink.MAX_BYTES);

        link.line = 1_000;
        assertThat(ThroughputRun.calibrated(link, length, 1, link, link::read).bytes())
                .isEqualTo(64 << 10);
    }
}
