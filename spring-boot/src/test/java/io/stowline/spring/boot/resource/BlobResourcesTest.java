package io.stowline.spring.boot.resource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.ResourcePatternResolver;

class BlobResourcesTest {

    private static final List<String> NAMES = List.of(
            "2025/z.jpg",
            "2026/a.jpg",
            "2026/b.png",
            "2026/may/c.jpg",
            "2026/may/d e.jpg",
            "2026/may/x/f.jpg",
            "2026x.jpg",
            "a*.txt",
            "ab.txt",
            "root.jpg");

    private final TwoAccounts accounts = new TwoAccounts();

    @BeforeEach
    void put() {
        NAMES.forEach(name -> accounts.put(name, name));
    }

    @AfterEach
    void close() {
        accounts.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2026/**/*.jpg | 2026/ | 2026/a.jpg,2026/may/c.jpg,2026/may/d e.jpg,2026/may/x/f.jpg",
                "2026/*.jpg | 2026/ | 2026/a.jpg",
                "2026/*/*.jpg | 2026/ | 2026/may/c.jpg,2026/may/d e.jpg",
                "2026/may/d%20?.jpg | 2026/may/d | 2026/may/d e.jpg",
                "**/f.jpg | | 2026/may/x/f.jpg",
                "**/root.jpg | | root.jpg",
                "*.jpg | | 2026x.jpg,root.jpg",
                "202?/?.jpg | 202 | 2025/z.jpg,2026/a.jpg",
                "a%2A*.txt | a* | a*.txt",
                "a*.txt | a | a*.txt,ab.txt",
                "2026** | 2026 | 2026/a.jpg,2026/b.png,2026/may/c.jpg,2026/may/d e.jpg,2026/may/x/f.jpg,2026x.jpg",
                "2026/may/**/c.jpg | 2026/may/ | 2026/may/c.jpg",
                "x/** | x/ | "
            })
    @DisplayName("blobs are found by a pattern, from a listing of its longest literal prefix")
    void find(String pattern, String prefix, String names) {
        accounts.runner().run(context -> {
            int before = accounts.main.requests().size();
            List<BlobResource> found = context.getBean(BlobResources.class).find("azure-blob://photos/" + pattern);

            assertThat(found)
                    .extracting(resource -> resource.info().name())
                    .containsExactly(names == null ? new String[0] : names.split(","));
            assertThat(accounts.main
                            .requests()
                            .subList(before, accounts.main.requests().size()))
                    .as("one listing, whose facts are those of the resources")
                    .hasSize(1);
        });
    }

    @Test
    @DisplayName("a resource of a listing is bound to the version of the listing")
    void boundToTheListing() {
        accounts.runner().run(context -> {
            List<BlobResource> found = context.getBean(BlobResources.class).find("azure-blob://photos/2025/*");
            assertThat(found.get(0).getContentAsString(UTF_8)).isEqualTo("2025/z.jpg");
            accounts.put("2025/z.jpg", "another version");

            assertThat(found.get(0).contentLength()).isEqualTo("2025/z.jpg".length());
            assertThatThrownBy(() -> found.get(0).getContentAsString(UTF_8)).isInstanceOf(BlobChangedException.class);
        });
    }

    @Test
    void nothingIsFoundInAMissingContainer() {
        accounts.runner().run(context -> {
            BlobResources resources = context.getBean(BlobResources.class);
            assertThat(resources.find("azure-blob://nowhere/**")).isEmpty();
            assertThat(resources.find("azure-blob://photos/missing.jpg")).isEmpty();
            assertThat(resources.find("azure-blob://photos/root.jpg")).hasSize(1);
            assertThat(resources.find("photos-blob://photos/**")).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"azure-blob://pho*/a.jpg", "azure-blob://*/a.jpg", "azure-blob://photos*"})
    void aContainerHasNoWildcard(String pattern) {
        accounts.runner().run(context -> assertThatThrownBy(
                        () -> context.getBean(BlobResources.class).find(pattern))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("container"));
    }

    @Test
    void anUnknownSchemeNamesTheKnownOnes() {
        accounts.runner().run(context -> assertThatThrownBy(
                        () -> context.getBean(BlobResources.class).resource("s3://photos/a.jpg"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("azure-blob")
                .hasMessageContaining("photos-blob"));
    }

    @Test
    @DisplayName("the resolver of patterns gives other locations to the application context")
    void resolver() {
        accounts.runner().run(context -> {
            ResourcePatternResolver resolver =
                    context.getBean(BlobResources.class).patternResolver();

            assertThat(resolver.getResources("azure-blob://photos/2026/*.png"))
                    .extracting(Resource::getFilename)
                    .containsExactly("b.png");
            assertThat(resolver.getResources("azure-blob://photos/b.png")).hasSize(1);
            assertThat(resolver.getResource("azure-blob://photos/b.png")).isInstanceOf(BlobResource.class);
            assertThat(resolver.getResources("classpath*:META-INF/spring.factories"))
                    .isNotEmpty();
            assertThat(resolver.getResource("classpath:META-INF/spring.factories")
                            .exists())
                    .isTrue();
            assertThat(resolver.getClassLoader()).isSameAs(context.getClassLoader());
        });
    }
}
