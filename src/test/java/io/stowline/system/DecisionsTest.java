package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("each decision has one form and a row in the index, and each reference leads to one")
class DecisionsTest {

    private static final String FOLDER = "docs/internals/decisions";
    private static final Pattern FILE = Pattern.compile("(\\d{4})-[a-z0-9-]+\\.md");
    private static final Pattern FORM = Pattern.compile(
            "# (\\d{4}): [^\\n]+\\n\\n\\*\\*Question\\.\\*\\* .*?\\n\\*\\*Decision\\b[^*\\n]*\\*\\*.*", Pattern.DOTALL);
    private static final Pattern ROW =
            Pattern.compile("^\\| \\[(\\d{4})]\\((\\1-[a-z0-9-]+\\.md)\\) \\|(.*)\\|$", Pattern.MULTILINE);

    /** The columns behind the number: question, decision and status. */
    private static final int COLUMNS = 3;

    /** A number in prose or Javadoc, as in {@code decision 24} or {@code decisions 24 and 108}. */
    private static final Pattern NAMED = Pattern.compile("\\b[Dd]ecisions? (\\d{1,4})(?:(?:, | and )(\\d{1,4}))*\\b");

    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|IT))`");
    private static final Pattern LINK = Pattern.compile("]\\((?!\\w+:)([^)#\\s]+)(?:#[^)\\s]*)?\\)");
    private static final Pattern CODE = Pattern.compile("```.*?```|`[^`\\n]*`", Pattern.DOTALL);

    @Test
    @DisplayName("a decision begins with its number, its title, the question and the decision")
    void form() throws IOException {
        assertThat(decisions()).isNotEmpty().allSatisfy(file -> {
            Matcher form = FORM.matcher(text(file));
            assertThat(form.matches()).as("form of " + file).isTrue();
            assertThat(form.group(1)).isEqualTo(number(file));
        });
    }

    @Test
    @DisplayName("a number stands for one decision, and is not the number of a merged one")
    void numbers() throws IOException {
        List<String> numbers = decisions().stream().map(DecisionsTest::number).toList();

        assertThat(numbers).doesNotHaveDuplicates().doesNotContainAnyElementsOf(merged());
        assertThat(merged()).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("the index has a row with question, decision and status for each file")
    void index() throws IOException {
        List<MatchResult> rows = rows().filter(row -> columns(row) == COLUMNS).toList();

        assertThat(rows.stream().map(row -> row.group(2)))
                .containsExactlyElementsOf(decisions().stream()
                        .map(file -> file.getFileName().toString())
                        .sorted()
                        .toList());
    }

    @Test
    @DisplayName("a decision that code or a document names is a file, and no merged number")
    void namedDecisions() throws IOException {
        Set<Integer> numbers = decisions().stream()
                .map(file -> Integer.valueOf(number(file)))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(files(".md", ".java", ".xml")).allSatisfy(file -> assertThat(NAMED.matcher(text(file))
                        .results()
                        .map(MatchResult::group)
                        .flatMap(named -> NUMBER.matcher(named).results())
                        .map(named -> Integer.valueOf(named.group())))
                .as("decisions that " + file + " names")
                .isSubsetOf(numbers));
    }

    @Test
    @DisplayName("a test that a decision names exists")
    void namedTests() throws IOException {
        Set<String> sources = files(".java").stream()
                .map(file -> file.getFileName().toString())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(decisions()).allSatisfy(file -> assertThat(
                        TEST.matcher(text(file)).results().map(name -> name.group(1) + ".java"))
                .as("tests that " + file + " names")
                .isSubsetOf(sources));
    }

    @Test
    @DisplayName("a link of a document to another file of the project leads to one")
    void links() throws IOException {
        assertThat(files(".md")).isNotEmpty().allSatisfy(file -> assertThat(
                        LINK.matcher(CODE.matcher(text(file)).replaceAll("")).results())
                .as("links of " + file)
                .allSatisfy(
                        link -> assertThat(file.resolveSibling(link.group(1))).exists()));
    }

    private static Stream<MatchResult> rows() {
        return ROW.matcher(text(Project.root().resolve(FOLDER).resolve("README.md")))
                .results();
    }

    private static int columns(MatchResult row) {
        return row.group(3).split("\\|").length;
    }

    /** The numbers of the second table of the index, which a file of another number contains. */
    private static List<String> merged() {
        return rows().filter(row -> columns(row) == 1)
                .flatMap(row -> Stream.of(row.group(3).strip().split(", ")))
                .toList();
    }

    private static List<Path> decisions() throws IOException {
        try (Stream<Path> files = Files.list(Project.root().resolve(FOLDER))) {
            return files.filter(
                            file -> FILE.matcher(file.getFileName().toString()).matches())
                    .toList();
        }
    }

    private static String number(Path decision) {
        return decision.getFileName().toString().substring(0, "NNNN".length());
    }

    /** The files of the project with these endings, but for the changelog, which names releases that are past. */
    private static List<Path> files(String... endings) throws IOException {
        Path root = Project.root();
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
                    .filter(Files::isRegularFile)
                    .filter(file -> !file.toString().contains("/target/")
                            && !file.toString().contains("/node_modules/"))
                    .filter(file -> !file.endsWith("CHANGELOG.md"))
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
