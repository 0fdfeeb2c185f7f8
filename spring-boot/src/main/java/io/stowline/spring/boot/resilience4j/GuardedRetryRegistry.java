package io.stowline.spring.boot.resilience4j;

import io.github.resilience4j.core.ConfigurationNotFoundException;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** A registry of retries whose entries keep to {@link OuterRetries}: those that it has, and those that it makes. Thread-safe. */
final class GuardedRetryRegistry implements RetryRegistry {

    private final RetryRegistry registry;
    private final boolean allowed;

    private GuardedRetryRegistry(RetryRegistry registry, boolean allowed) {
        this.registry = registry;
        this.allowed = allowed;
        for (Retry retry : registry.getAllRetries()) {
            String name = retry.getName();
            Retry guarded = Retry.of(name, guarded(name, retry.getRetryConfig()), retry.getTags());
            ReplacedInstance.forward(guarded.getEventPublisher(), retry.getEventPublisher());
            registry.replace(name, guarded);
        }
    }

    /** The rule comes after all of the configuration, which keeps its order of retried and ignored exceptions. */
    private RetryConfig guarded(String name, RetryConfig config) {
        return RetryConfig.from(config)
                .retryExceptions()
                .ignoreExceptions()
                .retryOnException(
                        new OuterRetryRule(name, config.getExceptionPredicate(), config.getMaxAttempts(), allowed))
                .build();
    }

    @Override
    public Set<Retry> getAllRetries() {
        return registry.getAllRetries();
    }

    @Override
    public Retry retry(String name) {
        return retry(name, Map.of());
    }

    @Override
    public Retry retry(String name, Map<String, String> tags) {
        return retry(name, registry::getDefaultConfig, tags);
    }

    @Override
    public Retry retry(String name, RetryConfig config) {
        return retry(name, config, Map.of());
    }

    @Override
    public Retry retry(String name, RetryConfig config, Map<String, String> tags) {
        return retry(name, () -> config, tags);
    }

    @Override
    public Retry retry(String name, Supplier<RetryConfig> config) {
        return retry(name, config, Map.of());
    }

    @Override
    public Retry retry(String name, Supplier<RetryConfig> config, Map<String, String> tags) {
        return registry.retry(name, () -> guarded(name, config.get()), tags);
    }

    @Override
    public Retry retry(String name, String configName) {
        return retry(name, configName, Map.of());
    }

    @Override
    public Retry retry(String name, String configName, Map<String, String> tags) {
        RetryConfig config =
                registry.getConfiguration(configName).orElseThrow(() -> new ConfigurationNotFoundException(configName));
        return retry(name, config, tags);
    }

    @Override
    public void addConfiguration(String name, RetryConfig config) {
        registry.addConfiguration(name, config);
    }

    @Override
    public Optional<Retry> find(String name) {
        return registry.find(name);
    }

    @Override
    public Optional<Retry> remove(String name) {
        return registry.remove(name);
    }

    @Override
    public Optional<Retry> replace(String name, Retry retry) {
        return registry.replace(name, retry);
    }

    @Override
    public Optional<RetryConfig> getConfiguration(String name) {
        return registry.getConfiguration(name);
    }

    @Override
    public RetryConfig getDefaultConfig() {
        return registry.getDefaultConfig();
    }

    @Override
    public Map<String, String> getTags() {
        return registry.getTags();
    }

    @Override
    public EventPublisher<Retry> getEventPublisher() {
        return registry.getEventPublisher();
    }

    @Override
    public RetryConfig removeConfiguration(String name) {
        return registry.removeConfiguration(name);
    }

    /**
     * A post-processor that guards each registry of the application.
     *
     * @param allowed whether retries around the client's are allowed, and logged only
     */
    record Guard(boolean allowed) implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof RetryRegistry registry && !(bean instanceof GuardedRetryRegistry)
                    ? new GuardedRetryRegistry(registry, allowed)
                    : bean;
        }
    }
}
