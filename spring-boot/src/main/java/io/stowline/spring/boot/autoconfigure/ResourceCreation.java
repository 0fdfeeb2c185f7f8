package io.stowline.spring.boot.autoconfigure;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.error.AuthenticationException;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.queue.MessageQueue;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.table.Table;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * A lifecycle bean that creates declared resources that are missing, if {@code stowline.create-missing} is set. It starts before all other lifecycle beans, so
 * that consumers and the web server find the resources, and not at all in a run that ends after the refresh of the context.
 */
final class ResourceCreation implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceCreation.class);

    private final boolean enabled;
    private final ListableBeanFactory beans;
    private final AccountClients accounts;
    private final List<DeclaredResources> declared;
    private volatile boolean running;

    ResourceCreation(
            boolean enabled, ListableBeanFactory beans, AccountClients accounts, List<DeclaredResources> declared) {
        this.enabled = enabled;
        this.beans = beans;
        this.accounts = accounts;
        this.declared = List.copyOf(declared);
    }

    @Override
    public void start() {
        if (enabled) {
            Set<List<Object>> created = new HashSet<>();
            declared.stream()
                    .flatMap(all -> all.resources().stream())
                    .filter(resource -> created.add(List.of(resource.account(), resource.kind(), resource.name())))
                    .forEach(this::create);
        }
        running = true;
    }

    private void create(DeclaredResource resource) {
        Stowline client = client(resource.account());
        String what = resource.kind().name().toLowerCase(Locale.ROOT) + " '" + resource.name() + "' of account '"
                + client.accountName() + "'";
        try {
            LOG.info("The {} {}", what, createIfMissing(resource) ? "was missing and is created" : "exists");
        } catch (StorageException e) {
            throw failure(resource, client, what, e);
        }
    }

    private boolean createIfMissing(DeclaredResource resource) {
        return switch (resource.kind()) {
            case TABLE -> table(resource).createIfMissing();
            case QUEUE -> beans.getBean(resource.beanName(), MessageQueue.class).createIfMissing();
            case CONTAINER -> container(resource).createIfMissing();
        };
    }

    /** Returns a table, which has no bean where another bean uses it, such as a repository. */
    private Table<?> table(DeclaredResource resource) {
        return beans.getBean(resource.beanName()) instanceof Table<?> table
                ? table
                : client(resource.account()).table(resource.name());
    }

    private BlobContainer container(DeclaredResource resource) {
        return beans.getBean(resource.beanName()) instanceof BlobContainer container
                ? container
                : client(resource.account()).container(resource.name());
    }

    private Stowline client(String account) {
        return accounts.client("A declared resource", account);
    }

    private static String service(DeclaredResource.Kind kind) {
        return switch (kind) {
            case TABLE -> "table";
            case QUEUE -> "queue";
            case CONTAINER -> "blob";
        };
    }

    private static StowlineConfigurationException failure(
            DeclaredResource resource, Stowline client, String what, StorageException e) {
        String prefix = AccountClients.prefix(resource.account());
        String service = service(resource.kind());
        URI endpoint = client.endpoints().get(service);
        String cure = e instanceof AuthenticationException
                ? "Check the credential under '" + prefix
                        + "', which must belong to this account and permit the creation"
                : e instanceof UnreachableException || e instanceof DeadlineExceededException
                        ? "Check the endpoint under '" + prefix + "', such as '" + prefix + "." + service
                                + ".endpoint', and whether this machine reaches it"
                        : "Check the properties under '" + prefix + "'";
        return new StowlineConfigurationException(
                "The " + what + " (" + (endpoint == null ? "no endpoint" : endpoint.getRawAuthority())
                        + ", properties under '" + prefix + "') cannot be created: " + e.getMessage(),
                cure + ". Without 'stowline.create-missing=true' the application starts and creates nothing.",
                e);
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
