package io.stowline.testkit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage of one scope of tests, closed with that scope.
 *
 * <p>JUnit closes what implements {@code AutoCloseable} since 5.13. Before that, the emulator ends with the JVM.
 */
final class StoredEmulator implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StoredEmulator.class);

    private final TestStorage storage;

    StoredEmulator(TestStorage storage) {
        this.storage = storage;
    }

    TestStorage storage() {
        return storage;
    }

    // Tests may run in parallel: the first to notice restarts, the others wait and find it sound.
    synchronized void restartWhenPoisoned() {
        storage.azurite().filter(azurite -> !azurite.isHealthy()).ifPresent(azurite -> {
            LOG.warn("{} no longer works and is restarted", azurite);
            azurite.restart();
        });
    }

    @Override
    public void close() {
        storage.azurite().ifPresent(Azurite::close);
    }
}
