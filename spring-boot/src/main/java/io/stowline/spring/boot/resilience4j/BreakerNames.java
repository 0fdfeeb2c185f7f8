package io.stowline.spring.boot.resilience4j;

import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** A check of the circuit breakers that properties name for the clients: each must have a registry that makes it, and a service that uses it. */
final class BreakerNames {

    private static final Logger LOG = LoggerFactory.getLogger(BreakerNames.class);
    private static final String INSTANCES = "resilience4j.circuitbreaker.instances";
    private static final String REGISTRY = "io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry";

    private BreakerNames() {}

    static BreakerNames checked(Environment environment, ConfigurableListableBeanFactory beans) {
        Set<String> known = Stream.concat(
                        Stream.of(AccountClients.MAIN), names(environment, "stowline.accounts").stream())
                .flatMap(account -> InstanceNames.SERVICES.stream().map(service -> InstanceNames.of(account, service)))
                .collect(Collectors.toSet());
        for (String name : names(environment, INSTANCES)) {
            if (known.contains(name) && !hasRegistry(beans)) {
                throw new StowlineConfigurationException(
                        "'" + INSTANCES + "." + name
                                + "' is set, and nothing makes this circuit breaker: the application has no"
                                + " CircuitBreakerRegistry.",
                        "Add the library 'io.github.resilience4j:resilience4j-spring-boot4', or remove the property.");
            }
            if (name.startsWith("stowline-") && !known.contains(name)) {
                LOG.warn(
                        "'{}.{}' is the circuit breaker of no service of a client. The names are 'stowline-table',"
                                + " 'stowline-queue' and 'stowline-blob', and for a further account"
                                + " 'stowline-<account>-table' and so on.",
                        INSTANCES,
                        name);
            }
        }
        return new BreakerNames();
    }

    private static Set<String> names(Environment environment, String prefix) {
        return Binder.get(environment)
                .bind(prefix, Bindable.mapOf(String.class, Object.class))
                .orElseGet(Map::of)
                .keySet();
    }

    private static boolean hasRegistry(ConfigurableListableBeanFactory beans) {
        ClassLoader loader = beans.getBeanClassLoader();
        return ClassUtils.isPresent(REGISTRY, loader)
                && beans.getBeanNamesForType(ClassUtils.resolveClassName(REGISTRY, loader), true, false).length > 0;
    }
}
