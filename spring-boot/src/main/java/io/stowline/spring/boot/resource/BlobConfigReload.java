package io.stowline.spring.boot.resource;

import io.stowline.blob.BlobDownload;
import io.stowline.caching.Freshness;
import io.stowline.error.NotFoundException;
import io.stowline.error.StorageException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ByteArrayResource;

/**
 * A lifecycle bean that follows the blobs from which configuration is imported, if {@code stowline.config.reload-every} is set. It revalidates its
 * cached copies by their ETags: the service sends nothing for a blob that has not changed. When one has, all of its values in the environment
 * change in one step, and a {@link BlobConfigChangedEvent} is published.
 *
 * <p>Values stay as they are, with a warning in the log, while a blob is missing, unreadable or malformed, and if it has other documents than before, or
 * documents for other profiles: these need a restart.
 *
 * <p>Thread-safe.
 */
public final class BlobConfigReload implements SmartLifecycle {

    static final String PROPERTY = "stowline.config.reload-every";

    private static final Logger LOG = LoggerFactory.getLogger(BlobConfigReload.class);

    private final ConfigurableEnvironment environment;
    private final BeanFactory beans;
    private final ApplicationEventPublisher events;
    private final Duration every;
    private final AtomicReference<@Nullable ScheduledExecutorService> timer = new AtomicReference<>();
    private final Map<ResourceLocation, String> problems = new HashMap<>();
    private @Nullable Class<?> failure;

    BlobConfigReload(
            ConfigurableEnvironment environment, BeanFactory beans, ApplicationEventPublisher events, Duration every) {
        this.environment = environment;
        this.beans = beans;
        this.events = events;
        this.every = every;
    }

    /**
     * Reads the blobs that have changed, now. One that cannot be read does not keep others from it.
     *
     * @return whether a value has changed
     * @throws StorageException if a blob cannot be read
     */
    public synchronized boolean reload() {
        boolean changed = false;
        StorageException first = null;
        for (ImportedBlob blob : blobs().toList()) {
            try {
                changed |= reload(blob);
            } catch (StorageException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
        return changed;
    }

    private Stream<ImportedBlob> blobs() {
        return environment.getPropertySources().stream()
                .filter(ImportedBlob.Document.class::isInstance)
                .map(source -> (ImportedBlob) source.getSource())
                .distinct();
    }

    private boolean reload(ImportedBlob blob) {
        ResourceLocation location = blob.location();
        BlobDownload found = open(blob);
        if (found == null) {
            if (blob.wasThere()) {
                warn(location, "is not there: its last values stay in force");
            }
            return false;
        }
        try (found) {
            String etag = found.info().etag();
            return !etag.equals(blob.current().etag()) && replace(blob, etag, found);
        } catch (StorageException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // The message of a parser may show lines of the content, which may be secret.
            warn(
                    location,
                    "is malformed, and its last values stay in force: "
                            + e.getClass().getName());
            return false;
        }
    }

    private @Nullable BlobDownload open(ImportedBlob blob) {
        try {
            return ResourceSchemes.client(beans, blob.account())
                    .container(blob.location().container())
                    .cached(Freshness.revalidated())
                    .asStored()
                    .openDownload(blob.location().name())
                    .value()
                    .orElse(null);
        } catch (NotFoundException e) {
            return null; // its container is missing, too
        }
    }

    private boolean replace(ImportedBlob blob, String etag, BlobDownload found) throws IOException {
        ConfigDocuments before = blob.current().documents();
        ConfigDocuments documents = ConfigDocuments.read(
                blob.location(),
                new ByteArrayResource(found.stream().readAllBytes(), "blob [" + blob.location() + "]"));
        if (!documents.mayReplace(before)) {
            warn(
                    blob.location(),
                    "has other documents or profiles than at the start: its last values stay in force"
                            + " until the application starts again");
            return false;
        }
        problems.remove(blob.location());
        Set<String> keys = documents.changedFrom(before);
        blob.replaceBy(new ImportedBlob.Version(etag, documents));
        if (keys.isEmpty()) {
            return false;
        }
        LOG.info("Configuration of {} has changed: {}", blob.location(), keys);
        events.publishEvent(new BlobConfigChangedEvent(this, blob.location().toString(), etag, keys));
        return true;
    }

    /** A problem that lasts is logged once, also beside one of another blob. */
    private void warn(ResourceLocation location, String problem) {
        if (!problem.equals(problems.put(location, problem))) {
            LOG.warn("{} {}", location, problem);
        }
    }

    private synchronized void follow() {
        try {
            reload();
            failure = null;
        } catch (RuntimeException e) {
            if (!isRunning()) {
                return;
            }
            if (!e.getClass().equals(failure)) {
                LOG.warn("Configuration in blobs is not followed at the moment: {}", e.getMessage());
                failure = e.getClass();
            }
        }
    }

    @Override
    public void start() {
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "stowline-config");
            thread.setDaemon(true);
            return thread;
        });
        if (timer.compareAndSet(null, started)) {
            var unused = started.scheduleWithFixedDelay(
                    this::follow, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
        } else {
            started.shutdown();
        }
    }

    /** Ends a read that has begun, too. */
    @Override
    public void stop() {
        ScheduledExecutorService started = timer.getAndSet(null);
        if (started != null) {
            started.shutdownNow();
        }
    }

    @Override
    public boolean isRunning() {
        return timer.get() != null;
    }
}
