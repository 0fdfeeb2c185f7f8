package io.stowline.benchmarks.side;

import static io.stowline.benchmarks.side.OutcomesOfTests.outcome;
import static io.stowline.benchmarks.side.OutcomesOfTests.rates;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.benchmarks.side.report.RoundsFile;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.report.WorkloadRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SideReportTest {

    private static final List<WorkloadRun> RUNS =
            OutcomesOfTests.several().stream().map(OutcomesOfTests::run).toList();

    @Test
    void hasConditionsAndAllTables() {
        String text = report("--rounds", "3").text();

        assertThat(text)
                .startsWith("Stub server in a separate process")
                .contains("3 rounds of 2.5 s in alternation after at least 8 to warm up")
                .containsOnlyOnce("Java 17 on 1 core, heap 989 MB, Copy, MarkSweepCompact")
                .contains(
                        "\n\n| workload | | peer ",
                        "\n\n| workload | | bare Netty ",
                        "\n\n| workload | warm-up rounds ")
                .doesNotContain("bytes on the wire");
    }

    @Test
    void saysThatItIsQuick() {
        assertThat(report("--quick").text()).contains("; QUICK: files of 20 MiB, 40 small blobs and streams of 20 MiB");
        assertThat(report().text()).doesNotContain("QUICK");
    }

    @Test
    void holdsTheGatesOfAllWorkloadsTogether() {
        assertThat(report("--gate").gatesHold()).isFalse();
        WorkloadRun met = OutcomesOfTests.run(outcome(Scenario.INGEST, rates(60), rates(10)));
        assertThat(new SideReport(SideOptions.of("--gate"), List.of(met)).gatesHold())
                .isTrue();
    }

    @Test
    void holdsNoGatesUnlessTheyCount() {
        assertThat(report().gatesHold()).isTrue();
        assertThat(report("--gate", "--azurite").gatesHold()).isTrue();
        assertThat(report("--azurite").text()).startsWith("Azurite").doesNotContain("✗");
    }

    @Test
    void writesItsFiles(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("out");
        SideReport report = report("--json", "--out", out.toString());
        report.save();

        assertThat(out.resolve("side.md")).hasContent(report.text());
        assertThat(out.resolve("side.json")).content().satisfies(text -> assertThat(RoundsFile.read(text))
                .isEqualTo(RUNS));
        assertThat(out).isDirectoryContaining("glob:**throughput.svg").isDirectoryContaining("glob:**cpu.svg");
    }

    @Test
    void drawsNoChartsOfTheEmulator(@TempDir Path folder) throws Exception {
        report("--azurite", "--out", folder.toString()).save();

        assertThat(folder).isDirectoryContaining("glob:**azurite.md").isDirectoryNotContaining("glob:**.svg");
    }

    private static SideReport report(String... args) {
        return new SideReport(SideOptions.of(args), RUNS);
    }
}
