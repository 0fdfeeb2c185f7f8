package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The budgets of the house style, measured on the sources. */
class HouseTest {

    private static final int LARGEST_FILE = 400;
    private static final int LARGEST_MEDIAN = 60;
    private static final int MOST_PUBLIC_TYPES = 195;
    private static final int MOST_PUBLIC_TYPES_OF_TESTKIT = 30;
    private static final Pattern PUBLIC_TYPE = Pattern.compile(
            "^public (abstract |final |sealed |non-sealed )*(class|interface|record|enum|@interface) ",
            Pattern.MULTILINE);

    @Test
    void filesStaySmall() throws IOException {
        Map<Path, Long> sizes = new TreeMap<>();
        for (Path file : mainSources()) {
            sizes.put(file, codeLines(file));
        }
        List<Long> sorted = sizes.values().stream().sorted().toList();

        assertThat(sizes).isNotEmpty().allSatisfy((file, lines) -> assertThat(lines)
                .as("lines of code in " + file)
                .isLessThanOrEqualTo(LARGEST_FILE));
        assertThat(sorted.get(sorted.size() / 2)).as("median").isLessThanOrEqualTo(LARGEST_MEDIAN);
    }

    @Test
    void thePublicApiStaysSmall() throws IOException {
        Map<Boolean, List<Path>> publicTypes = mainSources().stream()
                .filter(file -> !file.toString().contains("/internal/"))
                .filter(file -> !file.toString().contains("/examples/"))
                .filter(file -> !file.toString().contains("/benchmarks/"))
                .filter(file -> PUBLIC_TYPE.matcher(text(file)).find())
                .collect(Collectors.partitioningBy(file -> file.toString().contains("/testkit/")));

        assertThat(publicTypes.get(false)).hasSizeLessThanOrEqualTo(MOST_PUBLIC_TYPES);
        assertThat(publicTypes.get(true)).hasSizeLessThanOrEqualTo(MOST_PUBLIC_TYPES_OF_TESTKIT);
    }

    @Test
    void everyPackageIsNullMarked() throws IOException {
        assertThat(mainSources().stream().map(Path::getParent).distinct())
                .filteredOn(folder -> !folder.endsWith("java"))
                .allSatisfy(folder -> assertThat(folder.resolve("package-info.java"))
                        .content()
                        .contains("@NullMarked"));
    }

    /** A property with an annotation of JUnit's is skipped without a failure; it takes jqwik's own label. */
    @Test
    void propertiesAreNotSkipped() throws IOException {
        Pattern skipped = Pattern.compile(
                "@(DisplayName|Test|Disabled|Tag)\\b[^;{}]*@Property\\b|@Property\\b[^;{}]*@(DisplayName|Test|Disabled|Tag)\\b");

        assertThat(sources("src/test/java"))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(file).content().doesNotContainPattern(skipped));
    }

    private static List<Path> mainSources() throws IOException {
        return sources("src/main/java");
    }

    private static List<Path> sources(String folder) throws IOException {
        Path root = Project.root();
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> root.relativize(file).toString().contains(folder))
                    .filter(file -> !file.toString().contains("/target/"))
                    .toList();
        }
    }

    private static long codeLines(Path file) {
        return text(file)
                .lines()
                .map(String::strip)
                .filter(line ->
                        !line.isEmpty() && !line.startsWith("//") && !line.startsWith("*") && !line.startsWith("/*"))
                .count();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
