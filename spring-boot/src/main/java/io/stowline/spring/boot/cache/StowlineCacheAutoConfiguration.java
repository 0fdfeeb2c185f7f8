package io.stowline.spring.boot.cache;

import com.azure.core.util.serializer.JsonSerializer;
import io.stowline.Stowline;
import io.stowline.caching.Freshness;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.PropertyValue;
import io.stowline.spring.boot.autoconfigure.DeclaredResource;
import io.stowline.spring.boot.autoconfigure.DeclaredResources;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.json.StowlineJsonAutoConfiguration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cache.CacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * An auto-configuration that makes a {@link TableCacheManager} of the properties {@code stowline.spring-cache}, if {@code
 * stowline.spring-cache.table} is set and {@code spring.cache.type} is not.
 */
@AutoConfiguration(
        after = {StowlineAutoConfiguration.class, StowlineJsonAutoConfiguration.class},
        beforeName = "org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration")
@ConditionalOnClass({Stowline.class, CacheManager.class})
@Conditional(StowlineCacheAutoConfiguration.OnCacheTableCondition.class)
@ConditionalOnMissingBean(value = CacheManager.class, name = "cacheResolver")
@EnableConfigurationProperties(SpringCacheProperties.class)
@ImportRuntimeHints(StowlineCacheAutoConfiguration.SimpleKeyHints.class)
public final class StowlineCacheAutoConfiguration {

    private static final String TABLE = SpringCacheProperties.PREFIX + ".table";

    /** Made by Spring. */
    StowlineCacheAutoConfiguration() {}

    @Bean
    TableCacheManager cacheManager(
            SpringCacheProperties properties, AccountClients accounts, ObjectProvider<JsonSerializer> serializers) {
        Stowline client = accounts.client("'" + SpringCacheProperties.PREFIX + ".account'", properties.account());
        PropertyValue<String> name = new PropertyValue<>(TABLE, String.valueOf(properties.table()));
        TableCacheManager.Builder builder =
                TableCacheManager.builder(name.into(client::table), serializer(serializers, name));
        properties.caches().forEach((cache, own) -> add(builder, cache, own, properties.timeToLive()));
        return builder.build();
    }

    /** Declares the table, so that it is created if it is missing, and its health is known. */
    @Bean
    DeclaredResources stowlineCacheResources(SpringCacheProperties properties) {
        return DeclaredResources.of(
                properties.account(), DeclaredResource.Kind.TABLE, String.valueOf(properties.table()), "cacheManager");
    }

    private static JsonSerializer serializer(ObjectProvider<JsonSerializer> serializers, PropertyValue<String> table) {
        JsonSerializer serializer = serializers.getIfUnique();
        if (serializer == null) {
            throw table.refused(
                    "values of caches are JSON, and there is no single bean of type " + JsonSerializer.class.getName()
                            + ": add spring-boot-starter-jackson, which makes one of"
                            + " tools.jackson.databind.json.JsonMapper, or declare such a bean");
        }
        return serializer;
    }

    private static void add(
            TableCacheManager.Builder builder,
            String name,
            DeclaredCacheProperties cache,
            @Nullable Duration timeToLive) {
        String prefix = SpringCacheProperties.PREFIX + ".caches." + name;
        Class<?> type = cache.type();
        if (type == null) {
            throw new PropertyValue<>(prefix + ".type", "")
                    .refused("a cache holds values of one class, which this property names");
        }
        Duration time = cache.timeToLive() == null ? timeToLive : cache.timeToLive();
        new PropertyValue<>(prefix, cache)
                .into(declared -> builder.cache(name, type, settings -> {
                    if (time != null) {
                        settings.timeToLive(time);
                    }
                    if (cache.freshness() != null) {
                        Freshness fresh = Freshness.fresh(cache.freshness());
                        settings.freshness(
                                cache.staleIfError() == null ? fresh : fresh.staleIfError(cache.staleIfError()));
                    }
                    return settings;
                }));
    }

    /** A condition that the table is named, and no other kind of cache is chosen. */
    static final class OnCacheTableCondition extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            ConditionMessage.Builder message = ConditionMessage.forCondition("cache table");
            if (!context.getEnvironment().containsProperty(TABLE)) {
                return ConditionOutcome.noMatch(message.because(TABLE + " is not set"));
            }
            return context.getEnvironment().containsProperty("spring.cache.type")
                    ? ConditionOutcome.noMatch(message.because("spring.cache.type is set"))
                    : ConditionOutcome.match(message.because(TABLE + " is set"));
        }
    }

    /** The hints for keys of several parameters, whose parts have no method. */
    static final class SimpleKeyHints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
            hints.reflection().registerField(CacheKeys.parts());
        }
    }
}
