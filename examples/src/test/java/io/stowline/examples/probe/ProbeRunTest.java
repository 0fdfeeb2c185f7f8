package io.stowline.examples.probe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.examples.probe.LinkLimit.Cause;
import io.stowline.examples.shared.JobFailedException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProbeRunTest {

    private final SimulatedLink link = new SimulatedLink();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private ProbeFindings run(int connections, BooleanSupplier stopped) throws Exception {
        ProbeOptions options = new ProbeOptions(connections, 3, 5, null);
        return new ProbeRun(link, options, link::read, link, stopped, new PrintStream(out, true, UTF_8)).run();
    }

    @Test
    @DisplayName("A3, A5: a far account on a narrow line, with its figures")
    void findings() throws Exception {
        link.trip = Duration.ofMillis(60);
        link.line = 12.5e6;

        ProbeFindings findings = run(8, () -> false);

        assertThat(findings.limits()).extracting(LinkLimit::cause).containsExactly(Cause.BANDWIDTH, Cause.BANDWIDTH);
        assertThat(findings.table())
                .contains(
                        "                    p50 ms   p99 ms",
                        "TCP connection        60.0     60.0",
                        "HEAD of a blob        63.0     63.0",
                        "PUT of a byte         60.0     60.0",
                        ThroughputStep.HEAD)
                .hasSize(7 + 8);
        assertThat(findings.verdict())
                .anyMatch(line -> line.startsWith("Upload, 11.9 MiB/s (100 Mbit/s) at "))
                .contains(
                        "Place: the account is far from this machine. A round trip takes 60.0 ms, and a HEAD 3.0 ms more for"
                                + " the service and this client.",
                        "Small calls: one thread makes up to 16 calls/s, as each waits for 63.0 ms; for 1,000 calls/s 63 are"
                                + " in flight.")
                .anyMatch(line -> line.startsWith("What this cannot show: "));
    }

    @Test
    @DisplayName("A5: a slow service is no far one")
    void slowService() throws Exception {
        link.service = Duration.ofMillis(300);

        assertThat(run(1, () -> false).verdict().get(0)).endsWith("a nearer account would not help.");
    }

    @Test
    void columnsStandBelowTheirNames() throws Exception {
        link.machine = -1;
        String line = run(1, () -> false).steps().get(0).line();

        assertThat(line)
                .hasSameSizeAs(ThroughputStep.HEAD)
                .startsWith("upload ")
                .endsWith("?     0");
    }

    @Test
    @DisplayName("connections are the powers of two below the most, and the most")
    void connections() throws Exception {
        assertThat(run(6, () -> false).steps())
                .extracting(ThroughputStep::connections)
                .containsExactly(1, 2, 4, 6, 1, 2, 4, 6);
    }

    @Test
    void behindAProxyThereIsNoRoundTripOfTcp() throws Exception {
        link.direct = false;

        ProbeFindings findings = run(1, () -> false);

        assertThat(out.toString(UTF_8)).contains("No direct TCP connection to the endpoint: refused");
        assertThat(findings.connects()).isNull();
        assertThat(findings.verdict().get(0)).startsWith("Place: no direct TCP connection could be opened");
    }

    @Test
    void stopsBeforeTheNextStep() {
        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(() -> run(4, () -> true))
                .withMessageContaining("the container is removed");
    }

    @Test
    @DisplayName("A12: cycles of collectors beside the program are no pauses")
    void pauses() {
        assertThat(List.of("G1 Young Generation", "ZGC Pauses", "ZGC Major Pauses", "PS MarkSweep"))
                .allMatch(ClientMeter::stopsThreads);
        assertThat(List.of("ZGC Cycles", "ZGC Minor Cycles", "Shenandoah Cycles"))
                .noneMatch(ClientMeter::stopsThreads);
    }

    @Test
    void percentiles() {
        assertThat(RoundTrips.of(3, 1, 2).median()).isEqualTo(Duration.ofNanos(2));
        assertThat(RoundTrips.of(3, 1, 2, 4).median()).isEqualTo(Duration.ofNanos(2));
        assertThat(RoundTrips.of(5).percentile(99)).isEqualTo(Duration.ofNanos(5));
        assertThat(RoundTrips.of().median()).isZero();
    }
}
