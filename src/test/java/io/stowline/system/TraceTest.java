package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("the tables of rules and practices name classes and tests that exist")
class TraceTest {

    private static final Pattern ROW = Pattern.compile("^\\| ([A-Z]+-?\\d+) \\|.*$", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)`");

    @ParameterizedTest
    @ValueSource(strings = {"docs/internals/contract.md", "docs/practices.md"})
    void everyNameExists(String document) throws IOException {
        Map<String, List<Path>> sources = sources();

        assertThat(rows(document)).isNotEmpty().allSatisfy(row -> assertThat(
                        NAME.matcher(row).results())
                .as(row)
                .allSatisfy(name -> assertThat(sources).containsKey(name.group(1) + ".java")));
    }

    @Test
    void everyTestOfARuleCarriesItsId() throws IOException {
        Map<String, List<Path>> sources = sources();

        for (String row : rows("docs/internals/contract.md")) {
            String id = row.substring(2, row.indexOf(' ', 2));
            String tests = row.substring(row.lastIndexOf('|', row.length() - 2));
            assertThat(NAME.matcher(tests).results().map(name -> name.group(1)))
                    .as(row)
                    .isNotEmpty()
                    .allSatisfy(test -> assertThat(sources.get(test + ".java"))
                            .as(test + " with " + id)
                            .anySatisfy(file ->
                                    assertThat(file).content().containsPattern("\"[^\"\n]*\\b" + id + "\\b[^\"\n]*:")));
        }
    }

    private static List<String> rows(String document) throws IOException {
        return ROW.matcher(Files.readString(Project.root().resolve(document)))
                .results()
                .map(match -> match.group())
                .toList();
    }

    private static Map<String, List<Path>> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Project.root())) {
            return files.filter(file -> file.toString().endsWith(".java")
                            && !file.toString().contains("/target/"))
                    .collect(Collectors.groupingBy(
                            file -> file.getFileName().toString(),
                            Collectors.mapping(Function.identity(), Collectors.toList())));
        }
    }
}
