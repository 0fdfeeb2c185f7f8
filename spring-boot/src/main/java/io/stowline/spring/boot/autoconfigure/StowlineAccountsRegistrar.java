package io.stowline.spring.boot.autoconfigure;

import io.stowline.ReactiveStowline;
import io.stowline.Stowline;
import java.util.TreeSet;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Registers the clients of the accounts under {@code stowline.accounts}, each under its name. */
final class StowlineAccountsRegistrar implements BeanRegistrar {

    /** Made by Spring. */
    StowlineAccountsRegistrar() {}

    @Override
    public void register(BeanRegistry registry, Environment environment) {
        Binder.get(environment)
                .bind(AccountProperties.PREFIX + ".accounts", Bindable.mapOf(String.class, AccountProperties.class))
                .ifBound(accounts -> new TreeSet<>(accounts.keySet()).forEach(name -> register(registry, name)));
    }

    private static void register(BeanRegistry registry, String name) {
        registry.registerBean(name, Stowline.class, spec -> spec.description("client of stowline.accounts." + name)
                .supplier(context -> create(
                        context.bean(StowlineClientFactory.class), context.bean(StowlineProperties.class), name)));
        registry.registerBean(
                ReactiveQualifiers.reactive(name),
                ReactiveStowline.class,
                spec -> spec.supplier(
                        context -> context.bean(name, Stowline.class).reactive()));
    }

    private static Stowline create(StowlineClientFactory factory, StowlineProperties properties, String name) {
        AccountProperties account = properties.accounts().get(name);
        if (account == null) {
            throw new IllegalStateException("stowline.accounts." + name + " is no longer set");
        }
        return factory.create(name, account, new PropertiesStowlineConnectionDetails(account));
    }
}
