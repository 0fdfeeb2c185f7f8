package io.stowline.spring.boot.resilience4j;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryRegistry;
import io.stowline.Stowline;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ObjectProvider;
import reactor.util.context.ContextView;

/** The retries of the clients, shown in the application's registry as a {@link ServiceRetry} for each service from its first use on. */
final class AccountRetries implements StowlineBuilderCustomizer {

    private final ObjectProvider<RetryRegistry> registries;

    AccountRetries(ObjectProvider<RetryRegistry> registries) {
        this.registries = registries;
    }

    /** Changes nothing: the listener is all that a client gets. */
    @Override
    public void customize(Stowline.Builder builder) {}

    @Override
    public Optional<StowlineListener> listener(String account) {
        RetryRegistry registry = registries.getIfUnique();
        if (registry == null) {
            return Optional.empty();
        }
        for (String service : InstanceNames.SERVICES) {
            String name = InstanceNames.of(account, service);
            Optional<Retry> present = registry.find(name).filter(retry -> !(retry instanceof ServiceRetry));
            if (present.isPresent()) {
                throw new StowlineConfigurationException(
                        "A Retry of Resilience4j has the name '" + name
                                + "', by which the retries of a client of Stowline are shown. Its settings have no"
                                + " effect on them.",
                        "Set the retries of the client by 'stowline.retry', rename the Retry, or set"
                                + " 'stowline.resilience4j.show-retries' to false.");
            }
        }
        return Optional.of(new ShownRetries(account, registry));
    }

    /** A listener that keeps the view of each open service of one account. */
    private static final class ShownRetries implements StowlineListener {

        private final String account;
        private final RetryRegistry registry;
        private final Map<String, ServiceRetry> services = new ConcurrentHashMap<>();

        ShownRetries(String account, RetryRegistry registry) {
            this.account = account;
            this.registry = registry;
        }

        /** A registry makes its entries itself, and lets them be replaced only. */
        @Override
        public void onServiceOpened(ServiceState state) {
            String name = InstanceNames.of(account, state.service());
            ServiceRetry retry = new ServiceRetry(name, state.client().retry(), registry.getTags());
            registry.retry(name, retry.getRetryConfig());
            registry.replace(name, retry);
            services.put(state.service(), retry);
        }

        @Override
        public void onServiceClosed(ServiceState state) {
            ServiceRetry retry = services.remove(state.service());
            if (retry != null) {
                registry.remove(retry.getName());
            }
        }

        @Override
        public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
            ServiceRetry retry = services.get(operation.service());
            return retry == null ? OperationListener.NONE : retry;
        }
    }
}
