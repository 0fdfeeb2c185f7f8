package io.stowline.spring.boot.resource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.error.StorageException;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.bootstrap.BootstrapRegistry.InstanceSupplier;
import org.springframework.boot.context.config.ConfigDataResourceNotFoundException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

@ExtendWith(OutputCaptureExtension.class)
class BlobConfigTest {

    private final TwoAccounts accounts = new TwoAccounts();

    @AfterEach
    void close() {
        accounts.close();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(
            classes = {
                io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration.class,
                StowlineResourceAutoConfiguration.class
            })
    static class Application {

        @Bean
        Events events() {
            return new Events();
        }
    }

    static class Events {

        final BlockingQueue<BlobConfigChangedEvent> seen = new LinkedBlockingQueue<>();

        @EventListener
        void changed(BlobConfigChangedEvent event) {
            seen.add(event);
        }
    }

    private ConfigurableApplicationContext run(String... properties) {
        SpringApplication application = new SpringApplication(Application.class);
        application.addBootstrapRegistryInitializer(
                registry -> registry.register(StowlineBuilderCustomizer.class, InstanceSupplier.of(accounts)));
        application.addInitializers(
                context -> context.getBeanFactory().registerSingleton("accountsInMemory", accounts));
        List<String> arguments = new ArrayList<>();
        accounts.properties().forEach((name, value) -> arguments.add("--" + name + "=" + value));
        Arrays.stream(properties).forEach(property -> arguments.add("--" + property));
        return application.run(arguments.toArray(String[]::new));
    }

    @Test
    @DisplayName("configuration is imported from blobs of both accounts, with documents for profiles")
    void imports() {
        accounts.put("application.yml", """
            limits:
              uploads: 7
              users: [ann, bob]
            ---
            spring.config.activate.on-profile: race
            limits.uploads: 8
            ---
            spring.config.activate.on-profile: other
            limits.uploads: 9
            """);
        accounts.furtherPhotos().upload("limits.photos=5".getBytes(UTF_8), "app/more.properties");
        try (ConfigurableApplicationContext context = run(
                "spring.profiles.active=race",
                "spring.config.import=azure-blob:photos/application.yml,photos-blob://photos/app/more.properties")) {
            assertThat(context.getEnvironment().getProperty("limits.uploads")).isEqualTo("8");
            assertThat(context.getEnvironment().getProperty("limits.photos")).isEqualTo("5");
            assertThat(Binder.get(context.getEnvironment())
                            .bind("limits.users", String[].class)
                            .get())
                    .containsExactly("ann", "bob");
            assertThat(context.getBeansOfType(BlobConfigReload.class)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"azure-blob:photos/missing.yml", "azure-blob:nowhere/a.yml", "photos-blob:photos/a.yml"})
    @DisplayName("a missing blob fails the start, unless it is optional")
    void missing(String location) {
        assertThatThrownBy(() -> run("spring.config.import=" + location))
                .isInstanceOf(ConfigDataResourceNotFoundException.class)
                .hasMessageContaining(location.replace(":", "://"));
        try (ConfigurableApplicationContext context = run("spring.config.import=optional:" + location)) {
            assertThat(context.isActive()).isTrue();
        }
    }

    @Test
    @DisplayName("a refusal fails the start, also of an optional import")
    void refused() {
        accounts.main.refuseNext("GET", "/a.yml", 403, "AuthorizationFailure");
        assertThatThrownBy(() -> run("spring.config.import=optional:azure-blob:photos/a.yml"))
                .isInstanceOf(StorageException.class);
    }

    @ParameterizedTest
    @CsvSource({"azure-blob:photos/a.yml, photos", "azure-blob:nowhere/a.yml, nowhere"})
    @DisplayName("an optional blob that appears after the start is followed")
    void appears(String location, String container, CapturedOutput output) {
        try (ConfigurableApplicationContext context =
                run("stowline.config.reload-every=1h", "spring.config.import=optional:" + location)) {
            BlobConfigReload reload = context.getBean(BlobConfigReload.class);
            assertThat(reload.reload()).isFalse();
            assertThat(context.getEnvironment().getProperty("one")).isNull();
            assertThat(output)
                    .contains("The optional import '" + location.replace(":", "://")
                            + "' has no values until 'stowline.config.reload-every' finds it: the blob is not there");

            accounts.putIn(container, "a.yml", "one: 1\n");
            assertThat(reload.reload()).isTrue();
            assertThat(context.getEnvironment().getProperty("one")).isEqualTo("1");
            assertThat(context.getBean(Events.class).seen.remove().keys()).containsExactly("one");
        }
    }

    @Test
    @DisplayName("an empty blob is followed, too, and one that becomes empty has no values")
    void empty() {
        accounts.put("a.properties", "");
        try (ConfigurableApplicationContext context =
                run("stowline.config.reload-every=1h", "spring.config.import=azure-blob:photos/a.properties")) {
            BlobConfigReload reload = context.getBean(BlobConfigReload.class);
            accounts.put("a.properties", "one=1");
            assertThat(reload.reload()).isTrue();
            assertThat(context.getEnvironment().getProperty("one")).isEqualTo("1");

            accounts.put("a.properties", "");
            assertThat(reload.reload()).isTrue();
            assertThat(context.getEnvironment().getProperty("one")).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"500, InternalError", "503, ServerBusy"})
    @DisplayName("an optional import starts through an outage, says so, and is followed afterwards")
    void outage(int status, String code, CapturedOutput output) {
        accounts.put("a.yml", "one: 1\n");
        accounts.main.refuseNext("GET", "/a.yml", status, code);
        String[] properties = {
            "stowline.retry.retries=0",
            "stowline.config.reload-every=1h",
            "spring.config.import=optional:azure-blob:photos/a.yml"
        };
        try (ConfigurableApplicationContext context = run(properties)) {
            assertThat(context.getEnvironment().getProperty("one")).isNull();
            assertThat(output).contains("WARN", "the blob cannot be read: ");

            assertThat(context.getBean(BlobConfigReload.class).reload()).isTrue();
            assertThat(context.getEnvironment().getProperty("one")).isEqualTo("1");
        }
        accounts.main.refuseNext("GET", "/a.yml", status, code);
        assertThatThrownBy(() -> run("stowline.retry.retries=0", "spring.config.import=azure-blob:photos/a.yml"))
                .isInstanceOf(StorageException.class);
    }

    @Test
    @DisplayName("with stowline.config.enabled=false no blob is imported, as in tests")
    void disabled(CapturedOutput output) {
        accounts.put("a.yml", "one: 1\n");
        int before = accounts.main.requests().size();
        try (ConfigurableApplicationContext context =
                run("stowline.config.enabled=false", "spring.config.import=azure-blob:photos/a.yml")) {
            assertThat(context.getEnvironment().getProperty("one")).isNull();
            assertThat(accounts.main.requests()).hasSize(before);
            assertThat(output).contains("'azure-blob://photos/a.yml' is left out: 'stowline.config.enabled' is false");
        }
    }

    @Test
    @DisplayName(
            "a blob that cannot be read does not keep others from being followed, and problems are logged once each")
    void others(CapturedOutput output) {
        accounts.put("a.yml", "one: 1\n");
        accounts.furtherPhotos().upload("two: 2\n".getBytes(UTF_8), "b.yml");
        try (ConfigurableApplicationContext context = run(
                "stowline.config.reload-every=1h",
                "spring.config.import=azure-blob:photos/a.yml,photos-blob:photos/b.yml")) {
            BlobConfigReload reload = context.getBean(BlobConfigReload.class);
            for (String refused : List.of("2", "22")) {
                accounts.furtherPhotos()
                        .upload(("two: 2" + refused + "\n").getBytes(UTF_8), "b.yml", o -> o.overwrite());
                accounts.put("a.yml", "one: 1" + refused + "\n");
                accounts.main.refuseNext("GET", "/a.yml", 403, "AuthorizationFailure");
                accounts.archive.refuseNext("GET", "/b.yml", 403, "AuthorizationFailure");
                assertThatThrownBy(reload::reload)
                        .isInstanceOf(StorageException.class)
                        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
                accounts.main.refuseNext("GET", "/a.yml", 403, "AuthorizationFailure");
                assertThatThrownBy(reload::reload).isInstanceOf(StorageException.class);
                assertThat(context.getEnvironment().getProperty("two")).isEqualTo("2" + refused);
            }

            accounts.photos().delete("a.yml");
            accounts.furtherPhotos().delete("b.yml");
            reload.reload();
            reload.reload();
            assertThat(output.getAll().split("is not there: its last", -1)).hasSize(3);
        }
    }

    @ParameterizedTest
    @CsvSource({"azure-blob:photos/, a folder cannot", "azure-blob:photos/a.txt, properties", "azure-blob:, container"})
    void malformed(String location, String reason) {
        assertThatThrownBy(() -> run("spring.config.import=" + location))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    @DisplayName("a change of the blob reaches the environment, whole, and the event names the keys")
    void reload(CapturedOutput output) {
        accounts.put("a.yml", "one: 1\ntwo: 2\nthree: 3\n---\nfour: 4\n");
        try (ConfigurableApplicationContext context =
                run("stowline.config.reload-every=1h", "spring.config.import=azure-blob:photos/a.yml")) {
            BlobConfigReload reload = context.getBean(BlobConfigReload.class);
            Events events = context.getBean(Events.class);
            assertThat(reload.reload()).isFalse();
            assertThat(output).doesNotContain("without close()");

            accounts.put("a.yml", "one: 1\ntwo: 22\nsecret: hidden\n---\nfour: 44\n");
            assertThat(context.getEnvironment().getProperty("two")).isEqualTo("2");
            assertThat(reload.reload()).isTrue();
            assertThat(context.getEnvironment().getProperty("two")).isEqualTo("22");
            assertThat(context.getEnvironment().getProperty("three")).isNull();
            assertThat(Binder.get(context.getEnvironment())
                            .bind("four", int.class)
                            .get())
                    .isEqualTo(44);
            assertThat(Binder.get(context.getEnvironment())
                            .bind("secret", String.class)
                            .get())
                    .isEqualTo("hidden");
            assertThat(reload.reload()).isFalse();

            assertThat(events.seen).hasSize(1);
            BlobConfigChangedEvent event = events.seen.remove();
            assertThat(event.location()).isEqualTo("azure-blob://photos/a.yml");
            assertThat(event.keys()).containsExactlyInAnyOrder("two", "three", "secret", "four");
            assertThat(event.etag()).isEqualTo(accounts.photos().info("a.yml").etag());
            assertThat(output).doesNotContain("hidden");
        }
    }

    @Test
    @DisplayName("an unchanged blob is revalidated: the service sends no content")
    void revalidation() {
        accounts.put("a.yml", "one: 1\n");
        try (ConfigurableApplicationContext context =
                run("stowline.config.reload-every=1h", "spring.config.import=azure-blob:photos/a.yml")) {
            BlobConfigReload reload = context.getBean(BlobConfigReload.class);
            reload.reload();
            int before = accounts.main.requests().size();
            reload.reload();
            assertThat(accounts.main.requests()).hasSize(before + 1);
        }
    }

    @Test
    @DisplayName("the last values stay while a blob is missing, malformed, refused or has other documents")
    void problems(CapturedOutput output) {
        accounts.put("a.yml", "one: 1\n");
        try (ConfigurableApplicationContext context =
                run("stowline.config.reload-every=1h", "spring.config.import=azure-blob:photos/a.yml")) {
            BlobConfigReload reload = context.getBean(BlobConfigReload.class);
            accounts.put("a.yml", "one: [hidden\n");
            assertThat(reload.reload()).isFalse();
            accounts.put("a.yml", "one: 1\n---\ntwo: 2\n");
            assertThat(reload.reload()).isFalse();
            assertThat(reload.reload()).isFalse();
            accounts.photos().delete("a.yml");
            assertThat(reload.reload()).isFalse();
            accounts.main.refuseNext("GET", "/a.yml", 403, "AuthorizationFailure");
            assertThatThrownBy(reload::reload).isInstanceOf(StorageException.class);
            assertThat(context.getEnvironment().getProperty("one")).isEqualTo("1");
            assertThat(output)
                    .contains("azure-blob://photos/a.yml is malformed")
                    .doesNotContain("hidden")
                    .contains("is not there: its last values stay in force");
            assertThat(output.getAll().split("other documents", -1)).hasSize(2);

            accounts.put("a.yml", "one: 2\n");
            assertThat(reload.reload()).isTrue();
            assertThat(context.getEnvironment().getProperty("one")).isEqualTo("2");
        }
    }

    @Test
    void aTimerReloads() throws InterruptedException {
        accounts.put("a.properties", "one=1");
        try (ConfigurableApplicationContext context =
                run("stowline.config.reload-every=1s", "spring.config.import=azure-blob:photos/a.properties")) {
            accounts.put("a.properties", "one=2");
            Events events = context.getBean(Events.class);
            assertThat(events.seen.poll(20, TimeUnit.SECONDS)).isNotNull();
            assertThat(context.getEnvironment().getProperty("one")).isEqualTo("2");
            BlobConfigReload reload = context.getBean(BlobConfigReload.class);
            assertThat(reload.isRunning()).isTrue();
            reload.stop();
            reload.stop();
            assertThat(reload.isRunning()).isFalse();
        }
    }

    @Test
    @DisplayName("an import without an account names the properties to set")
    void noAccount(CapturedOutput output) {
        assertThatThrownBy(() -> new SpringApplication(Application.class)
                        .run("--spring.config.import=optional:azure-blob:photos/a.yml"))
                .hasMessageContaining("no account is given");
        assertThat(output).contains("'stowline.connection-string'", "'stowline.account-name'");
    }

    @Test
    void aShortTimeIsRefused() {
        assertThatThrownBy(() -> run("stowline.config.reload-every=999ms"))
                .rootCause()
                .hasMessageContaining("stowline.config.reload-every")
                .hasMessageContaining("once a second");
    }
}
