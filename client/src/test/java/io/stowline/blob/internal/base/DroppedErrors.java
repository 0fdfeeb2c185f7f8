package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import reactor.core.publisher.Hooks;

/** Check of a test that Reactor drops no error: each belongs to a caller. */
public final class DroppedErrors implements BeforeEachCallback, AfterEachCallback {

    private final List<Throwable> dropped = new CopyOnWriteArrayList<>();

    @Override
    public void beforeEach(ExtensionContext context) {
        Hooks.onErrorDropped(dropped::add);
    }

    public void add(Throwable error) {
        dropped.add(error);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Hooks.resetOnErrorDropped();
        assertThat(dropped).isEmpty();
    }
}
