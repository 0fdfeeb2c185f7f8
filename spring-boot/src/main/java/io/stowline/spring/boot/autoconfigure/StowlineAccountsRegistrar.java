package io.stowline.spring.boot.autoconfigure;

import io.stowline.ReactiveStowline;
import io.stowline.Stowline;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Registers the clients of the accounts under {@code stowline.accounts}: {@code archiveStowline} and {@code reactiveArchiveStowline}, both
 * qualified by {@code archive}.
 */
final class StowlineAccountsRegistrar implements BeanRegistrar {

    /** Made by Spring. */
    StowlineAccountsRegistrar() {}

    static String beanName(String account) {
        return account + "Stowline";
    }

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
                spec -> spec.supplier(context -> new QualifiedBeans(qualifiers)));
    }

    private static void register(BeanRegistry registry, String name, Map<String, String> qualifiers) {
        String bean = beanName(name);
        String reactive = "reactive" + StringUtils.capitalize(bean);
        registry.registerBean(bean, Stowline.class, spec -> spec.description("client of stowline.accounts." + name)
                .supplier(context -> create(
                        context.bean(StowlineClientFactory.class), context.bean(StowlineProperties.class), name)));
        registry.registerBean(
                reactive,
                ReactiveStowline.class,
                spec -> spec.supplier(
                        context -> context.bean(bean, Stowline.class).reactive()));
        qualifiers.put(bean, name);
        qualifiers.put(reactive, name);
    }

    private static Stowline create(StowlineClientFactory factory, StowlineProperties properties, String name) {
        AccountProperties account = properties.accounts().get(name);
        if (account == null) {
            throw new IllegalStateException("stowline.accounts." + name + " is no longer set");
        }
        return factory.create(name, account, new PropertiesStowlineConnectionDetails(account));
    }
}
