package io.stowline.spring.boot.resource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.error.StorageException;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.io.Resource;
import org.springframework.core.io.WritableResource;
import org.springframework.util.StreamUtils;

class BlobResourceTest {

    private static final int LARGE = 200_000;

    private final TwoAccounts accounts = new TwoAccounts();

    @AfterEach
    void close() {
        accounts.close();
    }

    /** A use of an application with both accounts. */
    private interface Use {
        void in(ApplicationContext context) throws IOException;
    }

    private void run(Use use) {
        accounts.runner().run(context -> {
            assertThat(context).hasNotFailed();
            use.in(context);
        });
    }

    private List<String> requests() {
        return accounts.main.requests();
    }

    private static String text(Resource resource) throws IOException {
        return resource.getContentAsString(UTF_8);
    }

    @Test
    @DisplayName("one request reads the facts and the bytes of a small blob, which are of one version")
    void aSmallBlobIsReadByOneRequest() {
        accounts.put("a.txt", "first");
        run(context -> {
            Resource resource = context.getResource("azure-blob://photos/a.txt");
            int before = requests().size();

            assertThat(resource.exists()).isTrue();
            assertThat(resource.contentLength()).isEqualTo(5);
            accounts.put("a.txt", "the second");
            before++;

            assertThat(resource.contentLength()).isEqualTo(5);
            assertThat(text(resource)).isEqualTo("first");
            assertThat(text(resource)).isEqualTo("first");
            assertThat(requests()).hasSize(before + 1);
            assertThat(text(((BlobResource) resource).latest())).isEqualTo("the second");
        });
    }

    @Test
    @DisplayName("TRANSFER-2: a large blob that changes after its facts were read is an error that names it, never a"
            + " mixture")
    void aLargeBlobThatChangesIsAnError() {
        accounts.put("large.txt", "1".repeat(LARGE));
        run(context -> {
            BlobResource resource = (BlobResource) context.getResource("azure-blob://photos/large.txt");
            assertThat(resource.contentLength()).isEqualTo(LARGE);
            assertThat(text(resource)).isEqualTo("1".repeat(LARGE));
            accounts.put("large.txt", "2".repeat(LARGE));

            assertThat(resource.contentLength()).isEqualTo(LARGE);
            assertThatThrownBy(() -> text(resource))
                    .isInstanceOf(BlobChangedException.class)
                    .isNotInstanceOf(FileNotFoundException.class)
                    .hasMessageContaining("azure-blob://photos/large.txt");
            assertThat(text(resource.latest())).isEqualTo("2".repeat(LARGE));
            accounts.photos().delete("large.txt");
            assertThatThrownBy(() -> text(resource)).isInstanceOf(BlobChangedException.class);
        });
    }

