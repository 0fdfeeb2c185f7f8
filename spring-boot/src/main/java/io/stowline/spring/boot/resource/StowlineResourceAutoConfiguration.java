package io.stowline.spring.boot.resource;

import io.stowline.Stowline;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * An auto-configuration that resolves the locations of blobs, such as {@code azure-blob://photos/a.jpg}, wherever the application loads a resource, and
 * makes {@link BlobResources}.
 */
@AutoConfiguration(after = StowlineAutoConfiguration.class)
@ConditionalOnClass(Stowline.class)
public final class StowlineResourceAutoConfiguration {

    /** Made by Spring. */
    StowlineResourceAutoConfiguration() {}

    @Bean
    static BlobResources stowlineResources(ConfigurableApplicationContext context) {
        return resources(context);
    }

    /** Registers the schemes before the first bean is made, which may be given a resource. */
    @Bean
    static BeanFactoryPostProcessor stowlineProtocolResolver(ConfigurableApplicationContext context) {
        BlobResources resources = resources(context);
        return beans -> context.addProtocolResolver((location, loader) -> resources.resolve(location));
    }

    private static BlobResources resources(ConfigurableApplicationContext context) {
        return new BlobResources(
                ResourceSchemes.of(Binder.get(context.getEnvironment())), context.getBeanFactory(), context);
    }
}
