package io.stowline.spring.boot.autoconfigure;

import io.stowline.blob.BlobContainer;
import io.stowline.queue.MessageQueue;
import io.stowline.table.Table;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Creates declared resources that are missing, if {@code stowline.create-missing} is set. It starts before all other lifecycle beans, so
 * that consumers and the web server find the resources, and not at all in a run that ends after the refresh of the context.
 */
final class ResourceCreation implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceCreation.class);

    private final boolean enabled;
    private final ListableBeanFactory beans;
    private final List<DeclaredResources> declared;
    private volatile boolean running;

    ResourceCreation(boolean enabled, ListableBeanFactory beans, List<DeclaredResources> declared) {
        this.enabled = enabled;
        this.beans = beans;
        this.declared = List.copyOf(declared);
    }

    @Override
    public void start() {
        if (enabled) {
            declared.stream().flatMap(all -> all.resources().stream()).forEach(this::create);
        }
        running = true;
    }

    private void create(DeclaredResource resource) {
        boolean created =
                switch (resource.kind()) {
                    case TABLE ->
                        beans.getBean(resource.beanName(), Table.class).createIfMissing();
                    case QUEUE ->
                        beans.getBean(resource.beanName(), MessageQueue.class).createIfMissing();
                    case CONTAINER ->
                        beans.getBean(resource.beanName(), BlobContainer.class).createIfMissing();
                };
        LOG.info(
                "The {} '{}' of account '{}' {}",
                resource.kind().name().toLowerCase(Locale.ROOT),
                resource.name(),
                resource.account(),
                created ? "was missing and is created" : "exists");
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}
