package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the packages of the site are pinned")
class SiteTest {

    private static final Pattern PACKAGE = Pattern.compile("\"node_modules/[^\"]+\": \\{(.*?)\\n    }", Pattern.DOTALL);
    private static final Pattern DEPENDENCY =
            Pattern.compile("^    \"([@/\\w-]+)\": \"(\\d[^\"]*)\"", Pattern.MULTILINE);

    private static String read(String file) throws IOException {
        return Files.readString(Project.root().resolve(file));
    }

    @Test
    @DisplayName("each package has a hash, and no address of a registry")
    void hashes() throws IOException {
        List<String> packages = PACKAGE.matcher(read("site/package-lock.json"))
                .results()
                .map(MatchResult::group)
                .toList();

        assertThat(packages).hasSizeGreaterThan(100).allSatisfy(entry -> assertThat(entry)
                .contains("\"integrity\": \"sha512-")
                .doesNotContain("\"resolved\""));
    }

    @Test
    @DisplayName("no script of a package runs, and no address comes into the lock file")
    void settingsOfNpm() throws IOException {
        assertThat(read("site/.npmrc"))
                .contains("ignore-scripts=true", "omit-lockfile-registry-resolved=true")
                .doesNotContain("registry=");
    }

    @Test
    @DisplayName("dependencies have one version each, axe that of the advisor's pages")
    void versions() throws IOException {
        assertThat(pinned("site/package.json"))
                .hasSize(3)
                .containsAll(pinned("advisor/src/test/resources/io/stowline/advisor/internal/page/axe/package.json"));
    }

    /** Returns the names of dependencies with their versions, of those that name exactly one. */
    private static List<String> pinned(String file) throws IOException {
        return DEPENDENCY
                .matcher(read(file))
                .results()
                .map(dependency -> dependency.group(1) + " " + dependency.group(2))
                .toList();
    }
}
