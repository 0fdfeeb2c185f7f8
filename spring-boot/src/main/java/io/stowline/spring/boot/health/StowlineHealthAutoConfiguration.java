package io.stowline.spring.boot.health;

import io.stowline.Stowline;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.autoconfigure.DeclaredResource;
import io.stowline.spring.boot.autoconfigure.DeclaredResources;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/**
 * An auto-configuration that makes the health contributor {@code stowline}: one indicator for each service of the client, below the name of the client's bean if there
 * are several. {@code management.health.stowline.enabled} switches it off.
 */
@AutoConfiguration(after = StowlineAutoConfiguration.class)
@ConditionalOnClass({Stowline.class, HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Stowline.class)
@ConditionalOnEnabledHealthIndicator("stowline")
public final class StowlineHealthAutoConfiguration {

    /** Made by Spring. */
    StowlineHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = {"stowlineHealthContributor", "stowlineHealthIndicator"})
    HealthContributor stowlineHealthContributor(
            ListableBeanFactory beans, StowlineProperties properties, ObjectProvider<DeclaredResources> declared) {
        Map<String, Stowline> clients = beans.getBeansOfType(Stowline.class);
        List<DeclaredResource> resources = declared.orderedStream()
                .flatMap(all -> all.resources().stream())
                .toList();
        Map<String, CompositeHealthContributor> contributors = new LinkedHashMap<>();
        clients.forEach((bean, client) -> contributors.put(
                bean,
                CompositeHealthContributor.fromMap(StowlineHealthIndicator.ofServices(
                        client,
                        properties.health().timeout(),
                        resources.stream()
                                .filter(resource -> clients.size() == 1
                                        || bean.equals(resource.account())
                                        || bean.equals(AccountClients.beanName(resource.account())))
                                .toList()))));
        return contributors.size() == 1
                ? contributors.values().iterator().next()
                : CompositeHealthContributor.fromMap(contributors);
    }
}
