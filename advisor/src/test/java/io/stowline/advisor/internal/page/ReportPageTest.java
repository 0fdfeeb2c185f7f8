package io.stowline.advisor.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Practice;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The page of a report, read by a strict parser. */
class ReportPageTest {

    private static final List<String> STRUCTURE = page("runners").structure();

    private static PageDocument page(String name) {
        return new PageDocument(SampleReport.of(name).html());
    }

    @Property(tries = 150)
    @Label("no name changes the structure of the page, or reaches it with a character that is not printed")
    void namesStayTexts(@ForAll String name) {
        String html = SampleReport.of(name).html();

        assertThat(new PageDocument(html).structure()).isEqualTo(STRUCTURE);
        assertThat(html.replaceFirst("\n", "").substring(html.indexOf("</head>")))
                .as("characters that change the direction of a text, or are not printed")
                .doesNotMatch("(?s).*[\\p{Cntrl}\\p{Cf}\\p{Cs}\\u2028\\u2029].*");
    }

    @Test
    void hostileNamesAreEscapedAndIsolated() {
        String html = SampleReport.of(SampleReport.HOSTILE).html();

        assertThat(html)
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp;\\u202Eabc"
                        + " <bdi>\u05d0\u05d1\u05d2</bdi> ")
                .contains("\\u0000\\u000A\\uD800\\u{E0001}")
                .doesNotContain("<script");
        assertThat(new PageDocument(html).structure()).isEqualTo(STRUCTURE);
    }

    @Test
    void showsEachPracticeOnceWithItsStateAsText() {
        PageDocument page = page("runners");

        for (Practice practice : Practice.values()) {
            String row = page.byId("row-" + practice).getTextContent();
            assertThat(row).contains(practice.name(), practice.title());
            assertThat(row)
                    .containsAnyOf("obeyed", "error", "warning", "advice", "suppressed", "not seen", "cannot be");
        }
        assertThat(page.elements("li").stream()
                        .filter(row -> row.getAttribute("id").startsWith("row-")))
                .hasSize(54);
        assertThat(page.elements("a").stream()
                        .filter(chip -> chip.getAttribute("class").startsWith("chip")))
                .hasSize(54);
        assertThat(page.elements("span").stream()
                        .filter(label -> label.getAttribute("class").equals("seen"))
                        .map(label -> label.getParentNode().getTextContent()))
                .as("severities beside their boxes")
                .containsExactly("☒ T5 warning", "☒ T6 warning", "☒ T7 error", "☒ Q5 advice");
        assertThat(page.text())
                .contains("☑ obeyed 37")
                .contains("☒ error 1", "☒ warning 2", "☒ advice 1", "☐ suppressed 1", "☐ not seen 3")
                .contains("4 practices to change");
    }

    @Test
    void cardsHaveEvidenceMendAndLimits() {
        PageDocument page = page("runners");

        assertThat(page.elements("article"))
                .extracting(card -> card.getAttribute("id"))
                .containsExactly("T7", "T5", "T6", "Q5", "A5");
        assertThat(page.byId("T5").getTextContent())
                .startsWith("warning T5: no append-only or prepend-only partition keys")
                .contains("91.2 % of the writes of the table runners")
                .contains("91.2 %", "80 %", "48,210", "1,480 writes/s", "500 writes/s")
                .contains("partition #0123456789abcdef", "Prefix the key", "KeyFormat.hashed(100)")
                .contains("Since 2026-11-29 00:24:03 UTC, window 5 min. Keys of one bucket still rise.");
        assertThat(page.byId("T7").getElementsByTagName("pre").getLength()).isZero();
        assertThat(page.byId("A5").getTextContent())
                .startsWith("suppressed A5")
                .contains("Suppressed until 2027-03-01 (advice): we are abroad runners");
    }

    @Test
    void longObjectsAreShortened() {
        PageDocument page = page("\uD83D\uDE00".repeat(1_024));

        assertThat(page.byId("T5").getElementsByTagName("li").item(2).getTextContent())
                .isEqualTo("\uD83D\uDE00".repeat(160) + "…");
    }

    @Test
    void linksLeadToIdsOrToTheDocumentation() {
        PageDocument page = page("runners");

        assertThat(page.values("id")).doesNotHaveDuplicates();
        assertThat(page.values("href")).hasSizeGreaterThan(108).allSatisfy(link -> {
            if (link.startsWith("#")) {
                assertThat(page.values("id")).contains(link.substring(1));
            } else {
                assertThat(link).startsWith("https://github.com/stowline/stowline/blob/main/docs/");
            }
        });
    }

    @Test
    @DisplayName("loads nothing, has no script, and its policy allows its one style sheet by the digest")
    void isSelfContained() throws Exception {
        PageDocument page = page(SampleReport.HOSTILE);
        Element sheet = page.elements("style").get(0);
        String digest = Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-256")
                        .digest(sheet.getTextContent().getBytes(StandardCharsets.UTF_8)));

        assertThat(page.values("content"))
                .contains("default-src 'none'; style-src 'sha256-" + digest + "'; base-uri 'none'; form-action 'none'");
        assertThat(page.elements("style")).hasSize(1);
        assertThat(sheet.getTextContent()).doesNotContain("@import", "url(", "<", "&");
        for (String element :
                List.of("script", "link", "img", "iframe", "object", "embed", "form", "base", "use", "image")) {
            assertThat(page.elements(element)).as(element).isEmpty();
        }
        assertThat(STRUCTURE).noneMatch(shape -> shape.matches(".* (style|src|srcset|on\\w+|xlink:href)\\b.*"));
    }

    @Test
    void aReportWithoutTrafficIsAPage() {
        PageDocument page = new PageDocument(SampleReport.empty().html());

        assertThat(page.elements("figure")).isEmpty();
        assertThat(page.elements("article")).isEmpty();
        assertThat(page.text()).contains("no practice to change", "☐ not seen 54", "breaks no practice");
    }

    @Test
    void ratesAreThoseOfEachPart() {
        Instant end = Instant.parse("2026-11-29T00:01:05Z");
        List<AdviceReport.Slice> timeline = List.of(
                new AdviceReport.Slice(end.minusSeconds(65), 600, 0, 0, 0, 0, 0),
                new AdviceReport.Slice(end.minusSeconds(35), 300, 3, 0, 0, 0, 61_440),
                new AdviceReport.Slice(end.minusSeconds(5), 50, 0, 0, 0, 0, 0));
        AdviceReport report = new AdviceReport(
                end,
                Duration.ofSeconds(65),
                new AdviceReport.Totals(1, 950, 3, 0, 0, 61_440, 0),
                timeline,
                SampleReport.empty().rows());

        PageDocument page = new PageDocument(report.html());

        assertThat(page.elements("figcaption"))
                .extracting(Element::getTextContent)
                .containsExactly(
                        "attempts per second, at most 20.0; failed ones at the foot of a bar",
                        "entities and messages per second, at most 0",
                        "bytes per second, at most 2.0 KiB");
        assertThat(bars(page.elements("figure").get(0)))
                .as("bars of 30, 30 and 5 of 65 seconds, and the failed part of the second one")
                .containsExactly("bar 0.0 143.7", "bar 147.7 143.7", "bad 147.7 143.7", "bar 295.4 20.6");
        assertThat(page.text()).contains("65 s ago");
    }

    private static List<String> bars(Element figure) {
        NodeList bars = figure.getElementsByTagName("rect");
        return IntStream.range(0, bars.getLength())
                .mapToObj(i -> (Element) bars.item(i))
                .map(bar -> bar.getAttribute("class") + " " + bar.getAttribute("x") + " " + bar.getAttribute("width"))
                .toList();
    }
}
