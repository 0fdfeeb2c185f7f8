package io.stowline.spring.boot.resource;

import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.autoconfigure.AccountProperties;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.context.config.ConfigDataLocation;
import org.springframework.boot.context.config.ConfigDataLocationResolver;
import org.springframework.boot.context.config.ConfigDataLocationResolverContext;
import org.springframework.boot.context.properties.bind.Binder;

/** A resolver of {@code spring.config.import=azure-blob:container/application.yml}, for the schemes of all accounts. Immutable and thread-safe. */
final class BlobConfigDataLocationResolver implements ConfigDataLocationResolver<BlobConfigDataResource> {

    /** Made by Spring Boot. */
    BlobConfigDataLocationResolver() {}

    @Override
    public boolean isResolvable(ConfigDataLocationResolverContext context, ConfigDataLocation location) {
        String value = location.getValue();
        return value.indexOf(':') > 0
                && !value.startsWith("classpath:")
                && !value.startsWith("file:")
                && ResourceSchemes.of(context.getBinder()).account(value) != null;
    }

    @Override
    public List<BlobConfigDataResource> resolve(
            ConfigDataLocationResolverContext context, ConfigDataLocation location) {
        Binder binder = context.getBinder();
        ResourceLocation blob = ResourceLocation.parse(location.getValue());
        ConfigDocuments.checkExtension(blob);
        String account = Objects.requireNonNull(ResourceSchemes.of(binder).account(location.getValue()), "the account");
        return List.of(new BlobConfigDataResource(
                blob,
                account,
                binder.bindOrCreate(AccountClients.prefix(account), AccountProperties.class),
                new BlobConfigDataResource.ImportRules(
                        location.isOptional(),
                        binder.bind(BlobConfigReload.PROPERTY, String.class).isBound(),
                        Boolean.TRUE.equals(binder.bind(BlobConfigDataResource.ENABLED, Boolean.class)
                                .orElse(true)))));
    }
}