    @Test
    @DisplayName("a skip before the first read costs no request, and the read begins there")
    void partsOfALargeBlob() {
        String content = "0123456789".repeat(LARGE / 10);
        accounts.put("large.txt", content);
        run(context -> {
            Resource resource = context.getResource("azure-blob://photos/large.txt");
            resource.contentLength();
            int before = requests().size();
            ByteArrayOutputStream part = new ByteArrayOutputStream();
            try (InputStream in = resource.getInputStream()) {
                StreamUtils.copyRange(in, part, 123_456, 123_465);
            }

            assertThat(part.toString(UTF_8)).isEqualTo(content.substring(123_456, 123_466));
            assertThat(requests()).hasSize(before + 1);
            try (InputStream in = resource.getInputStream()) {
                assertThat(in.read()).isEqualTo('0');
                assertThat(in.skip(4)).isEqualTo(4);
                assertThat(in.read()).isEqualTo('5');
            }
            try (InputStream in = resource.getInputStream()) {
                assertThat(in.skip(LARGE + 1L)).isEqualTo(LARGE);
                assertThat(in.read()).isEqualTo(-1);
            }
            InputStream closed = resource.getInputStream();
            closed.close();
            assertThatThrownBy(closed::read).isInstanceOf(IOException.class).hasMessageContaining("closed");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "azure-blob://photos/missing.txt",
                "azure-blob://nowhere/a.txt",
                "azure-blob://nowhere",
                "azure-blob://Not_A_Container/a.txt",
                "azure-blob://photos/a/b/",
                "photos-blob://photos/a.txt"
            })
    @DisplayName("a missing blob or container makes exists() false and is a FileNotFoundException elsewhere")
    void missing(String location) {
        accounts.put("a.txt", "of the other account");
        run(context -> {
            Resource resource = context.getResource(location);

            assertThat(resource.exists()).isFalse();
            assertThat(resource.isReadable()).isFalse();
            assertThatThrownBy(resource::contentLength).isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(resource::lastModified).isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(resource::getInputStream)
                    .isInstanceOf(FileNotFoundException.class)
                    .hasMessageContaining(location);
        });
    }

    @Test
    @DisplayName("a blob that appears is found, and a refusal is no missing blob")
    void onlyWhatIsMissingIsMissing() {
        run(context -> {
            Resource resource = context.getResource("azure-blob://photos/a.txt");
            assertThat(resource.exists()).isFalse();
            accounts.put("a.txt", "now");
            assertThat(resource.exists()).isTrue();

            accounts.main.refuseNext("GET", "/b.txt", 403, "AuthorizationFailure");
            assertThatThrownBy(context.getResource("azure-blob://photos/b.txt")::exists)
                    .isInstanceOf(StorageException.class);
        });
    }

    @Test
    void anEmptyBlob() {
        accounts.put("empty.txt", "");
        run(context -> {
            Resource resource = context.getResource("azure-blob://photos/empty.txt");
            assertThat(resource.exists()).isTrue();
            assertThat(resource.contentLength()).isZero();
            assertThat(text(resource)).isEmpty();
        });
    }

    @Test
    @DisplayName("an archived blob has facts; reading it is the service's refusal")
    void archived() {
        accounts.put("old.txt", "old");
        run(context -> {
            accounts.main.refuseNext("GET", "/old.txt", 409, "BlobArchived");
            Resource resource = context.getResource("azure-blob://photos/old.txt");
            assertThat(resource.contentLength()).isEqualTo(3);
            accounts.main.refuseNext("GET", "/old.txt", 409, "BlobArchived");
            assertThatThrownBy(() -> text(resource)).isInstanceOf(StorageException.class);
        });
    }

    @Test
    @DisplayName("the scheme stands for the account")
    void twoAccounts() {
        accounts.put("a.txt", "main");
        accounts.furtherPhotos().upload("further".getBytes(UTF_8), "a.txt");
        run(context -> {
            assertThat(text(context.getResource("azure-blob://photos/a.txt"))).isEqualTo("main");
            assertThat(text(context.getResource("photos-blob://photos/a.txt"))).isEqualTo("further");
            assertThat(context.getResource("photos-blob://photos/a.txt"))
                    .isNotEqualTo(context.getResource("azure-blob://photos/a.txt"))
                    .isEqualTo(context.getResource("photos-blob://photos/a.txt"))
                    .hasSameHashCodeAs(context.getResource("photos-blob://photos/a.txt"));
            assertThat(context.getResource("other-blob://photos/a.txt")).isNotInstanceOf(BlobResource.class);
        });
    }

    @Test
    @DisplayName("closing the stream publishes the blob, with the type of its name, and the resource reads it")
    void writes() {
        accounts.put("page.html", "before");
        run(context -> {
            WritableResource resource = (WritableResource) context.getResource("azure-blob://photos/page.html");
            assertThat(resource.isWritable()).isTrue();
            assertThat(text(resource)).isEqualTo("before");
            try (OutputStream out = resource.getOutputStream()) {
                out.write("<p>after".getBytes(UTF_8));
                out.write('!');
                assertThat(text(((BlobResource) resource).latest())).isEqualTo("before");
            }
            assertThat(text(resource)).isEqualTo("<p>after!");
            assertThat(((BlobResource) resource).info().headers().contentType()).isEqualTo("text/html");

            assertThatThrownBy(((WritableResource) context.getResource("azure-blob://photos"))::getOutputStream)
                    .isInstanceOf(FileNotFoundException.class);
        });
    }

    @Test
    @DisplayName("after a failed write, closing the stream publishes nothing")
    void aFailedWritePublishesNothing() {
        run(context -> {
            WritableResource resource = (WritableResource) context.getResource("azure-blob://photos/a.txt");
            OutputStream out = resource.getOutputStream();
            assertThatThrownBy(() -> out.write(new byte[1], 0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
            out.close();
            out.close();
            assertThat(resource.exists()).isFalse();
        });
    }

    @Test
    @DisplayName("a failed publication is the error of close()")
    void aFailedPublication() {
        run(context -> {
            OutputStream out = ((WritableResource) context.getResource("azure-blob://nowhere/a.txt")).getOutputStream();
            out.write(1);
            assertThatThrownBy(out::close).isInstanceOf(StorageException.class);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "azure-blob://photos/2026/a%20b.jpg, 2026/a b.jpg, azure-blob://photos/2026/a%20b.jpg",
        "azure-blob://photos/2026/a b.jpg, 2026/a b.jpg, azure-blob://photos/2026/a%20b.jpg",
        "azure-blob://photos/100%25.txt, 100%.txt, azure-blob://photos/100%25.txt",
        "azure-blob://photos/caf%C3%A9?#.txt, café?#.txt, azure-blob://photos/caf%C3%A9%3F%23.txt",
        "azure-blob:photos/a.txt, a.txt, azure-blob://photos/a.txt",
    })
    void names(String location, String name, String uri) {
        accounts.put(name, "here");
        run(context -> {
            Resource resource = context.getResource(location);
            assertThat(text(resource)).isEqualTo("here");
            assertThat(resource.getURI()).isEqualTo(URI.create(uri));
            assertThat(resource.getURL()).hasToString(uri);
            assertThat(resource.getFilename()).isEqualTo(name.substring(name.lastIndexOf('/') + 1));
            assertThat(resource.getDescription()).isEqualTo("blob [" + uri + "]");
            assertThat(context.getResource(uri)).isEqualTo(resource);
            try (InputStream in = resource.getURL().openStream()) {
                assertThat(in.readAllBytes()).isEqualTo("here".getBytes(UTF_8));
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "azure-blob://photos/a%2.txt, write %25",
        "azure-blob://photos/a%zz.txt, write %25",
        "azure-blob://photos/a%C3.txt, no UTF-8",
        "azure-blob:///a.txt, names no container"
    })
    void malformedLocations(String location, String reason) {
        run(context -> assertThatThrownBy(() -> context.getResource(location))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(location)
                .hasMessageContaining(reason));
    }

    @ParameterizedTest
    @CsvSource({
        "azure-blob://photos/2026/a.jpg, b.jpg, 2026/b.jpg",
        "azure-blob://photos/2026/a.jpg, ../b 1%.jpg, b 1%.jpg",
        "azure-blob://photos/2026/, /b.jpg, 2026/b.jpg",
        "azure-blob://photos/, b.jpg, b.jpg",
        "azure-blob://photos/, 2026\\b.jpg, 2026/b.jpg",
        "azure-blob://photos/, ./2026/./x/../b.jpg, 2026/b.jpg",
        "azure-blob://photos, /b.jpg, b.jpg"
    })
    void relatives(String location, String path, String name) {
        run(context -> assertThat(context.getResource(location).createRelative(path))
                .isEqualTo(context.getResource("azure-blob://photos/").createRelative(name)));
    }

    @Test
    @DisplayName("all but slashes, backslashes and dots stands for itself")
    void relativesAreTakenAsTheyAre() {
        run(context -> {
            BlobResource photos = (BlobResource) context.getResource("azure-blob://photos/");
            for (String name : List.of("a%20b", "a?b#c", "*", "archive-blob://photos/a", "/a", "a//b", "a/")) {
                BlobResource named = photos.createRelative(name.startsWith("/") ? "/" + name : name);
                try (OutputStream out = named.getOutputStream()) {
                    out.write(1);
                }

                assertThat(accounts.photos().exists(name)).as(name).isTrue();
                assertThat(named.exists()).isTrue();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000", "a\nb", "a\t", "\u007f"})
    @DisplayName("a blob with a control character in its name is not there, and is not written")
    void controlCharacters(String name) {
        run(context -> {
            BlobResource photos = (BlobResource) context.getResource("azure-blob://photos/");
            BlobResource named = photos.createRelative(name);
            int before = requests().size();

            assertThat(named.exists()).isFalse();
            assertThatThrownBy(named::getInputStream)
                    .isInstanceOf(FileNotFoundException.class)
                    .hasMessageContaining("no control characters, such as U+00");
            assertThatThrownBy(named::getOutputStream)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no control characters, such as U+00");
            assertThat(requests()).hasSize(before);
        });
    }

    @Test
    void noPathLeadsOutOfTheContainer() {
        run(context -> assertThatThrownBy(
                        () -> context.getResource("azure-blob://photos/").createRelative("../other/a.jpg"))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("leads out"));
    }

    @Test
    @DisplayName("a resource is no file, and the error names the ways to its content")
    void noFile() {
        run(context -> {
            assertThat(context.getResource("azure-blob://photos/a.txt").isFile())
                    .isFalse();
            assertThatThrownBy(() ->
                            context.getResource("azure-blob://photos/a.txt").getFile())
                    .isInstanceOf(FileNotFoundException.class)
                    .hasMessageContaining("downloadTo");
            accounts.put("a.txt", "found by BlobResources.find only");
            assertThat(context.getResources("azure-blob://photos/*.txt"))
                    .as("Spring's own search of patterns is one of files")
                    .isEmpty();
        });
    }

    static class Titled {
        @Value("azure-blob://photos/title.txt")
        Resource title;
    }

    @Test
    void aResourceIsInjected() {
        accounts.put("title.txt", "Photos");
        accounts.runner().withBean(Titled.class).run(context -> assertThat(text(context.getBean(Titled.class).title))
                .isEqualTo("Photos"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.springframework.web", "org.yaml", "jakarta.servlet", "org.springframework.messaging"})
    @DisplayName("without a library that this room can do without, the application starts and reads")
    void optionalLibraries(String missing) {
        accounts.put("a.txt", "here");
        accounts.runner().withClassLoader(new FilteredClassLoader(missing)).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(text(context.getResource("azure-blob://photos/a.txt"))).isEqualTo("here");
            assertThat(context.getBean(BlobResources.class).find("azure-blob://photos/*"))
                    .hasSize(1);
        });
    }

    @Test
    @DisplayName("without an account the application starts, and a use of a location names what is missing")
    void noAccount() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(StowlineAutoConfiguration.class, StowlineResourceAutoConfiguration.class))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThatThrownBy(context.getResource("azure-blob://photos/a.txt")::exists)
                            .hasMessageContaining("io.stowline.Stowline");
                });
    }

    @ParameterizedTest
    @CsvSource({"azure-blob, has this scheme", "file, none of Spring's", "Photos, lower-case"})
    @DisplayName("a scheme that is taken or malformed is refused at start, by its property")
    void refusedSchemes(String scheme, String reason) {
        accounts.runner()
                .withPropertyValues("stowline.accounts.photos.resource-scheme=" + scheme)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("stowline.accounts.photos.resource-scheme")
                        .hasMessageContaining(reason));
    }

    @Test
    void theDefaultSchemeIsAPropertyToo() {
        accounts.put("a.txt", "main");
        accounts.runner().withPropertyValues("stowline.resource-scheme=store").run(context -> {
            assertThat(text(context.getResource("store://photos/a.txt"))).isEqualTo("main");
            assertThat(context.getResource("azure-blob://photos/a.txt")).isNotInstanceOf(BlobResource.class);
        });
    }
}
