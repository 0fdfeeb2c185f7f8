package io.stowline.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.benchmarks.scale.ScaleScenario.RunSize;
import io.stowline.benchmarks.scale.model.ComparedPolicy;
import io.stowline.benchmarks.scale.model.ServiceCapacity;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/**
 * The published figures and pictures of the simulator. The full run takes minutes: here a small one has a pinned digest, and the published
 * files are drawn from the published results once more.
 */
class ScaleReportTest {

    /** Changes with the model and with the retry engine, quota, gates and rates of the library: then repeat the full run, too. */
    private static final String SMALL_RUN = "fdd4f07a503ce2e634f028e260393c08b0b1d89d66ac88ea4460cf5306695fb2";

    private static final Path ROOT = root();

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/README.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private static ScaleResults published() throws IOException {
        return ScaleResults.read(ROOT.resolve("benchmarks/scale"));
    }

    @Test
    void aSmallRunGivesTheSameFiguresAsEver(@TempDir Path folder) throws Exception {
        ScaleResults small = ScaleReport.results(RunSize.SMALL);
        byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(small.digestible().getBytes(StandardCharsets.UTF_8));

        small.write(folder);
        assertThat(ScaleResults.read(folder).digestible()).isEqualTo(small.digestible());
        assertThat(HexFormat.of().formatHex(digest)).isEqualTo(SMALL_RUN);
    }

    @Test
    void thePublishedPageHasThePublishedResults() throws IOException {
        assertThat(Files.readString(ROOT.resolve("benchmarks/SCALE.md"))).isEqualTo(ScaleTables.page(published()));
    }

    @Test
    void theGuideHasThePublishedResults() throws IOException {
        assertThat(Files.readString(ROOT.resolve("docs/scale.md"))
                        + Files.readString(ROOT.resolve("docs/retry-storms.md")))
                .contains(
                        ScaleTables.storms(published()),
                        ScaleTables.clients(published()),
                        ScaleTables.growth(published()));
    }

    @ParameterizedTest
    @EnumSource(names = {"FAILING_OUTAGE", "SILENT_OUTAGE"})
    void thePublishedPictureShowsThePublishedResults(ScaleScenario scenario) throws Exception {
        String picture = Files.readString(ROOT.resolve(ScaleReport.picture(scenario)));

        assertThat(picture).isEqualTo(StormChart.of(scenario, published()));
        assertThat(picture).contains("prefers-color-scheme: dark", "requests/s", "time in minutes");
        Document parsed = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(picture)));
        assertThat(parsed.getElementsByTagName("script").getLength()).isZero();
        for (String kind : List.of("sent", "storm", "done", "target", "out")) {
            assertThat(picture).contains("class=\"" + kind + "\"");
        }
    }

    @Test
    void newAccountsTakeTheirShareAlone() {
        List<GrowthStep> steps = GrowthStep.of(ServiceCapacity.standard(), 1, 4, 5);

        assertThat(steps.get(0).movedShare()).isZero();
        assertThat(steps.get(1).movedShare()).isBetween(0.7, 0.8);
        assertThat(steps.get(2).movedShare()).isBetween(0.15, 0.25);
        assertThat(steps).allSatisfy(step -> assertThat(step.fullest()).isGreaterThanOrEqualTo(0.59));
    }

    @Test
    void eachScenarioHasPolicies() {
        for (ScaleScenario scenario : ScaleScenario.values()) {
            assertThat(scenario.policies()).as(scenario.title()).contains(ComparedPolicy.STOWLINE);
        }
    }

    @Test
    void anUnknownCommandIsRefused() {
        assertThatThrownBy(() -> ScaleReport.main(new String[] {"paint", "."}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("usage: ScaleReport run|draw FOLDER, but was [paint, .]");
    }
}
