package io.stowline.spring.boot.resource;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Two accounts in memory, {@code azure-blob} and {@code photos-blob}, each with a container {@code photos}. */
final class TwoAccounts implements AutoCloseable {

    final MemoryStorage main = MemoryStorage.create();
    final MemoryStorage further = MemoryStorage.create();

    private final Stowline mainClient = client(main);
    private final Stowline furtherClient = client(further);

    TwoAccounts() {
        photos().create();
        furtherPhotos().create();
    }

    private static Stowline client(MemoryStorage storage) {
        return Stowline.builder()
                .connectionString(storage.connectionString())
                .httpClient(storage.httpClient())
                .build();
    }

    /** Returns the container of the default account, by a client that is not the application's. */
    BlobContainer photos() {
        return mainClient.container("photos");
    }

    BlobContainer furtherPhotos() {
        return furtherClient.container("photos");
    }

    void put(String name, String text) {
        photos().upload(text.getBytes(StandardCharsets.UTF_8), name, o -> o.overwrite());
    }

    /** Returns the properties of an application with both accounts. */
    Map<String, Object> properties() {
        return Map.of(
                "stowline.connection-string", main.connectionString(),
                "stowline.accounts.photos.connection-string", further.connectionString(),
                "stowline.accounts.photos.resource-scheme", "photos-blob");
    }

    /** Returns the beans by which its clients reach the memory. */
    Map<String, StowlineBuilderCustomizer> customizers() {
        return Map.of("mainInMemory", inMemory(main, "stowline"), "furtherInMemory", inMemory(further, "photos"));
    }

    /** Returns what applies the customizer of the account that was named last. */
    static StowlineBuilderCustomizer all(Collection<StowlineBuilderCustomizer> customizers) {
        AtomicReference<StowlineBuilderCustomizer> named = new AtomicReference<>();
        return new StowlineBuilderCustomizer() {
            @Override
            public boolean supports(String account) {
                named.set(customizers.stream()
                        .filter(each -> each.supports(account))
                        .findFirst()
                        .orElseThrow());
                return true;
            }

            @Override
            public void customize(Stowline.Builder builder) {
                named.get().customize(builder);
            }
        };
    }

    /** Returns an application with both accounts. */
    ApplicationContextRunner runner() {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        StowlineAutoConfiguration.class, StowlineResourceAutoConfiguration.class));
        for (Map.Entry<String, Object> property : properties().entrySet()) {
            runner = runner.withPropertyValues(property.getKey() + "=" + property.getValue());
        }
        for (Map.Entry<String, StowlineBuilderCustomizer> bean : customizers().entrySet()) {
            runner = runner.withBean(bean.getKey(), StowlineBuilderCustomizer.class, bean::getValue);
        }
        return runner;
    }

    private static StowlineBuilderCustomizer inMemory(MemoryStorage storage, String account) {
        return new StowlineBuilderCustomizer() {
            @Override
            public boolean supports(String name) {
                return name.equals(account);
            }

            @Override
            public void customize(Stowline.Builder builder) {
                builder.httpClient(storage.httpClient());
            }
        };
    }

    @Override
    public void close() {
        mainClient.close();
        furtherClient.close();
    }
}
