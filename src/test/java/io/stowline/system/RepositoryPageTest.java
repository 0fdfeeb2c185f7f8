package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the files that a code host shows or carries out are true: badges, forms, updates")
class RepositoryPageTest {

    private static final Path ROOT = Project.root();
    private static final YAMLMapper YAML = new YAMLMapper();

    private static final Pattern BADGE = Pattern.compile("\\[!\\[([^]]+)]\\(([^)]+)\\)]\\(([^)]+)\\)");
    private static final Pattern PROJECT_URL = Pattern.compile("(?m)^  <url>(.*)</url>$");
    private static final Pattern LICENCE = Pattern.compile("<license>\\s*<name>(.*)</name>");
    private static final Pattern JAVA_ROW = Pattern.compile("(?m)^\\| Java \\| ([^|]+) \\|");
    private static final Pattern INTRODUCTION = Pattern.compile("(?m)^(Stowline is a Java client.*)$");
    private static final Pattern PROGRAM_OF_LANDING = Pattern.compile("(?s)(```java\nrecord .*?```)");
    private static final Pattern PICTURE = Pattern.compile("!\\[(Report of the advisor[^]]*)]");
    private static final Pattern FIGURE = Pattern.compile("(?m)^\\| \\*\\*.*$");
    private static final Pattern ARTIFACT_ROW = Pattern.compile("(?m)^\\| `(stowline-[a-z-]+)` \\|");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(stowline-[a-z-]+)</artifactId>");
    private static final Pattern ADDRESS = Pattern.compile("https://github\\.com[^\\s)\"'`]*");
    private static final Pattern PROGRAM = Pattern.compile("`(mvn [^`]+|\\.ci/[^`]+)`");
    private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");

    /** The kinds of elements of a form that GitHub has, apart from uploads. */
    private static final List<String> ELEMENTS = List.of("markdown", "input", "textarea", "dropdown", "checkboxes");

    @Test
    @DisplayName(
            "the badge of a workflow names its file, that of the licence the licence of the poms, that of Java the compatibility table")
    void badges() {
        List<MatchResult> badges = BADGE.matcher(text("README.md")).results().toList();
        String url = first(PROJECT_URL, "pom.xml") + "/actions/workflows/";

        assertThat(badges).hasSize(4).allSatisfy(badge -> {
            String image = badge.group(2);
            if (image.startsWith("https:")) {
                assertThat(image).startsWith(url).endsWith("/badge.svg?branch=main");
                assertThat(badge.group(3)).isEqualTo(image.substring(0, image.lastIndexOf("/badge")));
                String workflow = badge.group(3).substring(url.length());
                assertThat(yaml(".github/workflows/" + workflow).path("name").asText())
                        .isEqualTo(badge.group(1));
            } else {
                assertThat(text(image)).contains("<title>" + badge.group(1) + "</title>");
            }
        });
        assertThat(badges.stream().map(badge -> badge.group(1)))
                .contains("Licence: " + first(LICENCE, "pom.xml"), "Java " + first(JAVA_ROW, "docs/compatibility.md"));
    }

    @Test
    @DisplayName(
            "the first screen has the sentences, the program, the figures and the picture of the site's landing page")
    void firstScreen() {
        String landing = text("docs/index.md");
        String readme = text("README.md").replace("](docs/", "](");

        assertThat(readme.lines().count()).isLessThanOrEqualTo(60);
        assertThat(Stream.of(INTRODUCTION, PROGRAM_OF_LANDING, PICTURE).map(part -> part.matcher(landing)
                        .results()
                        .findFirst()
                        .orElseThrow()
                        .group(1)))
                .allSatisfy(part -> assertThat(readme).contains(part));
        assertThat(FIGURE.matcher(landing).results().map(MatchResult::group).toList())
                .hasSize(3)
                .allSatisfy(figure -> assertThat(readme).contains(figure));
    }

    @Test
    @DisplayName("the artifacts of the compatibility page are those of the bill of materials, each once")
    void artifacts() {
        assertThat(ARTIFACT_ROW.matcher(text("docs/compatibility.md")).results().map(row -> row.group(1)))
                .containsExactlyInAnyOrderElementsOf(
                        ARTIFACT.matcher(text("bom/pom.xml").split("</?dependencyManagement>")[1])
                                .results()
                                .map(artifact -> artifact.group(1))
                                .toList());
    }

