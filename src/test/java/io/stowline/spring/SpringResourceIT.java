package io.stowline.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.resource.BlobChangedException;
import io.stowline.spring.boot.resource.BlobResource;
import io.stowline.spring.boot.resource.BlobResources;
import io.stowline.spring.boot.resource.StowlineResourceAutoConfiguration;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.StrictMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.WritableResource;

/** Resources of Spring in two accounts of the emulator, through the strict proxy. */
class SpringResourceIT {

    private static final String LARGE = "0123456789".repeat(1_000_000);

    private static final String SECOND = "secondaccount";
    private static final String KEY = "c2Vjb25kLWFjY291bnQta2V5";
    private static final StrictMode STRICT = StrictMode.on();

    private static Azurite azurite;
    private static FaultProxy proxy;
    private static AnnotationConfigApplicationContext context;

    @BeforeAll
    static void start() {
        azurite = Azurite.builder().account(SECOND, KEY).start();
        proxy = FaultProxy.builder().inFrontOf(azurite).strict(STRICT).start();
        String main = proxy.storage().connectionString();
        String second = main.replaceAll("AccountName=[^;]+", "AccountName=" + SECOND)
                .replaceAll("AccountKey=[^;]+", "AccountKey=" + KEY)
                .replace("/devstoreaccount1", "/" + SECOND);
        context = new AnnotationConfigApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "test",
                        Map.of(
                                "stowline.connection-string", main,
                                "stowline.accounts.archive.connection-string", second,
                                "stowline.accounts.archive.resource-scheme", "archive-blob")));
        context.register(StowlineAutoConfiguration.class, StowlineResourceAutoConfiguration.class);
        context.refresh();
        context.getBean(Stowline.class).container("photos").create();
        context.getBean("archiveStowline", Stowline.class).container("photos").create();
    }

    @AfterAll
    static void stop() {
        context.close();
        assertThat(STRICT.refusals().values())
                .as("what Azure would have refused")
                .allMatch(count -> count == 0);
        proxy.close();
        azurite.close();
    }

    @AfterEach
    void clear() {
        proxy.clear();
    }

    private static void write(String location, String text) throws IOException {
        try (OutputStream out = ((WritableResource) context.getResource(location)).getOutputStream()) {
            out.write(text.getBytes(UTF_8));
        }
    }

    private static String text(Resource resource) throws IOException {
        return resource.getContentAsString(UTF_8);
    }

    @Test
    @DisplayName("names of all kinds are written, read, found and missing, in both accounts")
    void names() throws IOException {
        for (String scheme : new String[] {"azure-blob", "archive-blob"}) {
            String location = scheme + "://photos/2026/caf%C3%A9 100%25?#+.txt";
            assertThat(context.getResource(location).exists()).isFalse();
            write(location, scheme);
            assertThat(text(context.getResource(location))).isEqualTo(scheme);
            assertThat(context.getBean(BlobResources.class).find(scheme + "://photos/**/*.txt"))
                    .containsExactly((BlobResource) context.getResource(location));
            assertThat(context.getResource(scheme + "://nowhere/a.txt").exists())
                    .isFalse();
            assertThat(context.getResource(scheme + "://nowhere").exists()).isFalse();
            assertThat(context.getResource(scheme + "://photos").exists()).isTrue();
        }
    }

    @Test
    @DisplayName("TRANSFER-2: a stream of several ranges is of one version, and an overwritten blob ends it")
    void oneVersion() throws IOException {
        write("azure-blob://photos/large", LARGE);
        Resource resource = context.getResource("azure-blob://photos/large");
        assertThat(resource.contentLength()).isEqualTo(LARGE.length());
        assertThat(text(resource)).isEqualTo(LARGE);
        try (InputStream in = resource.getInputStream()) {
            in.skipNBytes(9_999_995);
            assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("56789");
        }
        write("azure-blob://photos/large", LARGE.replace('0', 'x'));
        assertThat(resource.contentLength()).isEqualTo(LARGE.length());
        assertThatThrownBy(() -> text(resource)).isInstanceOf(BlobChangedException.class);
        assertThat(text(((BlobResource) resource).latest())).startsWith("x123456789x");
    }

    @Test
    @DisplayName("a lost response of a read is read again, and one of a write is settled")
    void lostResponses() throws IOException {
        FaultRule lostWrite = proxy.when(
                        RequestMatch.requests().method("PUT").path("**lost**").nth(1))
                .loseResponse();
        write("azure-blob://photos/lost", "written");
        FaultRule lostRead = proxy.when(
                        RequestMatch.requests().method("GET").path("**lost**").nth(1))
                .loseResponse();

        assertThat(text(context.getResource("azure-blob://photos/lost"))).isEqualTo("written");
        assertThat(lostWrite.hits()).isEqualTo(1);
        assertThat(lostRead.hits()).isEqualTo(1);
    }
}
