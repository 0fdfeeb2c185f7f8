package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.advisor.Practice;
import io.stowline.advisor.Threshold;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the documentation has each practice and each threshold of the advisor")
class AdvisorDocTest {

    private static final Pattern PRACTICE = Pattern.compile("^\\| ([ABTQ]\\d+) \\|", Pattern.MULTILINE);
    private static final Pattern ANCHOR = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
    private static final String DOCS = "/docs/";

    @Test
    void thresholdsAreListed() throws IOException {
        String page = Files.readString(Project.root().resolve("docs/advisor-thresholds.md"));

        assertThat(Threshold.values()).allSatisfy(threshold -> assertThat(page)
                .contains("| `" + threshold + "` | " + figure(threshold) + " |"));
    }

    private static String figure(Threshold threshold) {
        double value = threshold.value();
        if (threshold.unit().isEmpty()) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        String number = value == Math.rint(value) ? String.format(Locale.ROOT, "%,.0f", value) : String.valueOf(value);
        return number + " " + threshold.unit();
    }

    @Test
    void practicesAreThoseOfTheTable() throws IOException {
        String table = Files.readString(Project.root().resolve("docs/practices.md"));

        assertThat(PRACTICE.matcher(table).results().map(row -> row.group(1)))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Practice.values()).map(Enum::name).toList());
    }

    @Test
    void linksLeadToSections() {
        assertThat(Practice.values()).allSatisfy(practice -> {
            String link = practice.link().toString();
            String[] parts = link.substring(link.indexOf(DOCS) + DOCS.length()).split("#", -1);
            String page = Files.readString(Project.root().resolve("docs").resolve(parts[0]));
            List<String> anchors = ANCHOR.matcher(page)
                    .results()
                    .map(heading -> heading.group(1)
                            .toLowerCase(Locale.ROOT)
                            .replaceAll("[^a-z0-9 -]", "")
                            .replace(' ', '-'))
                    .toList();
            if (parts.length > 1) {
                assertThat(anchors).as(link).contains(parts[1]);
            }
        });
    }
}
