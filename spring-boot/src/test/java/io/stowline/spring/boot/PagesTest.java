package io.stowline.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

/** The pages of the starter and its doors. */
class PagesTest {

    private static final Path DOCS = docs();

    private static Path docs() {
        Path folder = Path.of("").toAbsolutePath();
        return (Files.exists(folder.resolve("CHANGELOG.md")) ? folder : folder.getParent()).resolve("docs");
    }

    private static List<Path> pages(String glob) throws IOException {
        try (Stream<Path> pages = Files.list(DOCS)) {
            return pages.filter(page -> page.getFileName().toString().matches(glob))
                    .toList();
        }
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("each auto-configuration is named in a page for users")
    void autoConfigurations() throws IOException {
        String all = pages(".*\\.md").stream().map(PagesTest::read).collect(Collectors.joining());

        assertThat(ImportCandidates.load(AutoConfiguration.class, PagesTest.class.getClassLoader()))
                .filteredOn(name -> name.startsWith("io.stowline."))
                .extracting(name -> name.substring(name.lastIndexOf('.') + 1))
                .filteredOn(name -> !all.contains("`" + name + "`"))
                .isEmpty();
    }

    @Test
    @DisplayName("the first page has a link to each page of a door")
    void firstPage() throws IOException {
        String first = read(DOCS.resolve("spring-boot.md"));

        assertThat(pages("spring-.*\\.md"))
                .extracting(page -> page.getFileName().toString())
                .contains("spring-boot.md", "spring-resources.md")
                .filteredOn(page -> !page.equals("spring-boot.md") && !first.contains("(" + page))
                .isEmpty();
    }
}
