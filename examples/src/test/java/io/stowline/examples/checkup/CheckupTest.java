package io.stowline.examples.checkup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.advisor.Practice;
import io.stowline.advisor.Severity;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@AzuriteTest
@Timeout(300)
class CheckupTest {

    private static final List<Practice> WARNINGS =
            List.of(Practice.A2, Practice.T1, Practice.T5, Practice.T6, Practice.Q6, Practice.Q7);

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    @DisplayName("the careless program breaks exactly these practices, its twin none")
    void findings(Azurite azurite) throws InterruptedException {
        CheckupFindings findings = new Checkup(folder, new PrintStream(out, true, UTF_8))
                .compare(azurite, ScratchTable.name("").substring(0, 8));

        EnumSet<Practice> advised = EnumSet.of(
                Practice.A8, Practice.A9, Practice.A10, Practice.A13, Practice.A14, Practice.A15, Practice.A16);
        advised.addAll(EnumSet.of(Practice.B1, Practice.B2, Practice.B3, Practice.B7, Practice.B10));
        advised.addAll(EnumSet.of(
                Practice.T7,
                Practice.T8,
                Practice.T10,
                Practice.T11,
                Practice.T12,
                Practice.T13,
                Practice.T17,
                Practice.T20,
                Practice.T21));
        advised.addAll(EnumSet.of(Practice.Q3, Practice.Q4, Practice.Q5));
        EnumSet<Practice> all = EnumSet.copyOf(advised);
        all.addAll(WARNINGS);
        assertThat(CheckupFindings.broken(findings.careless()))
                .as("%s", findings.careless().rows())
                .containsExactlyElementsOf(all);
        assertThat(findings.careless().findings())
                .filteredOn(finding -> finding.severity() == Severity.WARNING)
                .extracting(finding -> finding.practice())
                .containsExactlyInAnyOrderElementsOf(WARNINGS);
        assertThat(findings.careful().findings()).isEmpty();
        assertThat(findings.unexpected()).isEmpty();
        assertThat(String.join("\n", findings.lines()))
                .contains("30 of 30 broken practices are mended")
                .containsPattern("T5 +no append-only .*warning +ok");
    }

    @Test
    void showsItsOptionsAndRefusesAFile() throws Exception {
        PrintStream to = new PrintStream(out, true, UTF_8);
        assertThat(Checkup.PROGRAM.run(List.of("--help"), Map.of(), to, to)).isZero();
        assertThat(out.toString(UTF_8)).isEqualTo(Checkup.HELP);
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(Checkup.PROGRAM.run(List.of("--out", file.toString()), Map.of(), to, to))
                .isEqualTo(2);
        assertThat(Checkup.PROGRAM.run(List.of("--in", "x"), Map.of(), to, to)).isEqualTo(2);
    }
}
