package io.stowline.spring.boot.resource;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.spring.boot.AccountsInMemory;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Two accounts in memory, {@code azure-blob} and {@code photos-blob}, each with a container {@code photos}. */
final class TwoAccounts extends AccountsInMemory implements AutoCloseable {

    private final Stowline mainClient = client(main);
    private final Stowline furtherClient = client(archive);

    TwoAccounts() {
        super("photos", MemoryStorage.create());
        photos().create();
        furtherPhotos().create();
    }

    /** Returns the container of the default account, by a client that is not the application's. */
    BlobContainer photos() {
        return mainClient.container("photos");
    }

    BlobContainer furtherPhotos() {
        return furtherClient.container("photos");
    }

    void put(String name, String text) {
        upload(photos(), name, text);
    }

    void putIn(String container, String name, String text) {
        mainClient.container(container).createIfMissing();
        upload(mainClient.container(container), name, text);
    }

    private static void upload(BlobContainer container, String name, String text) {
        container.upload(text.getBytes(StandardCharsets.UTF_8), name, o -> o.overwrite());
    }

    @Override
    public Map<String, Object> properties() {
        Map<String, Object> properties = new HashMap<>(super.properties());
        properties.put("stowline.accounts.photos.resource-scheme", "photos-blob");
        return properties;
    }

    /** Returns an application with both accounts. */
    ApplicationContextRunner runner() {
        return runner(StowlineResourceAutoConfiguration.class);
    }

    @Override
    public void close() {
        mainClient.close();
        furtherClient.close();
    }
}
