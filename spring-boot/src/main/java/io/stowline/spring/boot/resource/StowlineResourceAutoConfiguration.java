package io.stowline.spring.boot.resource;

import io.stowline.Stowline;
import io.stowline.spring.boot.account.PropertyValue;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import java.time.Duration;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * An auto-configuration that resolves the locations of blobs, such as {@code azure-blob://photos/a.jpg}, wherever the application loads a resource, and
 * makes {@link BlobResources}. With {@code stowline.config.reload-every} it follows the blobs that configuration is imported from.
 */
@AutoConfiguration(after = StowlineAutoConfiguration.class)
@ConditionalOnClass(Stowline.class)
public final class StowlineResourceAutoConfiguration {

    private static final Duration LEAST_RELOAD = Duration.ofSeconds(1);

    /** Made by Spring. */
    StowlineResourceAutoConfiguration() {}

    @Bean
    static SchemeRegistration stowlineResourceSchemes(ConfigurableApplicationContext context) {
        ResourceSchemes schemes = ResourceSchemes.of(Binder.get(context.getEnvironment()));
        return new SchemeRegistration(context, new BlobResources(schemes, context.getBeanFactory(), context));
    }

    @Bean
    static BlobResources stowlineResources(SchemeRegistration stowlineResourceSchemes) {
        return stowlineResourceSchemes.resources();
    }

    @Bean
    @ConditionalOnProperty(BlobConfigReload.PROPERTY)
    BlobConfigReload stowlineConfigReload(ConfigurableApplicationContext context) {
        Duration every = Binder.get(context.getEnvironment())
                .bind(BlobConfigReload.PROPERTY, Duration.class)
                .get();
        if (every.compareTo(LEAST_RELOAD) < 0) {
            throw new PropertyValue<>(BlobConfigReload.PROPERTY, every)
                    .refused("blobs are read again at most once a second");
        }
        return new BlobConfigReload(context.getEnvironment(), context.getBeanFactory(), context, every);
    }

    /** A registration of the schemes before the first bean is made, which may be given a resource. */
    record SchemeRegistration(ConfigurableApplicationContext context, BlobResources resources)
            implements BeanFactoryPostProcessor {

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
            context.addProtocolResolver((location, loader) -> resources.resolve(location));
        }
    }
}
