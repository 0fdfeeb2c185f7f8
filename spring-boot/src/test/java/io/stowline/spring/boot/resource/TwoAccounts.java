package io.stowline.spring.boot.resource;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.charset.StandardCharsets;
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

    /** Returns an application with both accounts. */
    ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(StowlineAutoConfiguration.class, StowlineResourceAutoConfiguration.class))
                .withPropertyValues(
                        "stowline.connection-string=" + main.connectionString(),
                        "stowline.accounts.photos.connection-string=" + further.connectionString(),
                        "stowline.accounts.photos.resource-scheme=photos-blob")
                .withBean("mainInMemory", StowlineBuilderCustomizer.class, () -> inMemory(main, "stowline"))
                .withBean("furtherInMemory", StowlineBuilderCustomizer.class, () -> inMemory(further, "photos"));
    }

    static StowlineBuilderCustomizer inMemory(MemoryStorage storage, String account) {
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
