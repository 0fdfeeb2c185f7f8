package io.stowline.spring.boot.autoconfigure;

import io.stowline.ReactiveStowline;
import io.stowline.Stowline;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.BeanRegistry.SupplierContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * A registrar of clients of the accounts under {@code stowline.accounts}: {@code archiveStowline} and {@code reactiveArchiveStowline}, both
 * qualified by {@code archive}. Neither is injected by its type alone.
 */
final class StowlineAccountsRegistrar implements BeanRegistrar {

    private static final Set<String> RESERVED = Set.of("reactive", AccountClients.MAIN);

    /** Made by Spring. */
    StowlineAccountsRegistrar() {}

    @Override
    public void register(BeanRegistry registry, Environment environment) {
        Map<String, AccountProperties> accounts = Binder.get(environment)
                .bind(AccountProperties.PREFIX + ".accounts", Bindable.mapOf(String.class, AccountProperties.class))
                .orElseGet(Map::of);
        Map<String, String> qualifiers = new HashMap<>();
        new TreeSet<>(accounts.keySet()).forEach(name -> register(registry, name, qualifiers));
        registry.registerBean(
                "stowlineAccountQualifiers",
                QualifiedBeans.class,
                spec -> spec.supplier(context -> new QualifiedBeans(qualifiers, false)));
    }

    private static void register(BeanRegistry registry, String name, Map<String, String> qualifiers) {
        String bean = AccountClients.beanName(name);
        String reactive = "reactive" + StringUtils.capitalize(bean);
        if (RESERVED.contains(name) || qualifiers.containsKey(bean) || qualifiers.containsKey(reactive)) {
            throw new StowlineConfigurationException(
                    "No further account can have the name '" + name + "' of '" + AccountProperties.PREFIX + ".accounts."
                            + name + "': its clients would have the bean names of other clients, '" + bean + "' and '"
                            + reactive + "'.",
                    "Give the account another name below '" + AccountProperties.PREFIX + ".accounts'.");
        }
        registry.registerBean(bean, Stowline.class, spec -> spec.description("client of stowline.accounts." + name)
                .supplier(context -> create(context, name)));
        registry.registerBean(
                reactive,
                ReactiveStowline.class,
                spec -> spec.supplier(
                        context -> context.bean(bean, Stowline.class).reactive()));
        qualifiers.put(bean, name);
        qualifiers.put(reactive, name);
    }

    private static Stowline create(SupplierContext context, String name) {
        AccountProperties account =
                context.bean(StowlineProperties.class).accounts().get(name);
        if (account == null) {
            throw new IllegalStateException("stowline.accounts." + name + " is no longer set");
        }
        StowlineConnectionDetails details = context.beanProvider(StowlineAccountConnections.class)
                .orderedStream()
                .map(connections -> connections.connection(name))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(() -> new PropertiesStowlineConnectionDetails(account));
        return context.bean(StowlineClientFactory.class).create(name, account, details);
    }
}
