package io.stowline.spring.boot.autoconfigure;

import io.stowline.ReactiveStowline;
import io.stowline.Stowline;
import io.stowline.spring.boot.account.AccountClients;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

/**
 * An auto-configuration that makes the clients: {@link Stowline} and {@link ReactiveStowline} of the default account if properties or connection details name one, and
 * those of further accounts. A {@link Stowline} of the application takes the place of the default one.
 */
@AutoConfiguration(
        afterName = {
            "com.azure.spring.cloud.autoconfigure.implementation.context.AzureTokenCredentialAutoConfiguration",
            "com.azure.spring.cloud.autoconfigure.implementation.context.AzureGlobalPropertiesAutoConfiguration"
        })
@ConditionalOnClass(Stowline.class)
@EnableConfigurationProperties({StowlineProperties.class, AccountProperties.class})
@Import(StowlineAccountsRegistrar.class)
public final class StowlineAutoConfiguration {

    /** Made by Spring. */
    StowlineAutoConfiguration() {}

    @Bean
    static QualifiedBeans.PostProcessor stowlineQualifiers() {
        return new QualifiedBeans.PostProcessor();
    }

    @Bean
    AccountClients stowlineAccountClients(ListableBeanFactory beans, ObjectProvider<Stowline> main) {
        return new AccountClients(beans, main);
    }

    @Bean
    StowlineClientFactory stowlineClientFactory(ListableBeanFactory beans, Environment environment) {
        return new StowlineClientFactory(beans, environment);
    }

    @Bean
    @Conditional(OnAccountCondition.class)
    @ConditionalOnMissingBean(StowlineConnectionDetails.class)
    PropertiesStowlineConnectionDetails stowlineConnectionDetails(AccountProperties properties) {
        return new PropertiesStowlineConnectionDetails(properties);
    }

    @Bean
    @Primary
    @ConditionalOnBean(StowlineConnectionDetails.class)
    @ConditionalOnMissingBean(Stowline.class)
    Stowline stowline(StowlineClientFactory factory, AccountProperties properties, StowlineConnectionDetails details) {
        return factory.create(AccountClients.MAIN, properties, details);
    }

    /** Makes the reactive view, whose closing is left to the client. */
    @Bean(destroyMethod = "")
    @Primary
    @ConditionalOnSingleCandidate(Stowline.class)
    @ConditionalOnMissingBean(ReactiveStowline.class)
    ReactiveStowline reactiveStowline(Stowline stowline) {
        return stowline.reactive();
    }

    @Bean
    PropertyCheck stowlinePropertyCheck(StowlineProperties properties) {
        return new PropertyCheck(properties);
    }

    @Bean
    @ConditionalOnMissingBean
    WriterDefaults stowlineWriterDefaults(StowlineProperties properties) {
        return new WriterDefaults(properties.writer());
    }

    @Bean
    ResourceCreation stowlineResourceCreation(
            StowlineProperties properties,
            ListableBeanFactory beans,
            AccountClients accounts,
            ObjectProvider<DeclaredResources> resources) {
        return new ResourceCreation(
                properties.createMissing(),
                beans,
                accounts,
                resources.orderedStream().toList());
    }
}