    @Test
    @DisplayName("updates concern all folders with a manifest of npm, all modules, and the actions")
    void updates() throws IOException {
        List<JsonNode> updates =
                elements(yaml(".github/dependabot.yml").path("updates")).toList();

        assertThat(updates.stream()
                        .map(update -> update.path("package-ecosystem").asText()))
                .containsExactly("maven", "npm", "github-actions");
        assertThat(updates).allSatisfy(update -> {
            assertThat(update.path("schedule").path("interval").asText()).isEqualTo("weekly");
            assertThat(update.path("groups")).isNotEmpty();
        });
        assertThat(elements(updates.get(1).path("directories"))
                        .map(folder -> ROOT.resolve(folder.asText().substring(1))))
                .as("directories of npm in .github/dependabot.yml")
                .containsExactlyInAnyOrderElementsOf(
                        files("package.json").map(Path::getParent).toList());
        assertThat(updates.get(0).path("directory").asText()).isEqualTo("/");
        assertThat(MODULE.matcher(text("pom.xml")).results().map(module -> ROOT.resolve(module.group(1))))
                .as("modules of the root pom, by which the updates of Maven find the other poms")
                .containsAll(files("pom.xml")
                        .map(Path::getParent)
                        .filter(folder -> !folder.equals(ROOT))
                        .toList());
    }

    @Test
    @DisplayName("a lock file names hashes and no place; no pom names a repository")
    void places() throws IOException {
        assertThat(files("package-lock.json")).isNotEmpty().allSatisfy(lock -> assertThat(text(lock))
                .as(lock.toString())
                .contains("\"integrity\"")
                .doesNotContain("\"resolved\""));
        assertThat(text(".npmrc"))
                .contains("omit-lockfile-registry-resolved=true")
                .doesNotContain("://");
        assertThat(files("pom.xml")).isNotEmpty().allSatisfy(pom -> assertThat(text(pom))
                .as(pom.toString())
                .doesNotContain("<repositories>", "<pluginRepositories>", "<distributionManagement>"));
    }

    @Test
    @DisplayName("a form has known elements, each with a label, and one id for each")
    void forms() {
        assertThat(Stream.of("bug", "feature")).allSatisfy(name -> {
            JsonNode form = yaml(".github/ISSUE_TEMPLATE/" + name + ".yml");
            List<JsonNode> elements = elements(form.path("body")).toList();
            List<JsonNode> fields = elements.stream()
                    .filter(element -> !element.path("type").asText().equals("markdown"))
                    .toList();

            assertThat(form.path("name").asText()).isNotBlank();
            assertThat(form.path("description").asText()).isNotBlank();
            assertThat(elements)
                    .allSatisfy(
                            element -> assertThat(element.path("type").asText()).isIn(ELEMENTS));
            assertThat(fields.stream().map(field -> field.path("id").asText()))
                    .doesNotHaveDuplicates()
                    .doesNotContain("");
            assertThat(fields).allSatisfy(field -> {
                JsonNode attributes = field.path("attributes");
                assertThat(attributes.path("label").asText()).isNotBlank();
                assertThat(attributes.has("options"))
                        .isEqualTo(field.path("type").asText().matches("dropdown|checkboxes"));
            });
        });
    }

    @Test
    @DisplayName("a report of a bug needs version, service, a minimal program, request ids and the expected result")
    void bugReport() {
        assertThat(elements(yaml(".github/ISSUE_TEMPLATE/bug.yml").path("body"))
                        .filter(field ->
                                field.path("validations").path("required").asBoolean())
                        .map(field -> field.path("id").asText()))
                .contains("version", "service", "program", "requests", "expected");
    }

    @Test
    @DisplayName(
            "questions go to the discussions, vulnerabilities to a private report, and all addresses to the project")
    void addresses() throws IOException {
        String url = first(PROJECT_URL, "pom.xml");

        assertThat(elements(yaml(".github/ISSUE_TEMPLATE/config.yml").path("contact_links"))
                        .map(link -> link.path("url").asText()))
                .contains(url + "/discussions", url + "/security/advisories/new");
        try (Stream<Path> files = Files.walk(ROOT.resolve(".github"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .flatMap(file -> ADDRESS.matcher(text(file)).results())
                            .map(MatchResult::group))
                    .isNotEmpty()
                    .allSatisfy(address -> assertThat(address).startsWith(url + "/"));
        }
    }

    @Test
    @DisplayName("the checks of a pull request are those of CONTRIBUTING.md")
    void pullRequests() {
        assertThat(PROGRAM.matcher(text(".github/PULL_REQUEST_TEMPLATE.md")).results())
                .isNotEmpty()
                .allSatisfy(command -> assertThat(text("CONTRIBUTING.md")).contains(command.group()));
    }

    /** The files of the project with this name, without those of builds and those that npm has installed. */
    private static Stream<Path> files(String name) throws IOException {
        try (Stream<Path> files = Files.find(ROOT, 20, (file, facts) -> file.endsWith(name))) {
            return files
                    .filter(file -> !file.toString().matches(".*[/\\\\](target|node_modules|\\.fast)[/\\\\].*"))
                    .toList()
                    .stream();
        }
    }

    private static Stream<JsonNode> elements(JsonNode node) {
        return StreamSupport.stream(node.spliterator(), false);
    }

    private static JsonNode yaml(String file) {
        try {
            return YAML.readTree(text(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String first(Pattern pattern, String file) {
        return pattern.matcher(text(file)).results().findFirst().orElseThrow().group(1);
    }

    private static String text(String file) {
        return text(ROOT.resolve(file));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
