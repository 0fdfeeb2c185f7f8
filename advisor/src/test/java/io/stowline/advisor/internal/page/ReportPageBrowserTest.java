package io.stowline.advisor.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.stowline.advisor.AdviceReport;
import io.stowline.testkit.NpmPackages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of a report in a browser. Pictures of it are in {@code target/pictures}. */
@Tag("browser")
@DisplayName("the page of a report in Chromium")
class ReportPageBrowserTest {

    private static final Path PICTURES = Path.of("target", "pictures");
    private static final String UNFOLD = "document.querySelectorAll('details').forEach(row => row.open = true)";

    @TempDir
    private static Path folder;

    private static Chromium browser;
    private static String axe;

    @BeforeAll
    static void starts() throws Exception {
        axe = Files.readString(NpmPackages.of(ReportPageBrowserTest.class, "axe")
                .install()
                .resolve("node_modules/axe-core/axe.min.js"));
        browser = Chromium.start(folder.resolve("profile"));
    }

    @AfterAll
    static void ends() {
        if (browser != null) {
            browser.close();
        }
    }

    private static void open(AdviceReport report) throws Exception {
        browser.open(Files.writeString(folder.resolve("report.html"), report.html()));
        assertThat(browser.console()).as("violations of the policy, and errors").isEmpty();
    }

    /** Returns the pixels beyond the window. */
    private static int overflow() throws Exception {
        return browser.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                .asInt();
    }

    private static List<String> violations() throws Exception {
        browser.evaluate(axe);
        JsonNode found = browser.evaluate("""
            axe.run(document, {resultTypes: ['violations']}).then(result => result.violations.map(
                rule => rule.impact + ' ' + rule.id + ': '
                    + rule.nodes.slice(0, 3).map(node => node.html + ' ' + node.failureSummary).join(' | ')))\
            """);
        List<String> violations = new ArrayList<>();
        found.forEach(violation -> violations.add(violation.asText()));
        return violations;
    }

    @ParameterizedTest
    @CsvSource({"desktop, 1280, false", "desktop, 1280, true", "phone, 390, false", "phone, 390, true"})
    void fitsAndIsAccessible(String device, int width, boolean dark) throws Exception {
        browser.show(width, 844, dark);
        open(SampleReport.of("runners"));
        String name = device + (dark ? "-dark" : "-light");
        browser.picture(PICTURES.resolve(name + ".png"));

        assertThat(overflow()).isZero();

        browser.evaluate(UNFOLD);
        browser.picture(PICTURES.resolve(name + "-unfolded.png"));

        assertThat(overflow()).isZero();
        assertThat(violations()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1280", "390"})
    void hostileNamesBreakNothing(int width) throws Exception {
        browser.show(width, 844, false);
        open(SampleReport.of(SampleReport.HOSTILE));
        browser.evaluate(UNFOLD);
        browser.picture(PICTURES.resolve("hostile-" + width + ".png"));

        assertThat(overflow()).isZero();
        assertThat(violations()).isEmpty();
        assertThat(browser.evaluate("document.scripts.length").asInt()).isZero();
    }

    @Test
    @DisplayName("the policy refuses scripts, styles and requests that get into the page")
    void thePolicyHasNoHole() throws Exception {
        browser.show(1280, 844, false);
        open(SampleReport.of("runners"));

        browser.evaluate("""
            document.body.insertAdjacentHTML('beforeend',
                '<p id="probe" style="position: fixed" onclick="window.hit = 1">x</p>'
                    + '<img src="https://localhost:1/x.png"><style>#probe { color: rgb(1, 2, 3) }</style>');
            const script = document.createElement('script');
            script.textContent = 'window.hit = 1';
            document.body.append(script);
            document.getElementById('probe').click();\
            """);

        assertThat(browser.evaluate("window.hit === undefined").asBoolean()).isTrue();
        assertThat(browser.evaluate("getComputedStyle(document.getElementById('probe')).position")
                        .asText())
                .isEqualTo("static");
        assertThat(browser.evaluate("getComputedStyle(document.getElementById('probe')).color")
                        .asText())
                .isNotEqualTo("rgb(1, 2, 3)");
        assertThat(browser.console()).hasSizeGreaterThanOrEqualTo(4).allSatisfy(line -> assertThat(line)
                .contains("Content Security Policy"));
    }

    @Test
    void folds() throws Exception {
        browser.show(390, 844, false);
        open(SampleReport.of("runners"));
        String height = "document.querySelector('#row-T1 details > p').getBoundingClientRect().height";

        assertThat(browser.evaluate("document.querySelectorAll('details[open]').length")
                        .asInt())
                .isZero();
        assertThat(browser.evaluate("document.querySelector('#row-T1 details > p').checkVisibility()")
                        .asBoolean())
                .isFalse();
        browser.evaluate("document.querySelector('#row-T1 summary').click()");
        assertThat(browser.evaluate(height).asDouble()).isPositive();
    }

    @Test
    @DisplayName("is printed in light colours, with all rows unfolded")
    void printsWell() throws Exception {
        browser.show(800, 1_130, true);
        open(SampleReport.of("runners"));
        browser.media("print", true);

        assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor")
                        .asText())
                .isEqualTo("rgb(255, 255, 255)");
        assertThat(browser.evaluate("document.querySelector('#row-T1 details > p').checkVisibility()")
                        .asBoolean())
                .isTrue();
        browser.print(PICTURES.resolve("print.pdf"));
    }

    @Test
    void aReportWithoutTrafficFits() throws Exception {
        browser.show(390, 844, false);
        open(SampleReport.empty());
        browser.picture(PICTURES.resolve("empty.png"));

        assertThat(overflow()).isZero();
        assertThat(violations()).isEmpty();
    }
}
